"""What panes of a request would cost, before it is made."""

import pytest

PATH = "/api/requests/price"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100, "grindingRate": 10}}},
    "holePriceEach": 50,
    "notchPrice": 100,
    "minimumArea": 4,
    "edgeRates": {"arris": 3},
    "temperingRates": {"6mm": 25},
    "vatPercent": 7,
}
SMALL = {
    "dimensions": {"width": 200, "height": 500},
    "rawGlass": {"glassType": "Clear", "thickness": 6},
}


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


def test_panes_are_priced_by_the_price_list_and_summed(admin, workshop):
    hole = {"id": "h1", "x": 50, "y": 50, "diameter": 8}
    panes = [
        {**SMALL, "quantity": 3},
        {**SMALL, "holes": [hole], "edgeTasks": [{"side": "left", "edgeProfile": "arris"}]},
        {**SMALL, "dimensions": {"width": 200}},
        {**SMALL, "notches": [{"id": "n1", "x": 0, "y": 0}]},
    ]  # fmt: skip
    customer = str(workshop.customer(discount=10).pk)
    data = admin.post(PATH, {"panes": panes, "customer": customer}).data
    assert [one["total"] for one in data["panes"]] == ["400.00", "451.50", None, None]
    assert [one["missing"] for one in data["panes"]] == [None, None, "size", "cutOut"]
    assert data["panes"][1]["area"] == "4"
    lines = [tuple(line.values()) for line in data["panes"][1]["lines"]]
    assert lines == [
        ("glass", "", "4", "ft2", "100", "400.00"),
        ("edge", "arris", "0.5", "m", "3", "1.50"),
        ("holes", "", "1", "piece", "50", "50.00"),
    ]
    del data["panes"]
    assert data == {
        "subtotal": "1651.50",
        "rush": "0.00",
        "discount": 10,
        "discountAmount": "165.15",
        "minimumCharge": "0.00",
        "total": "1486.35",
        "vatPercent": 7,
        "vat": "104.04",
        "totalWithVat": "1590.39",
        "isComplete": False,
        "isExample": False,
        "priceList": None,
    }


def test_changed_price_list_changes_the_price(admin):
    assert admin.post(PATH, {"panes": [SMALL]}).data["total"] == "400.00"
    admin.put("/api/pricing-settings", {"minimumArea": 5})
    assert admin.post(PATH, {"panes": [SMALL]}).data["total"] == "500.00"


def test_panes_of_a_tempered_job_type_pay_the_tempering(admin):
    pane = {**SMALL, "jobType": "TMP"}
    assert admin.post(PATH, {"panes": [pane]}).data["total"] == "400.00"
    admin.post("/api/job-types", {"name": "T", "code": "tmp", "isTempered": True})
    assert admin.post(PATH, {"panes": [pane]}).data["total"] == "500.00"


def test_equal_panes_have_a_price_by_quantity_and_urgent_ones_a_surcharge(admin):
    rows = [{"fromQuantity": 10, "percent": -5}]
    changes = {"quantityBreaks": rows, "rushPercent": 20, "minimumCharge": 5000}
    admin.put("/api/pricing-settings", changes)
    body = {"panes": [{**SMALL, "quantity": 10}], "isRush": True}
    data = admin.post(PATH, body).data
    names = ("subtotal", "rush", "minimumCharge", "total")
    assert [data[name] for name in names] == ["3800.00", "760.00", "440.00", "5000.00"]


def test_nothing_is_stored(admin):
    assert admin.post(PATH, {"panes": [SMALL]}).data["isComplete"] is True
    assert admin.get("/api/panes", includeMerged="true").data == []
    assert admin.get("/api/requests").data == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "panes"),
        ({"panes": [{}, {"dimensions": {"width": "wide"}}]}, "panes.1.dimensions.width"),
        ({"panes": [{"quantity": 0}]}, "panes.0.quantity"),
        ({"panes": [], "customer": "x"}, "customer"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_at_its_place(admin, body, field):
    assert list(admin.post(PATH, body).faults) == [field]


def test_unknown_customer_is_refused(admin):
    answer = admin.post(PATH, {"panes": [], "customer": "0" * 24})
    assert (answer.status, answer.message) == (400, "Customer not found")


def test_discount_of_a_customer_needs_the_key_of_customers(client_with_keys, workshop):
    client = client_with_keys("pricing:view")
    assert client.post(PATH, {"panes": [SMALL]}).data["total"] == "400.00"
    body = {"panes": [SMALL], "customer": str(workshop.customer(discount=50).pk)}
    assert client.post(PATH, body).status == 403
    both = client_with_keys("pricing:view", "customers:view")
    assert both.post(PATH, body).data["total"] == "200.00"
