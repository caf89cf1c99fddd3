"""The activity of the workshop: who did what when, from the history of all records."""

from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from glassflow.blueprints import RESOURCES
from glassflow.blueprints.activity import LOGS
from glassflow.core.events import history
from glassflow.services.reports import activity as service
from scenarios import order_with_panes


def activity(api, **query):
    return api.get("/api/activity", **query).data["entries"]


def told(entries):
    """The kind, the action and the number of records of each entry."""
    return [(one["kind"], one["action"], one["count"]) for one in entries]


def test_activity_names_who_did_what_to_which_record(admin, own_history):
    made = admin.post("/api/customers", {"name": "สมพงษ์", "phone": "1"}).data["_id"]
    admin.patch(f"/api/customers/{made}", {"phone": "2"})
    admin.delete(f"/api/customers/{made}")
    entries = activity(admin, populate="true")
    actions = [("customers", one, 1) for one in ("deleted", "updated", "created")]
    assert told(entries) == actions
    assert {one["by"]["_id"] for one in entries} == {admin.id}
    assert {one["via"] for one in entries} == {"token"}
    record = {"_id": made, "name": "สมพงษ์", "exists": False}
    deletion, change, creation = entries
    assert deletion["records"] == [{**record, "isRestorable": True}]
    assert (
        change["records"] == creation["records"] == [{**record, "isRestorable": False}]
    )
    assert change["changes"] == [{"field": "phone", "from": "1", "to": "2"}]
    assert admin.post(f"/api/customers/{made}/restore").status == 201
    entries = activity(admin, limit=2)
    assert told(entries) == [("customers", "restored", 1), ("customers", "deleted", 1)]
    assert entries[1]["records"] == [{**record, "exists": True, "isRestorable": False}]


def test_value_of_another_shape_than_the_field_has_today_is_shown_as_it_is(
    admin, own_history
):
    """A release may change what a field holds; the history keeps what was stored."""
    admin.post("/api/customers", {"name": "สมพงษ์"})
    activity(admin)  # writes the history
    for stored in (7, ["a text"]):
        get_db()[history.COLLECTION].update_one(
            {"kind": "Customer"}, {"$set": {"now.deliveryAddresses": stored}}
        )
        [creation] = activity(admin)
        changes = {one["field"]: one["to"] for one in creation["changes"]}
        assert changes["deliveryAddresses"] == stored


def test_what_a_request_does_to_many_records_is_one_entry(admin, workshop, own_history):
    panes = service.MAX_RECORDS + 1
    job = order_with_panes(admin, workshop, panes=panes)
    entries = activity(admin, kind="requests,panes,orders")
    # the order adopts the panes
    assert told(entries) == [
        ("orders", "created", 1),
        ("panes", "updated", panes),
        ("panes", "created", panes),
        ("requests", "created", 1),
    ]
    (named,) = [one for one in entries if one["action"] == "updated"]
    assert len(named["records"]) == service.MAX_RECORDS
    assert {one["name"] for one in named["records"]} <= set(job.numbers)
    assert named["changes"] == []


def test_scans_and_what_follows_from_them_are_listed_only_where_they_are_asked_for(
    admin, worker, workshop, own_history
):
    job = order_with_panes(admin, workshop)
    before = told(activity(admin))
    for action in ("scan_in", "complete", "scan_out"):
        assert worker.scan(job.numbers[0], action).status == 200
    later = told(activity(admin))
    # the order is in progress; its figures are no news
    assert later == [("orders", "updated", 1), *before]
    scans = activity(admin, action="scanned", populate="true")
    assert told(scans) == [("panes", "scanned", 1)] * 3
    assert {one["records"][0]["name"] for one in scans} == {job.numbers[0]}
    assert {one["by"]["_id"] for one in scans} == {worker.id}


def test_activity_is_filtered_by_person_kind_action_and_day(
    admin, manager, clock_at, own_history
):
    begin = clock_at(0)
    first = admin.post("/api/customers", {"name": "a"}).data["_id"]
    manager.post("/api/materials", {"name": "b", "unit": "x", "reorderPoint": 1})
    later = clock_at(24 * 3600)
    manager.delete(f"/api/customers/{first}")
    of_manager = [one["kind"] for one in activity(admin, by=manager.id)]
    assert of_manager == ["customers", "materials"]
    assert told(activity(admin, action="deleted")) == [("customers", "deleted", 1)]
    assert told(activity(admin, kind="materials")) == [("materials", "created", 1)]
    assert activity(admin, by=admin.id, action="deleted") == []
    day = str((begin + timedelta(hours=7)).date())  # of Asia/Bangkok
    of_day = activity(admin, at_gte=day, at_lte=day)
    assert told(of_day) == [("materials", "created", 1), ("customers", "created", 1)]
    assert told(activity(admin, at_gte=f"{later.isoformat()}Z")) == told(
        activity(admin, action="deleted")
    )


def test_activity_is_read_in_parts_without_gaps_or_repeats(
    admin, own_history, monkeypatch
):
    monkeypatch.setattr(service, "PORTION", 3)
    monkeypatch.setattr(service, "MAX_ROWS", 6)
    names = [f"c{n}" for n in range(20)]
    for name in names:
        admin.post("/api/customers", {"name": name})
    found, before = [], None
    while True:
        query = {"limit": 4, **({"before": before} if before is not None else {})}
        answer = admin.get("/api/activity", **query).data
        found += [one["records"][0]["name"] for one in answer["entries"]]
        before = answer["next"]
        if before is None:
            break
    assert found == names[::-1]


def test_caller_sees_the_kinds_that_they_may_read(
    admin, client_with_keys, workshop, own_history
):
    job = order_with_panes(admin, workshop)
    admin.delete(f"/api/requests/{job.request['_id']}")
    clerk = client_with_keys("requests:view", "customers:manage")
    entries = activity(clerk, populate="true")
    assert {one["kind"] for one in entries} == {"requests"}
    # neither who did it nor what was referred to, which they may not read either
    assert {one["by"] for one in entries} == {admin.id}
    assert [one["records"][0]["isRestorable"] for one in entries] == [False, False]
    assert activity(clerk, kind="orders") == []
    assert activity(client_with_keys()) == []


def test_names_of_hidden_fields_are_for_those_who_manage_the_record(
    admin, client_with_keys, workshop, own_history
):
    worker = workshop.worker()
    admin.patch(f"/api/workers/{worker.pk}", {"password": "a new password 7"})
    assert "passwordHash" in activity(admin, kind="workers")[0]["hidden"]
    assert activity(client_with_keys("workers:view"), kind="workers") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"kind": "customers,nonsense"}, "kind"),
        ({"action": "painted"}, "action"),
        ({"by": "somchai"}, "by"),
        ({"at_gte": "yesterday"}, "at_gte"),
        ({"at_lte": "2026-13-01"}, "at_lte"),
        ({"before": "-1"}, "before"),
    ],
)
def test_impossible_filter_is_refused(admin, query, field):
    assert list(admin.get("/api/activity", **query).faults) == [field]


def test_every_resource_with_a_history_can_be_asked_for(admin):
    with_history = {one.name for one in RESOURCES if one.model.has_history}
    for name in with_history:
        answer = admin.get("/api/activity", kind=name)
        assert answer.status == (400 if name in LOGS else 200), name


def test_unknown_parameter_is_told(admin):
    (warning,) = admin.get("/api/activity", person="x").body["warnings"]
    assert warning["field"] == "person"
