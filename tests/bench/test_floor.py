"""The floor leaves the documents that the service leaves, but for ids, times, numbers."""

from datetime import datetime

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from bench.floor import operations
from bench.floor.store import PREFIX, FloorStore
from bench.table.items import SCAN_BEFORE
from concurrency import run_concurrently
from glassflow.models import derived
from scenarios import bring_to_lamination, order_with_panes, order_with_units
from waiting import wait_until


@pytest.fixture
def floor(store, admin):
    """The floor's operations, on the store of the tests."""
    made = FloorStore(store, get_db().name)
    made.prepare()

    def run(name, /, **item):
        operations.build(made, ObjectId(admin.id))[name](item)
        made.wait_until_published()

    yield run
    made.close()
    for name in ("counters", "event_log", "outbox"):
        get_db()[PREFIX + name].drop()


def form(value):
    """Return a document without what differs between two records of one form.

    Nor has it the derived fields, which the floor does without.
    """
    if isinstance(value, dict):
        kept = ((key, one) for key, one in value.items() if key not in derived.NAMES)
        members = [(form(key), form(inner)) for key, inner in kept]
        return sorted(members, key=repr)
    if isinstance(value, list):
        return [form(inner) for inner in value]
    if isinstance(value, (ObjectId, datetime)):
        return type(value).__name__
    if isinstance(value, str):
        is_own = ObjectId.is_valid(value) or "-" in value or len(value) == 32
        return "own" if is_own else value
    return value


def stored(collection, **query):
    return sorted((form(row) for row in get_db()[collection].find(query)), key=repr)


def event_names(collection, after=0):
    rows = get_db()[collection].find({"name": {"$ne": ""}, "seq": {"$gt": after}})
    return sorted(row["name"] for row in rows)


def last_event():
    wait_until(lambda: get_db().outbox.find_one() is None)
    newest = get_db().event_log.find_one(sort=[("seq", -1)])
    return newest["seq"] if newest else 0


def documents_of(job):
    order = ObjectId(job.order["_id"])
    return {
        "orders": stored("orders", _id=order),
        **{name: stored(name, order=order) for name in ("panes", "pane_logs")},
    }


@pytest.mark.parametrize("action", SCAN_BEFORE)
def test_scan_of_the_floor_leaves_the_documents_and_events_of_the_service(
    admin, workshop, floor, action
):
    jobs = [order_with_panes(admin, workshop, panes=2) for _ in range(2)]
    for job in jobs:
        for before in SCAN_BEFORE[action]:
            admin.scan(job.numbers[0], before, station=job.stations[0])
    after = last_event()
    fields = {"reason": "broken"} if action == "qc_fail" else {}
    item = {"action": action, **fields}
    by_service, by_floor = jobs
    given = {**item, "station": by_service.stations[0]}
    path = f"/api/panes/{by_service.numbers[0]}/scan"
    assert admin.post(path, given).status == 200
    last_event()
    floor(
        "qc_fail" if action == "qc_fail" else "scan",
        number=by_floor.numbers[0],
        station=by_floor.stations[0],
        **item,
    )
    assert documents_of(by_floor) == documents_of(by_service)
    assert event_names(f"{PREFIX}event_log") == event_names("event_log", after)


def test_lamination_of_the_floor_leaves_the_documents_of_the_service(
    admin, workshop, floor
):
    jobs = [order_with_units(admin, workshop, before=0) for _ in range(2)]
    for job in jobs:
        for sheet in job.sheets[0]:
            bring_to_lamination(admin, sheet, job)
    by_service, by_floor = jobs
    station = by_service.lamination_station
    scanned = admin.scan(by_service.sheets[0][0], "laminate", station=station)
    assert scanned.status == 200
    floor(
        "laminate",
        number=by_floor.sheets[0][0],
        action="laminate",
        station=by_floor.lamination_station,
    )
    assert documents_of(by_floor) == documents_of(by_service)


def test_batch_of_the_floor_leaves_the_documents_of_the_service(admin, workshop, floor):
    by_service, by_floor = (
        order_with_panes(admin, workshop, panes=3) for _ in range(2)
    )
    body = {"action": "scan_in", "station": by_service.stations[0]}
    path = "/api/panes/batch-scan"
    assert admin.post(path, {**body, "paneNumbers": by_service.numbers}).status == 200
    station = by_floor.stations[0]
    floor("batch", action="scan_in", station=station, numbers=by_floor.numbers)
    assert documents_of(by_floor) == documents_of(by_service)


def test_request_of_the_floor_leaves_the_documents_of_the_service(
    admin, workshop, floor
):
    customer = str(workshop.customer().pk)
    routing = [str(one.pk) for one in workshop.stations(2)]
    body = {
        "customer": customer,
        "details": {"type": "window", "quantity": 3},
        "panes": [{"routing": routing}] * 3,
    }
    made = ObjectId(admin.post("/api/requests", body).data["_id"])
    floor("request", customer=customer, routing=routing, panes=3)
    requests = get_db().requests.find({"_id": {"$ne": made}})
    [other] = [row["_id"] for row in requests]
    assert stored("requests", _id=other) == stored("requests", _id=made)
    assert stored("panes", request=other) == stored("panes", request=made)


@pytest.mark.parametrize(
    ("collection", "operation", "given"),
    [("customers", "customer", {}), ("stations", "station", {"position": 1})],
)
def test_change_of_the_floor_leaves_the_documents_of_the_service(
    admin, workshop, floor, collection, operation, given
):
    create = getattr(workshop, operation)
    by_service, by_floor = (create(name="one name", **given).pk for _ in range(2))
    path = f"/api/{collection}/{by_service}"
    assert admin.patch(path, {"notes": "changed"}).status == 200
    floor(operation, id=str(by_floor), notes="changed")
    assert stored(collection, _id=by_floor) == stored(collection, _id=by_service)


def test_customer_of_the_floor_has_the_form_of_the_services(admin, floor):
    made = ObjectId(admin.post("/api/customers", {"name": "one name"}).data["_id"])
    floor("new_customer", name="one name")
    by_floor = stored("customers", _id={"$ne": made})
    assert by_floor == stored("customers", _id=made)


def test_scans_of_the_floor_in_one_order_at_once_are_all_counted(
    admin, workshop, floor
):
    job = order_with_panes(admin, workshop, panes=6)
    for number in job.numbers:
        admin.scan(number, "complete", station=job.stations[0])
    given = {"action": "scan_out", "station": job.stations[0]}
    run_concurrently(
        [lambda number=n: floor("scan", number=number, **given) for n in job.numbers]
    )
    order = get_db().orders.find_one({"_id": ObjectId(job.order["_id"])})
    assert order["stationBreakdown"] == {job.stations[1]: 6}
