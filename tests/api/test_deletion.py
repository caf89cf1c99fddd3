"""Deletion by the policy `refuse`: records in use are kept, with the reason."""

import pytest

from glassflow.models import BY_NAME
from lookups import order_of
from scenarios import claim_under_order, order_with_panes


def refused(answer, message):
    assert (answer.status, answer.message) == (409, message), answer
    assert answer.errors["code"] == "IN_USE"


def test_customers_and_materials_with_work_cannot_be_deleted(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    refused(admin.delete(f"/api/customers/{job.customer}"),
            "Customer has 1 request, 1 order")  # fmt: skip
    refused(admin.delete(f"/api/materials/{job.material}"),
            "Material has 1 order, 2 panes")  # fmt: skip
    lot = {"material": str(workshop.material().pk), "stockType": "Raw", "quantity": 1,
           "location": "A"}  # fmt: skip
    admin.post("/api/inventories", lot)
    answer = admin.delete(f"/api/materials/{lot['material']}")
    refused(answer, "Material has 1 lot")


def test_workers_with_work_cannot_be_deleted(admin, manager, workshop):
    order_with_panes(admin, workshop, assignedTo=manager.id)
    refused(admin.delete(f"/api/workers/{manager.id}"), "Worker has 1 order")


def test_stations_of_open_panes_cannot_be_deleted(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    path = f"/api/stations/{job.stations[0]}"
    assert admin.delete(path).status == 409
    for action in ("complete", "scan_out"):
        worker.scan(job.numbers[0], action)
    assert admin.delete(path).status == 200  # only finished work had been there


def test_templates_with_stations_cannot_be_deleted(admin, workshop):
    station = workshop.station()
    path = f"/api/station-templates/{station.template_id}"
    refused(admin.delete(path), "Station template has 1 station")
    admin.delete(f"/api/stations/{station.pk}")
    assert admin.delete(path).status == 200


def test_unscanned_work_is_deleted_with_its_panes(admin, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    assert admin.delete(f"/api/requests/{job.request['_id']}").status == 200
    for path in ("requests", "orders", "panes"):
        assert admin.get(f"/api/{path}").data == []
    job = order_with_panes(admin, workshop, panes=3)
    assert admin.delete(f"/api/orders/{job.order['_id']}").status == 200
    assert admin.get("/api/panes").data == []
    assert len(admin.get("/api/requests").data) == 1


def test_scanned_work_cannot_be_deleted(admin, worker, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    worker.scan(job.numbers[0], "scan_in")
    refused(admin.delete(f"/api/orders/{job.order['_id']}"), "Order has 1 scanned pane")
    answer = admin.delete(f"/api/requests/{job.request['_id']}")
    refused(answer, "Request has 1 order, 1 scanned pane")
    assert len(admin.get("/api/panes").data) == 3


def test_one_undeletable_record_refuses_a_bulk_deletion(admin, workshop):
    job = order_with_panes(admin, workshop)
    free = str(workshop.customer().pk)
    answer = admin.delete("/api/customers", {"ids": [free, job.customer]})
    assert answer.status == 409
    assert admin.get(f"/api/customers/{free}").status == 200


@pytest.mark.parametrize("how", ["one", "many"])
def test_deleting_a_pane_updates_the_figures_of_its_order(admin, workshop, how):
    job = order_with_panes(admin, workshop, panes=3, quantity=1)
    gone = job.panes[0]["_id"]
    if how == "one":
        assert admin.delete(f"/api/panes/{gone}").status == 200
    else:
        assert admin.delete("/api/panes", {"ids": [gone]}).data == {"deletedCount": 1}
    order = order_of(admin, job.order)
    assert order["paneCount"] == 2
    assert order["stationBreakdown"] == {job.stations[0]: 2}


def test_request_is_deleted_with_all_panes_of_its_orders(admin, workshop):
    job = order_with_panes(admin, workshop)
    body = {"order": job.order["_id"], "routing": job.stations}
    extra = admin.post("/api/panes", body).data
    assert admin.delete(f"/api/requests/{job.request['_id']}").status == 200
    assert admin.get("/api/panes").data == admin.get("/api/orders").data == []
    assert admin.get(f"/api/panes/{extra['_id']}").status == 404


def test_orders_and_panes_with_a_claim_cannot_be_deleted(admin, workshop):
    job = order_with_panes(admin, workshop)
    claim_under_order(admin, job)
    refused(admin.delete(f"/api/orders/{job.order['_id']}"), "Order has 1 claim")
    refused(admin.delete(f"/api/panes/{job.panes[0]['_id']}"), "Pane has 1 claim")
    assert admin.delete(f"/api/requests/{job.request['_id']}").status == 409
    assert len(admin.get("/api/panes").data) == 1


def test_deleting_a_pending_claim_returns_its_pane_to_its_status(
    admin, worker, workshop
):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "scan_in")
    made = claim_under_order(admin, job)["_id"]
    path = f"/api/panes/{job.panes[0]['_id']}"
    assert admin.get(path).data["currentStatus"] == "claimed"
    assert admin.delete("/api/claims", {"ids": [made]}).data == {"deletedCount": 1}
    pane = admin.get(path).data
    assert (pane["currentStatus"], pane["currentStation"]) == (
        "in_progress",
        job.stations[0],
    )
    order = order_of(admin, job.order)
    assert order["stationBreakdown"] == {job.stations[0]: 1}


@pytest.mark.slow
def test_approved_claim_and_its_panes_cannot_be_deleted_and_a_rejected_one_can(
    admin, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    made, other = (
        claim_under_order(admin, job)["_id"],
        claim_under_order(admin, job, pane=job.panes[1]["_id"])["_id"],
    )
    change = {"status": "approved", "decision": "destroy"}
    approved = admin.patch(f"/api/claims/{made}", change).data
    answer = admin.delete(f"/api/claims/{made}")
    assert (answer.status, answer.errors["code"]) == (409, "CLAIM_APPROVED")
    refused(admin.delete(f"/api/panes/{approved['remadePane']}"),
            "Pane has 1 approved claim")  # fmt: skip
    refused(admin.delete(f"/api/panes/{job.panes[0]['_id']}"),
            "Pane has 1 claim, 1 remake")  # fmt: skip
    assert admin.patch(f"/api/claims/{other}", {"status": "rejected"}).status == 200
    answer = admin.delete("/api/claims", {"ids": [other, made]})
    assert answer.status == 409
    assert admin.delete(f"/api/claims/{other}").status == 200


@pytest.mark.slow
def test_order_with_a_withdrawal_cannot_be_deleted(admin, workshop):
    job = order_with_panes(admin, workshop)
    lot = {"material": job.material, "stockType": "Raw", "quantity": 5, "location": "A"}
    lot = admin.post("/api/inventories", lot).data
    body = {"material": job.material, "quantity": 2, "stockType": "Raw"}
    body["order"] = job.order["_id"]
    taken = admin.post("/api/withdrawals", body).data
    order, lots = f"/api/orders/{job.order['_id']}", f"/api/inventories/{lot['_id']}"
    refused(admin.delete(order), "Order has 1 withdrawal")
    refused(admin.delete(lots), "Inventory has 1 pending withdrawal")
    assert admin.get(lots).data["quantity"] == 3
    rejected = admin.patch(f"/api/withdrawals/{taken['_id']}", {"status": "rejected"})
    assert rejected.status == 200
    assert admin.delete(order).status == 200
    assert admin.delete(lots).status == 200


def test_deleting_a_withdrawal_returns_its_stock_once_and_clears_references(
    admin, workshop
):
    job = order_with_panes(admin, workshop)
    lot = {"material": job.material, "stockType": "Raw", "quantity": 5, "location": "A"}
    lot = admin.post("/api/inventories", lot).data["_id"]
    body = {"material": job.material, "quantity": 2, "stockType": "Raw"}
    taken = admin.post("/api/withdrawals", body).data["_id"]
    order = f"/api/orders/{job.order['_id']}"
    assert admin.patch(order, {"withdrawal": taken}).data["withdrawal"] == taken
    assert admin.delete(f"/api/withdrawals/{taken}").status == 200
    assert admin.delete(f"/api/withdrawals/{taken}").status == 404
    assert admin.get(f"/api/inventories/{lot}").data["quantity"] == 5
    assert admin.get(order).data["withdrawal"] is None


def test_deleting_a_worker_deletes_their_notifications(admin, workshop):
    found = str(workshop.worker().pk)
    body = {"recipient": found, "type": "a", "title": "b"}
    kept = admin.post("/api/notifications", {**body, "recipient": admin.id}).data
    gone = admin.post("/api/notifications", body).data
    assert admin.delete(f"/api/workers/{found}").status == 200
    assert BY_NAME["Notification"].objects(pk=gone["_id"]).first() is None
    assert BY_NAME["Notification"].objects(pk=kept["_id"]).first() is not None


def test_unknown_id_refuses_a_bulk_deletion(admin, workshop):
    free = str(workshop.customer().pk)
    answer = admin.delete("/api/customers", {"ids": [free, "0" * 24]})
    assert (answer.status, answer.message) == (404, "Customer not found")
    assert admin.get(f"/api/customers/{free}").status == 200
