"""A record that is sent back as it was read: nothing is stored, nothing published."""

import pytest

from lookups import pane_of
from scenarios import (
    RESOURCES,
    claim_pane,
    claim_under_order,
    order_with_panes,
    order_with_units,
    pass_station,
    valid_bodies,
)
from stock_api import assert_stock_matches_ledger, create_lot, quantities_of, withdraw


@pytest.fixture
def published(app, monkeypatch):
    """The changes that requests publish, as kind and action."""
    changes, runtime = [], app.extensions["runtime"]
    publish = runtime.publish_soon

    def record_and_publish(batches):
        changes.extend(
            (getattr(entry, "kind", "message"), getattr(entry, "action", entry))
            for batch in batches
            for entry in batch.entries
        )
        publish(batches)

    monkeypatch.setattr(runtime, "publish_soon", record_and_publish)
    return changes


@pytest.fixture
def assert_sent_back(published):
    """Sends a record back as it is read, with PATCH or PUT, and finds no change."""

    def send_back(api, path, method="PATCH"):
        record = api.get(path).data
        published.clear()
        answer = api.call(method, path, json=record)
        assert answer.status == 200, answer
        assert answer.data == record
        assert api.get(path).data == record
        assert published == []

    return send_back


@pytest.mark.parametrize("name", RESOURCES)
def test_new_record(admin, workshop, name, assert_sent_back):
    bodies = {each[0]: each for each in valid_bodies(workshop).values()}
    _, body, change = bodies[name]
    path = f"/api/{name}/{admin.post(f'/api/{name}', body).data['_id']}"
    assert_sent_back(admin, path)
    assert admin.patch(path, change).status == 200
    assert_sent_back(admin, path)
    assert admin.patch(path, {}).data["version"] == 2


def test_pricing_settings(admin, manager, assert_sent_back):
    path = "/api/pricing-settings"
    assert_sent_back(admin, path, "PUT")
    changed = admin.put(path, {"notchPrice": 7}).data
    assert changed["updatedBy"] == admin.id
    assert_sent_back(manager, path, "PUT")


def test_limits_of_making(admin, assert_sent_back):
    path = "/api/makeability"
    assert_sent_back(admin, path, "PUT")
    assert admin.put(path, {"isStrict": True}).data["updatedBy"] == admin.id
    assert_sent_back(admin, path, "PUT")


def test_rules_of_cutting(admin, assert_sent_back):
    path = "/api/cutting-rules"
    assert_sent_back(admin, path, "PUT")
    rules = {"common": {"scrapAfterDays": None}, "byThickness": [{"thickness": 6}]}
    assert admin.put(path, rules).data["updatedBy"] == admin.id
    assert_sent_back(admin, path, "PUT")


def test_workshop_itself(admin, assert_sent_back):
    path = "/api/workshop"
    assert_sent_back(admin, path, "PUT")
    assert admin.put(path, {"name": "กระจก"}).data["updatedBy"] == admin.id
    assert_sent_back(admin, path, "PUT")


def test_own_worker(worker, assert_sent_back):
    record = worker.get("/api/auth/me").data
    own = {"name": record["name"], "username": record["username"]}
    answer = worker.patch("/api/auth/me", own)
    assert (answer.status, answer.data) == (200, record)


def test_roles_and_deactivated_workers(admin, workshop, assert_sent_back):
    assert_sent_back(admin, f"/api/roles/{workshop.roles['admin'].pk}")
    left = workshop.worker()
    path = f"/api/workers/{left.pk}"
    admin.patch(path, {"isActive": False})
    assert_sent_back(admin, path)


def test_panes_in_work_with_their_order_and_request(admin, workshop, assert_sent_back):
    """The route returns to a station, so a station does not say which step it is."""
    job = order_with_panes(
        admin, workshop, steps=2, route=(0, 1, 0), panes=3, stations=[]
    )
    first, second, third = job.numbers
    pass_station(admin, first, job.stations[0])
    pass_station(admin, first, job.stations[1])
    pass_station(admin, second, job.stations[0])
    assert claim_pane(admin, third).status == 201
    details = {"deadline": "2030-01-01T00:00:00Z", "deliveryLocation": "B"}
    admin.patch(f"/api/requests/{job.request['_id']}", details)
    history = [{"station": job.stations[0], "enteredAt": "2029-01-01T00:00:00Z"}]
    order = f"/api/orders/{job.order['_id']}"
    admin.patch(order, {"stations": job.stations, "stationHistory": history})
    for path in (
        *(f"/api/panes/{number}" for number in job.numbers),
        order,
        f"/api/requests/{job.request['_id']}",
    ):
        assert_sent_back(admin, path)
    pass_station(admin, first, job.stations[0])
    assert pane_of(admin, first)["currentStatus"] == "completed"
    assert_sent_back(admin, f"/api/panes/{first}")


def test_unit_before_and_after_its_lamination(admin, workshop, assert_sent_back):
    job = order_with_units(admin, workshop, before=0)
    numbers = [*job.parents, *job.sheets[0]]
    for number in numbers:
        assert_sent_back(admin, f"/api/panes/{number}")
    for sheet in job.sheets[0]:
        admin.scan(sheet, "scan_in")
        admin.scan(sheet, "complete")
    assert admin.scan(job.sheets[0][0], "laminate").status == 200
    for number in numbers:
        assert_sent_back(admin, f"/api/panes/{number}")


def test_cancelled_request_with_its_order_and_panes(admin, workshop, assert_sent_back):
    job = order_with_panes(admin, workshop)
    path = f"/api/requests/{job.request['_id']}"
    assert admin.patch(path, {"status": "cancelled"}).status == 200
    assert_sent_back(admin, path)
    assert_sent_back(admin, f"/api/orders/{job.order['_id']}")
    assert_sent_back(admin, f"/api/panes/{job.numbers[0]}")


def test_pending_claim(admin, workshop, assert_sent_back):
    job = order_with_panes(admin, workshop)
    claim = claim_under_order(admin, job)
    assert_sent_back(admin, f"/api/claims/{claim['_id']}")


@pytest.mark.parametrize("status", ["approved", "rejected"])
def test_decided_claim(admin, workshop, assert_sent_back, status):
    job = order_with_panes(admin, workshop)
    claim = claim_under_order(admin, job)
    path = f"/api/claims/{claim['_id']}"
    assert admin.patch(path, {"status": status}).status == 200
    assert_sent_back(admin, path)


@pytest.mark.parametrize("status", ["pending", "approved", "rejected"])
def test_withdrawal_with_its_lot_and_ledger_entries(
    admin, workshop, assert_sent_back, status
):
    lot = create_lot(admin, workshop.material(), 5)
    taken = withdraw(admin, lot, 2).data
    path = f"/api/withdrawals/{taken['_id']}"
    if status != "pending":
        assert admin.patch(path, {"status": status}).status == 200
    assert_sent_back(admin, path)
    assert_sent_back(admin, f"/api/inventories/{lot['_id']}")
    for entry in admin.get("/api/material-logs").data:
        assert_sent_back(admin, f"/api/material-logs/{entry['_id']}")
    assert_stock_matches_ledger()


def test_quantity_that_was_read_before_a_withdrawal_is_refused(admin, workshop):
    lot = create_lot(admin, workshop.material(), 10)
    path = f"/api/inventories/{lot['_id']}"
    withdraw(admin, lot, 4)
    answer = admin.patch(path, {**lot, "location": "B-02"})
    present = admin.get(path).data
    assert (answer.status, answer.errors) == (
        409,
        {"code": "STALE", "version": present["version"]},
    )
    assert (present["quantity"], present["location"]) == (6, "A-01")
    changed = admin.patch(path, {"quantity": 9, "version": present["version"]})
    assert changed.data["quantity"] == 9
    assert_stock_matches_ledger()


def test_version_beside_other_fields_is_ignored(admin, workshop):
    lot = create_lot(admin, workshop.material(), 10)
    path = f"/api/inventories/{lot['_id']}"
    for version in (0, -1, "old", None):
        answer = admin.patch(path, {"location": f"C-{version}", "version": version})
        assert answer.status == 200, answer
        assert "warnings" not in answer.body
    assert admin.patch(path, {"quantity": 3, "version": None}).status == 200
    assert set(admin.patch(path, {"quantity": 3, "version": "old"}).faults) == {
        "version"
    }
    made = create_lot(admin, workshop.material(), 1, version=77)
    assert made["version"] == 1
    assert quantities_of(admin, lot) == [3]
    customer = admin.post("/api/customers", {"name": "a"}).data
    path = f"/api/customers/{customer['_id']}"
    assert admin.patch(path, {"name": "b", "version": 99}).status == 200


def test_finished_work_with_a_station_that_is_gone(
    admin, worker, workshop, assert_sent_back
):
    job = order_with_panes(admin, workshop)
    path, pane = f"/api/orders/{job.order['_id']}", f"/api/panes/{job.panes[0]['_id']}"
    assert admin.patch(path, {"stations": job.stations}).status == 200
    for station in job.stations:
        pass_station(worker, job.numbers[0], station)
    assert admin.delete(f"/api/stations/{job.stations[0]}").status == 200
    for one in (path, pane):
        assert_sent_back(admin, one)
    back = {"currentStatus": "pending", "currentStation": job.stations[1]}
    refused = admin.patch(pane, back)
    assert (refused.status, refused.errors["code"]) == (400, "STATION_GONE")
    opened = admin.patch(pane, {**back, "routing": job.stations[1:]})
    assert opened.data["currentStation"] == job.stations[1]
