"""The store room of a test: lots, what is on them, and what the book says of it."""

from glassflow.services.stock_check import differences

LOTS, BOOK, TAKINGS = "/api/inventories", "/api/material-logs", "/api/withdrawals"


def put_in(api, material, quantity, location="A-01", **values):
    """Take a lot in through the interface; give it."""
    body = {
        "material": str(getattr(material, "pk", material)),
        "stockType": "Raw",
        "quantity": quantity,
        "location": location,
        **values,
    }
    return api.post(LOTS, body).data


def on(api, *lots):
    """What is on these lots now."""
    return [api.get(f"{LOTS}/{lot['_id']}").data["quantity"] for lot in lots]


def take(api, lot, quantity, **values):
    """Ask for so much of a lot's material and stock type; give the answer."""
    body = {"material": lot["material"], "stockType": lot["stockType"]}
    return api.post(TAKINGS, {**body, "quantity": quantity, **values})


def move(api, lot, quantity, to, **values):
    """Ask to move a part of a lot; give the answer."""
    body = {"quantity": quantity, "toLocation": to, **values}
    return api.post(f"{LOTS}/{lot['_id']}/move", body)


def entries(api, **query):
    """What the book says, oldest first: action and quantity."""
    rows = api.get(BOOK, sort="createdAt", limit=100, **query).data
    return [(row["actionType"], row["quantityChanged"]) for row in rows]


def assert_balanced():
    """The stock is what the book says."""
    assert [str(one) for one in differences()] == []
