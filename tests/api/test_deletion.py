"""Deleting: what would orphan live work stays, and says what keeps it."""

import pytest

from glassflow.services import policy
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


def test_deleting_with_dependents_is_not_built_yet(admin, workshop):
    day = line(admin, workshop)
    before = policy.current()
    policy.configure(policy.Policy(delete_policy="cascade"))
    try:
        assert admin.delete(f"/api/customers/{day.customer}").status == 501
        free = str(workshop.customer().pk)
        assert admin.delete(f"/api/customers/{free}").status == 200
    finally:
        policy.configure(before)
    assert admin.get(f"/api/customers/{day.customer}").status == 200


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


def test_orders_and_panes_with_a_claim_stay(admin, workshop):
    day = line(admin, workshop)
    body = {
        "source": "worker",
        "material": day.material,
        "description": "แตก",
        "reportedBy": admin.id,
        "pane": day.panes[0]["_id"],
    }
    assert admin.post(f"/api/orders/{day.order['_id']}/claims", body).status == 201
    refused(admin.delete(f"/api/orders/{day.order['_id']}"), "Order has 1 claim")
    refused(admin.delete(f"/api/panes/{day.panes[0]['_id']}"), "Pane has 1 claim")
    assert admin.delete(f"/api/requests/{day.request['_id']}").status == 409
    assert len(admin.get("/api/panes").data) == 1
