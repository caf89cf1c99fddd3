"""How far workers without the key to change prices may go below those of the list."""

import pytest

from api.test_quotes import PANE, PATH, PRICES, fields


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    assert admin.put("/api/workshop", {"maximumDiscount": 15}).status == 200


@pytest.fixture
def customer(workshop):
    return str(workshop.customer(discount=10).pk)


@pytest.fixture
def seller(client_with_keys):
    return client_with_keys(
        "requests:manage", "pricing:view", "customers:view", "customers:manage"
    )


@pytest.fixture
def granted(admin, customer):
    """Create a draft with an agreed price and 40 % off; return its path."""

    def create(unit_price):
        panes = [{**PANE, "unitPrice": unit_price}]
        body = {"customer": customer, "panes": panes, "discountPercent": 40}
        return f"{PATH}/{admin.post(PATH, body).data['_id']}"

    return create


def test_discount_and_agreed_price_of_a_quote(seller, granted, customer):
    def refused_fields(body, path=PATH):
        reply = seller.post(PATH, body) if path == PATH else seller.patch(path, body)
        return [] if reply.status in (200, 201) else fields(reply)

    most = {"customer": customer, "panes": [PANE], "discountPercent": 15}
    assert refused_fields(most) == []
    assert refused_fields(most | {"discountPercent": 15.5}) == ["discountPercent"]
    # the discount is taken of an agreed price too: 400 - 15 % is 340, which is 378 - 10 %
    unit = ["panes.0.unitPrice"]
    for price, percent, faults in (
        (340, 0, []),
        (339.99, 0, unit),
        (377.78, None, []),  # the customer's 10 %
        (377, None, unit),
        (399, 15, unit),
        (1000, 15, []),
    ):
        panes = [{**PANE, "unitPrice": price}]
        body = most | {"panes": panes, "discountPercent": percent}
        assert refused_fields(body) == faults, (price, percent)
    unlisted = {"unitPrice": 1_000_000, "quantity": 2}
    assert refused_fields(most | {"panes": [unlisted]}) == unit

    # what a worker with the key has granted stays, and its rows may be in another order
    agreed = {**PANE, "unitPrice": 1}
    path = granted(1)
    kept = {"panes": [PANE, agreed], "discountPercent": 40}
    assert refused_fields(kept, path) == []
    assert refused_fields({"panes": [{**agreed, "quantity": 9}]}, path) == unit
    assert refused_fields({"panes": [agreed, agreed]}, path) == ["panes.1.unitPrice"]
    assert refused_fields({"discountPercent": 41}, path) == ["discountPercent", "panes.1.unitPrice"]  # fmt: skip


def test_what_was_granted_to_a_customer_is_not_granted_to_another(
    admin, seller, granted, workshop
):
    path = granted(300)
    other = str(workshop.customer(name="Bee").pk)
    refused = seller.patch(path, {"customer": other})
    assert fields(refused) == ["discountPercent", "panes.0.unitPrice"]
    assert admin.patch(path, {"customer": other}).status == 200


def test_discount_and_price_list_of_a_customer(admin, seller, customer):
    body = {"name": "Cee", "discount": 15}
    assert seller.post("/api/customers", body).status == 201
    refused = seller.post("/api/customers", body | {"discount": 40})
    assert fields(refused) == ["discount"]
    cheap = admin.post("/api/price-lists", {"name": "Cheap", "percent": -90}).data
    path = f"/api/customers/{customer}"
    refused = seller.patch(path, {"discount": 16, "priceList": cheap["_id"]})
    assert fields(refused) == ["discount", "priceList"]
    granted = {"discount": 40, "priceList": cheap["_id"]}
    assert admin.patch(path, granted).status == 200
    # what was granted can be sent back, and lowered
    assert seller.patch(path, granted | {"name": "Dee"}).status == 200
    assert seller.patch(path, {"discount": 39}).status == 200
    assert fields(seller.patch(path, {"discount": 40})) == ["discount"]


def test_agreed_price_of_a_request(admin, seller, customer):
    def body(price):
        details = {"type": "Window", "quantity": 2, "estimatedPrice": price}
        panes = [{**PANE, "quantity": 2}]
        return {"customer": customer, "details": details, "panes": panes}

    price = "details.estimatedPrice"
    refused = seller.post("/api/requests", body(679.99))
    assert (fields(refused), "680.00" in str(refused.body)) == ([price], True)
    made = seller.post("/api/requests", body(700))
    assert made.status == 201
    path = f"/api/requests/{made.data['_id']}"

    def agree(api, amount):
        return api.patch(path, {"details": {**made.data["details"], "estimatedPrice": amount}})  # fmt: skip

    for amount in (0, 0.01, 679.99):
        assert fields(agree(seller, amount)) == [price]
    assert agree(seller, 680).status == 200
    assert agree(admin, 10).status == 200
    assert fields(agree(seller, 9)) == [price]
    # a price that is raised is none that is given away
    assert agree(seller, 11).status == 200
    # before there are panes, the list says nothing
    unlisted = {"customer": customer, "details": body(1)["details"]}
    assert seller.post("/api/requests", unlisted).status == 201


LARGEST = {"width": 1_000_000, "height": 500_000}  # more than 500,000,000 baht


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"unitPrice": 1_000_000_001}, "panes.0.unitPrice"),
        ({"unitPrice": 500_000_001, "quantity": 2}, "panes.0.unitPrice"),
        ({**PANE, "dimensions": LARGEST, "quantity": 2}, "panes.0.quantity"),
    ],
)
def test_amounts_that_no_paper_has_room_for_are_refused(admin, customer, row, field):
    body = {"customer": customer, "panes": [row]}
    asked = [admin.post(PATH, body), admin.post(f"{PATH}/price", body)]
    assert [(one.status, fields(one)) for one in asked] == [(400, [field])] * 2


def test_amount_of_a_paper_is_at_most_10_000_000_000_with_vat(admin, customer):
    body = {"customer": customer, "discountPercent": 0}
    rows = [{"unitPrice": 1_000_000_000}] * 10
    refused = admin.post(PATH, body | {"panes": rows})
    assert (refused.status, fields(refused)) == (400, ["panes"])
    assert admin.post(PATH, body | {"panes": rows[1:]}).status == 201
