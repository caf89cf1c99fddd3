"""Claims: made under an order or from a pane."""

import pytest

from stories import line


@pytest.fixture
def day(admin, workshop):
    return line(admin, workshop)


@pytest.fixture
def body(day, worker):
    return {
        "source": "worker",
        "material": day.material,
        "description": "ร้าวที่มุม",
        "reportedBy": worker.id,
        "pane": day.panes[0]["_id"],
        "defectCode": "chipped",
        "photos": ["https://example.com/a.jpg", "data:image/png;base64,AAAA"],
    }


def path(day):
    return f"/api/orders/{day.order['_id']}/claims"


def test_a_claim_is_made_under_its_order_and_pending(worker, day, body):
    made = worker.post(path(day), body).data
    assert made["order"] == day.order["_id"]
    assert (made["status"], made["decision"]) == ("pending", None)
    for name, value in body.items():
        assert made[name] == value
    assert made["claimDate"]
    assert worker.get("/api/claims", order=day.order["_id"]).data == [made]


def test_a_claim_from_a_pane_takes_order_and_material_from_it(worker, day, body):
    del body["material"], body["pane"]
    said = {**body, "paneNumber": f"stdplus:{day.numbers[0]}"}
    made = worker.post("/api/claims/from-pane", said).data
    assert (made["order"], made["material"], made["pane"]) == (
        day.order["_id"],
        day.material,
        day.panes[0]["_id"],
    )
    unknown = worker.post("/api/claims/from-pane", {**said, "paneNumber": "PNE-0"})
    assert (unknown.status, unknown.message) == (400, "Pane not found")


def test_pane_order_and_material_have_to_fit(admin, worker, workshop, day, body):
    other = line(admin, workshop)
    wrong_pane = worker.post(path(day), {**body, "pane": other.panes[0]["_id"]})
    assert (wrong_pane.status, wrong_pane.errors["code"]) == (400, "OTHER_ORDER")
    wrong_glass = worker.post(path(day), {**body, "material": other.material})
    assert (wrong_glass.status, wrong_glass.errors["code"]) == (400, "OTHER_MATERIAL")
    missing = worker.post(f"/api/orders/{'0' * 24}/claims", body)
    assert (missing.status, missing.message) == (404, "Order not found")
    assert worker.get("/api/claims").data == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("source", "nobody"), ("defectCode", "melted"), ("photos", ["not a uri"]),
     ("photos", ["javascript:alert(1)"]), ("reportedBy", ""), ("claimDate", "soon")],
)  # fmt: skip
def test_bad_fields_are_named(worker, day, body, field, value):
    faults = worker.post(path(day), {**body, field: value}).faults
    assert {name.split(".")[0] for name in faults} == {field}
