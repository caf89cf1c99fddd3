"""Claims: created under an order or from a pane."""

import pytest

from scenarios import order_with_panes


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop)


@pytest.fixture
def body(job, worker):
    return {
        "source": "worker",
        "material": job.material,
        "description": "ร้าวที่มุม",
        "reportedBy": worker.id,
        "pane": job.panes[0]["_id"],
        "defectCode": "chipped",
        "photos": ["https://example.com/a.jpg"],
    }


def path(job):
    return f"/api/orders/{job.order['_id']}/claims"


def test_claim_is_created_under_its_order_and_pending(worker, job, body):
    made = worker.post(path(job), body).data
    assert made["order"] == job.order["_id"]
    assert (made["status"], made["decision"]) == ("pending", None)
    for name, value in body.items():
        assert made[name] == value
    assert made["claimDate"]
    assert worker.get("/api/claims", order=job.order["_id"]).data == [made]


def test_claim_of_a_pane_has_its_order_and_material(worker, job, body):
    del body["material"], body["pane"]
    fields = {**body, "paneNumber": f"stdplus:{job.numbers[0]}"}
    made = worker.post("/api/claims/from-pane", fields).data
    assert (made["order"], made["material"], made["pane"]) == (
        job.order["_id"],
        job.material,
        job.panes[0]["_id"],
    )
    unknown = worker.post("/api/claims/from-pane", {**fields, "paneNumber": "PNE-0"})
    assert (unknown.status, unknown.message) == (400, "Pane not found")


def test_pane_and_material_of_a_claim_must_match_its_order(
    admin, worker, workshop, job, body
):
    other = order_with_panes(admin, workshop)
    wrong_pane = worker.post(path(job), {**body, "pane": other.panes[0]["_id"]})
    assert (wrong_pane.status, wrong_pane.errors["code"]) == (400, "OTHER_ORDER")
    wrong_glass = worker.post(path(job), {**body, "material": other.material})
    assert (wrong_glass.status, wrong_glass.errors["code"]) == (400, "OTHER_MATERIAL")
    missing = worker.post(f"/api/orders/{'0' * 24}/claims", body)
    assert (missing.status, missing.message) == (404, "Order not found")
    assert worker.get("/api/claims").data == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("source", "nobody"), ("defectCode", "melted"), ("photos", "x"), ("reportedBy", ""), ("claimDate", "soon")],
)  # fmt: skip
def test_invalid_fields_are_named(worker, job, body, field, value):
    faults = worker.post(path(job), {**body, field: value}).faults
    assert {name.split(".")[0] for name in faults} == {field}


@pytest.mark.parametrize("field", ["pane", "material"])
def test_changed_claim_must_match_its_order(admin, worker, workshop, field):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    body = {"source": "worker", "material": job.material, "description": "x",
            "reportedBy": worker.id, "pane": job.panes[0]["_id"]}  # fmt: skip
    made = worker.post(f"/api/orders/{job.order['_id']}/claims", body).data
    wrong = {"pane": other.panes[0]["_id"], "material": other.material}
    path = f"/api/claims/{made['_id']}"
    answer = worker.patch(path, {field: wrong[field]})
    assert answer.status == 400, answer
    assert admin.get(path).data == made


def test_claims_are_filtered_by_the_customer_of_their_order(
    admin, client_with_keys, workshop, job
):
    other = order_with_panes(admin, workshop)
    found = {}
    for one in (job, other):
        pane = {"paneNumber": one.numbers[0], "source": "worker", "description": "x"}
        made = admin.post("/api/claims/from-pane", {**pane, "reportedBy": admin.id})
        found[one.customer] = made.data["_id"]

    def listed(customer, api=admin):
        return api.get("/api/claims", customer=customer)

    for customer, claim in found.items():
        assert [one["_id"] for one in listed(customer).data] == [claim]
    assert list(listed("x").faults) == ["customer"]
    assert len(listed("").data) == 2
    assert listed(job.customer, client_with_keys("claims:view")).status == 403
