"""Changing and reading the stock through the API."""

from glassflow.services.cutting import audit as reservations
from glassflow.services.stock.audit import differences

LOTS, LEDGER = "/api/inventories", "/api/material-logs"
WITHDRAWALS = "/api/withdrawals"


def create_lot(api, material, quantity, location="A-01", **values):
    """Create a lot of a material, given by its record or its id; return the lot."""
    body = {
        "material": str(getattr(material, "pk", material)),
        "stockType": "Raw",
        "quantity": quantity,
        "location": location,
        **values,
    }
    return api.post(LOTS, body).data


def quantities_of(api, *lots):
    """The present quantities of these lots."""
    return [api.get(f"{LOTS}/{lot['_id']}").data["quantity"] for lot in lots]


def withdraw(api, lot, quantity, **values):
    """Withdraw so much of a lot's material and stock type; return the answer."""
    body = {"material": lot["material"], "stockType": lot["stockType"]}
    return api.post(WITHDRAWALS, {**body, "quantity": quantity, **values})


def move_part(api, lot, quantity, to, **values):
    """Move a part of a lot to a location; return the answer."""
    body = {"quantity": quantity, "toLocation": to, **values}
    return api.post(f"{LOTS}/{lot['_id']}/move", body)


def ledger_entries(api, **query):
    """Action and quantity of each ledger entry, oldest first."""
    rows = api.get(LEDGER, sort="createdAt", limit=100, **query).data
    return [(row["actionType"], row["quantityChanged"]) for row in rows]


def assert_stock_matches_ledger():
    """Every lot, material and withdrawal is what the ledger adds up to.

    What is reserved of lots is what released cutting plans need.
    """
    assert [str(one) for one in differences()] == []
    assert reservations.differences() == []
