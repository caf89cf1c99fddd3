"""Deleting: what would orphan live work stays, and says what keeps it."""

import pytest

from glassflow.models import BY_NAME
from stories import line


def refused(answer, message):
    assert (answer.status, answer.message) == (409, message), answer
    assert answer.errors["code"] == "IN_USE"


def test_customers_and_materials_with_work_stay_finished_or_not(admin, workshop):
    day = line(admin, workshop, panes=2)
    refused(admin.delete(f"/api/customers/{day.customer}"),
            "Customer has 1 request, 1 order")  # fmt: skip
    refused(admin.delete(f"/api/materials/{day.material}"),
            "Material has 1 order, 2 panes")  # fmt: skip
    lot = {"material": str(workshop.material().pk), "stockType": "Raw", "quantity": 1,
           "location": "A"}  # fmt: skip
    admin.post("/api/inventories", lot)
    answer = admin.delete(f"/api/materials/{lot['material']}")
    refused(answer, "Material has 1 lot")


def test_workers_with_work_stay(admin, manager, workshop):
    line(admin, workshop, assignedTo=manager.id)
    refused(admin.delete(f"/api/workers/{manager.id}"), "Worker has 1 order")


def test_stations_on_open_routes_or_with_panes_stay(admin, worker, workshop):
    day = line(admin, workshop, steps=1)
    path = f"/api/stations/{day.stations[0]}"
    assert admin.delete(path).status == 409
    for action in ("complete", "scan_out"):
        worker.scan(day.numbers[0], action)
    assert admin.delete(path).status == 200  # only finished work had been there


def test_templates_with_stations_stay(admin, workshop):
    station = workshop.station()
    path = f"/api/station-templates/{station.template_id}"
    refused(admin.delete(path), "Station template has 1 station")
    admin.delete(f"/api/stations/{station.pk}")
    assert admin.delete(path).status == 200


def test_unscanned_work_takes_its_panes_along(admin, workshop):
    day = line(admin, workshop, panes=3)
    assert admin.delete(f"/api/requests/{day.request['_id']}").status == 200
    for path in ("requests", "orders", "panes"):
        assert admin.get(f"/api/{path}").data == []
    day = line(admin, workshop, panes=3)
    assert admin.delete(f"/api/orders/{day.order['_id']}").status == 200
    assert admin.get("/api/panes").data == []
    assert len(admin.get("/api/requests").data) == 1


def test_work_that_has_been_scanned_stays(admin, worker, workshop):
    day = line(admin, workshop, panes=3)
    worker.scan(day.numbers[0], "scan_in")
    refused(admin.delete(f"/api/orders/{day.order['_id']}"), "Order has 1 scanned pane")
    answer = admin.delete(f"/api/requests/{day.request['_id']}")
    refused(answer, "Request has 1 order, 1 scanned pane")
    assert len(admin.get("/api/panes").data) == 3


def test_one_that_has_to_stay_keeps_all_of_a_bulk(admin, workshop):
    day = line(admin, workshop)
    free = str(workshop.customer().pk)
    answer = admin.delete("/api/customers", {"ids": [free, day.customer]})
    assert answer.status == 409
    assert admin.get(f"/api/customers/{free}").status == 200


@pytest.mark.parametrize("how", ["one", "many"])
def test_a_deleted_pane_leaves_its_orders_figures_right(admin, workshop, how):
    day = line(admin, workshop, panes=3)
    gone = day.panes[0]["_id"]
    if how == "one":
        assert admin.delete(f"/api/panes/{gone}").status == 200
    else:
        assert admin.delete("/api/panes", {"ids": [gone]}).data == {"deletedCount": 1}
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["paneCount"] == 2
    assert order["stationBreakdown"] == {day.stations[0]: 2}


def test_a_request_takes_along_what_its_orders_have_besides(admin, workshop):
    day = line(admin, workshop)
    body = {"order": day.order["_id"], "routing": day.stations}
    extra = admin.post("/api/panes", body).data
    assert admin.delete(f"/api/requests/{day.request['_id']}").status == 200
    assert admin.get("/api/panes").data == admin.get("/api/orders").data == []
    assert admin.get(f"/api/panes/{extra['_id']}").status == 404


def claim(admin, day, **said):
    body = {
        "source": "worker",
        "material": day.material,
        "description": "แตก",
        "reportedBy": admin.id,
        "pane": day.panes[0]["_id"],
        **said,
    }
    return admin.post(f"/api/orders/{day.order['_id']}/claims", body).data["_id"]


def test_orders_and_panes_with_a_claim_stay(admin, workshop):
    day = line(admin, workshop)
    claim(admin, day)
    refused(admin.delete(f"/api/orders/{day.order['_id']}"), "Order has 1 claim")
    refused(admin.delete(f"/api/panes/{day.panes[0]['_id']}"), "Pane has 1 claim")
    assert admin.delete(f"/api/requests/{day.request['_id']}").status == 409
    assert len(admin.get("/api/panes").data) == 1


def test_a_pending_claim_gives_its_pane_back_when_it_is_deleted(
    admin, worker, workshop
):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "scan_in")
    made = claim(admin, day)
    path = f"/api/panes/{day.panes[0]['_id']}"
    assert admin.get(path).data["currentStatus"] == "claimed"
    assert admin.delete("/api/claims", {"ids": [made]}).data == {"deletedCount": 1}
    pane = admin.get(path).data
    assert (pane["currentStatus"], pane["currentStation"]) == (
        "in_progress",
        day.stations[0],
    )
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["stationBreakdown"] == {day.stations[0]: 1}


@pytest.mark.slow
def test_an_approved_claim_stays_and_keeps_both_panes_and_a_rejected_one_may_go(
    admin, workshop
):
    day = line(admin, workshop, panes=2)
    made, other = claim(admin, day), claim(admin, day, pane=day.panes[1]["_id"])
    said = {"status": "approved", "decision": "destroy"}
    approved = admin.patch(f"/api/claims/{made}", said).data
    answer = admin.delete(f"/api/claims/{made}")
    assert (answer.status, answer.errors["code"]) == (409, "CLAIM_APPROVED")
    refused(admin.delete(f"/api/panes/{approved['remadePane']}"),
            "Pane has 1 approved claim")  # fmt: skip
    refused(admin.delete(f"/api/panes/{day.panes[0]['_id']}"),
            "Pane has 1 claim, 1 remake")  # fmt: skip
    assert admin.patch(f"/api/claims/{other}", {"status": "rejected"}).status == 200
    answer = admin.delete("/api/claims", {"ids": [other, made]})
    assert answer.status == 409
    assert admin.delete(f"/api/claims/{other}").status == 200


@pytest.mark.slow
def test_an_order_that_material_was_taken_for_stays(admin, workshop):
    day = line(admin, workshop)
    lot = {"material": day.material, "stockType": "Raw", "quantity": 5, "location": "A"}
    lot = admin.post("/api/inventories", lot).data
    body = {"material": day.material, "quantity": 2, "stockType": "Raw"}
    body["order"] = day.order["_id"]
    taken = admin.post("/api/withdrawals", body).data
    order, lots = f"/api/orders/{day.order['_id']}", f"/api/inventories/{lot['_id']}"
    refused(admin.delete(order), "Order has 1 withdrawal")
    refused(admin.delete(lots), "Inventory has 1 pending withdrawal")
    assert admin.get(lots).data["quantity"] == 3
    rejected = admin.patch(f"/api/withdrawals/{taken['_id']}", {"status": "rejected"})
    assert rejected.status == 200
    assert admin.delete(order).status == 200
    assert admin.delete(lots).status == 200


def test_a_withdrawal_that_is_deleted_gives_back_once_and_is_forgotten(admin, workshop):
    day = line(admin, workshop)
    lot = {"material": day.material, "stockType": "Raw", "quantity": 5, "location": "A"}
    lot = admin.post("/api/inventories", lot).data["_id"]
    body = {"material": day.material, "quantity": 2, "stockType": "Raw"}
    taken = admin.post("/api/withdrawals", body).data["_id"]
    order = f"/api/orders/{day.order['_id']}"
    assert admin.patch(order, {"withdrawal": taken}).data["withdrawal"] == taken
    assert admin.delete(f"/api/withdrawals/{taken}").status == 200
    assert admin.delete(f"/api/withdrawals/{taken}").status == 404
    assert admin.get(f"/api/inventories/{lot}").data["quantity"] == 5
    assert admin.get(order).data["withdrawal"] is None


def test_a_deleted_worker_takes_along_what_was_only_for_them(admin, workshop):
    found = str(workshop.worker().pk)
    body = {"recipient": found, "type": "a", "title": "b"}
    kept = admin.post("/api/notifications", {**body, "recipient": admin.id}).data
    gone = admin.post("/api/notifications", body).data
    assert admin.delete(f"/api/workers/{found}").status == 200
    assert BY_NAME["Notification"].objects(pk=gone["_id"]).first() is None
    assert BY_NAME["Notification"].objects(pk=kept["_id"]).first() is not None


def test_an_unknown_id_keeps_all_of_a_bulk(admin, workshop):
    free = str(workshop.customer().pk)
    answer = admin.delete("/api/customers", {"ids": [free, "0" * 24]})
    assert (answer.status, answer.message) == (404, "Customer not found")
    assert admin.get(f"/api/customers/{free}").status == 200
