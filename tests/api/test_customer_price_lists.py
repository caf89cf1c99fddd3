"""Price lists of customers: written, used for prices, and shown to holders of the key."""

from datetime import timedelta

import pytest

from glassflow.core.process import clock, json

PATH = "/api/price-lists"
PRICE = "/api/requests/price"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100, "grindingRate": 10}}},
    "holePriceEach": 50,
    "notchPrice": 100,
    "minimumArea": 4,
    "edgeRates": {"arris": 3},
}
HOLE = {"id": "h1", "x": 50, "y": 50, "diameter": 8}
SMALL = {
    "dimensions": {"width": 200, "height": 500},
    "rawGlass": {"glassType": "Clear", "thickness": 6},
    "holes": [HOLE],
}


def customer_with(admin, **price_list):
    """Create a customer and their price list; return both ids."""
    made = admin.post(PATH, {"name": "contractors", **price_list}).data["_id"]
    body = {"name": "Aek", "priceList": made}
    return admin.post("/api/customers", body).data["_id"], made


def price_for(api, customer):
    return api.post(PRICE, {"panes": [SMALL], "customer": customer}).data


def days_ahead(days):
    return json.iso(clock.now() + timedelta(days=days))


def test_price_list_has_rates_in_the_shapes_of_the_prices(admin):
    body = {
        "name": "contractors",
        "percent": -8,
        "glassPrices": PRICES["glassPrices"],
        "edgeRates": {"arris": 2.5},
        "holePriceEach": 0,
        "notchPrice": 80,
        "validFrom": "2026-01-01T00:00:00.000Z",
        "validTo": "2026-12-31T00:00:00.000Z",
        "notes": "by phone",
    }
    made = admin.post(PATH, body).data
    assert made == made | body
    path = f"{PATH}/{made['_id']}"
    none = {"glassPrices": None, "holePriceEach": None, "validTo": None}
    changed = admin.patch(path, none).data
    assert changed == changed | none | {"glassPrices": {}, "edgeRates": {"arris": 2.5}}
    tables = {"edgeRates": {"bevel": 9}}
    assert admin.patch(path, tables).data["edgeRates"] == {"bevel": 9}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"percent": -100.5}, "percent"),
        ({"percent": 1001}, "percent"),
        ({"percent": "8"}, "percent"),
        ({"holePriceEach": -1}, "holePriceEach"),
        ({"edgeRates": {"arris": -1}}, "edgeRates.arris"),
        ({"glassPrices": {"Clear": {"6": {}}}}, "glassPrices.Clear.6.pricePerSqFt"),
        ({"validFrom": "soon"}, "validFrom"),
        ({"validFrom": "2026-02-01", "validTo": "2026-01-01"}, "validTo"),
    ],
)
def test_bad_input_is_refused_at_its_place(admin, change, field):
    answer = admin.post(PATH, {"name": "a", **change})
    assert (answer.status, list(answer.faults)) == (400, [field])
    assert admin.get(PATH).data == []


def test_end_is_judged_with_the_stored_begin(admin):
    made = admin.post(PATH, {"name": "a", "validFrom": "2026-02-01"}).data
    path = f"{PATH}/{made['_id']}"
    assert list(admin.patch(path, {"validTo": "2026-01-01"}).faults) == ["validTo"]
    same = {"validTo": made["validFrom"]}
    assert admin.patch(path, same).data["validTo"] == made["validFrom"]


@pytest.fixture
def prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.mark.usefixtures("prices")
def test_customer_pays_the_prices_of_their_list(admin):
    row = {"Clear": {"6": {"pricePerSqFt": 80}}}
    customer, made = customer_with(admin, percent=-10, glassPrices=row)
    price = price_for(admin, customer)
    # 4 ft² at 80 baht, and a hole for 10 % less than 50
    assert (price["subtotal"], price["priceList"]) == ("365.00", "contractors")
    admin.patch(f"{PATH}/{made}", {"percent": 20})
    assert price_for(admin, customer)["subtotal"] == "380.00"
    without = admin.post(PRICE, {"panes": [SMALL]}).data
    assert (without["subtotal"], without["priceList"]) == ("450.00", None)


@pytest.mark.usefixtures("prices")
@pytest.mark.parametrize(
    ("begin", "end", "is_valid"), [(-2, -1, False), (1, 2, False), (-1, 1, True)]
)
def test_list_counts_while_it_is_valid(admin, begin, end, is_valid):
    times = {"validFrom": days_ahead(begin), "validTo": days_ahead(end)}
    customer, _ = customer_with(admin, percent=-10, **times)
    price = price_for(admin, customer)
    expected = ("405.00", "contractors") if is_valid else ("450.00", None)
    assert (price["subtotal"], price["priceList"]) == expected


def test_price_list_is_shown_with_the_key_of_prices_only(admin, client_with_keys):
    customer, made = customer_with(admin, percent=-10)
    path = f"/api/customers/{customer}"
    both = client_with_keys("customers:view", "pricing:view")
    for populate in ("true", "priceList"):
        assert both.get(path, populate=populate).data["priceList"]["percent"] == -10
    plain = client_with_keys("customers:view")
    for populate in ("true", "priceList"):
        shown = plain.get(path, populate=populate).data["priceList"]
        assert shown == made
    assert plain.get(f"{PATH}/{made}").status == 403
    assert plain.get(PATH).status == 403
    assert client_with_keys("pricing:view").post(PATH, {"name": "b"}).status == 403


def test_price_list_of_customers_is_not_deleted(admin):
    customer, made = customer_with(admin)
    answer = admin.delete(f"{PATH}/{made}")
    assert (answer.status, answer.message) == (409, "Price list has 1 customer")
    assert admin.delete(f"/api/customers/{customer}").status == 200
    assert admin.delete(f"{PATH}/{made}").status == 200
    assert admin.post(f"{PATH}/{made}/restore").status == 201
    assert [one["_id"] for one in admin.get(PATH).data] == [made]


def test_customer_with_an_unknown_price_list_is_refused(admin):
    answer = admin.post("/api/customers", {"name": "a", "priceList": "0" * 24})
    assert (answer.status, answer.message) == (400, "Price list not found")
