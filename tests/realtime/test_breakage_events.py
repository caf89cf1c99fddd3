"""Events of lamination, failures, remakes and claims: recipients, number and shape."""

import pytest

from lookups import pane_of
from scenarios import (
    bring_to_lamination,
    order_with_panes,
    order_with_units,
    pass_station,
)

ROOMS = ("join_dashboard", "join_pane", "join_production", "join_order", "join_claim")


def payloads_of(events, name):
    return [payload for event, payload in events if event == name]


def summary(events):
    """The events as sorted (event, action) pairs; the action may be None."""
    pairs = [(event, payload.get("action")) for event, payload in events]
    return sorted(pairs, key=str)


def sheet_event(events):
    """The only event about the sheets of a unit, and its payload."""
    (found,) = [pair for pair in events if pair[0].startswith("laminate:")]
    return found


@pytest.fixture
def watcher(admin, screen):
    return screen(admin, *ROOMS, "join_log", "join_station")


@pytest.mark.slow
def test_arriving_sheets_publish_waiting_and_finally_ready(
    admin, worker, workshop, screen
):
    job = order_with_units(admin, workshop, sheets=3, before=0)
    parent = pane_of(admin, job.parents[0])
    station, dashboard = (
        screen(admin).join_station(job.lamination_station),
        screen(admin, *ROOMS),
    )
    kinds = []
    for count, sheet in enumerate(job.sheets[0], start=1):
        act = lambda sheet=sheet: worker.scan(sheet, "scan_in")  # noqa: E731
        start = len(dashboard.received)
        event, payload = sheet_event(station.catch_up(admin).events_during(admin, act))
        assert payload == {
            "parentPaneNumber": parent["paneNumber"],
            "parentPaneId": parent["_id"],
            "sheetsPresent": count,
            "sheetsTotal": 3,
        }
        kinds.append(event)
        dashboard.catch_up(admin)
        everywhere = payloads_of(dashboard.received[start:], "laminate:ready")
        assert everywhere == ([payload] if event == "laminate:ready" else [])
        assert not payloads_of(dashboard.received[start:], "laminate:waiting")
    assert kinds == ["laminate:waiting", "laminate:waiting", "laminate:ready"]


@pytest.mark.slow
@pytest.mark.parametrize("action", ["complete", "start"])
def test_scan_that_implies_a_scan_in_counts_as_an_arrival(
    admin, worker, workshop, screen, action
):
    job = order_with_units(admin, workshop, before=0)
    station = screen(admin).join_station(job.lamination_station)
    a, b = job.sheets[0]
    worker.scan(a, action)
    assert sheet_event(
        station.catch_up(admin).events_during(admin, lambda: worker.scan(b, action))
    )[0] == ("laminate:ready")
    events = station.catch_up(admin).events_during(
        admin, lambda: worker.scan(b, "complete", description="x")
    )
    assert not [name for name, _ in events if name.startswith("laminate:")]


def test_batch_publishes_the_sheets_of_each_unit_once(admin, worker, workshop, screen):
    job = order_with_units(admin, workshop, count=2, before=0)
    station = screen(admin).join_station(job.lamination_station)
    numbers = [*job.sheets[0], job.sheets[1][0]]
    body = {"paneNumbers": numbers, "action": "scan_in"}
    events = station.catch_up(admin).events_during(
        admin, lambda: worker.post("/api/panes/batch-scan", body)
    )
    found = [name for name, _ in events if name.startswith("laminate:")]
    assert found == ["laminate:ready", "laminate:waiting"]


def test_lamination_publishes_one_event_and_each_changed_record(
    admin, worker, workshop, watcher
):
    job = order_with_units(admin, workshop, before=0)
    (a, b), (parent,) = job.sheets[0], job.parents
    for sheet in (a, b):
        worker.scan(sheet, "scan_in")
    events = watcher.catch_up(admin).events_during(
        admin, lambda: worker.scan(a, "laminate")
    )
    assert summary(events) == [
        ("log:updated", "pane_scanned"),
        ("order:updated", "updated"),
        ("pane:laminated", None),
        ("pane:updated", "scanned"),
        ("pane:updated", "updated"),
        ("pane:updated", "updated"),
    ]
    (payload,) = payloads_of(events, "pane:laminated")
    assert set(payload) == {"survivor", "parent", "retiredPaneNumbers", "sheets"}
    assert payload["retiredPaneNumbers"] == [b, parent]
    assert payload["sheets"] == [a, b]
    assert payload["survivor"] == payload["parent"]
    survivor = payload["survivor"]
    shown = admin.get(f"/api/panes/{a}", populate="true").data
    shown["order"].pop("paneCount")  # of readers who hold orders:view
    assert survivor == shown
    assert (survivor["laminateRole"], survivor["currentStatus"]) == (
        "single",
        "awaiting_scan_out",
    )
    assert survivor["currentStation"]["_id"] == job.lamination_station
    changed = {
        (one["data"]["paneNumber"], one["data"]["currentStatus"], one["action"])
        for one in payloads_of(events, "pane:updated")
    }
    assert changed == {
        (a, "awaiting_scan_out", "scanned"),
        (b, "merged_into", "updated"),
        (parent, "merged_into", "updated"),
    }


def test_lamination_station_receives_events_of_all_sheets(
    admin, worker, workshop, screen
):
    job = order_with_units(admin, workshop, before=0)
    for sheet in job.sheets[0]:
        worker.scan(sheet, "scan_in")
    station = screen(admin).join_station(job.lamination_station)
    events = station.catch_up(admin).events_during(
        admin, lambda: worker.scan(job.sheets[0][0], "laminate")
    )
    assert len(payloads_of(events, "pane:updated")) == 3
    assert len(payloads_of(events, "pane:laminated")) == 1


@pytest.mark.slow
def test_failure_publishes_the_pane_and_its_remake(
    admin, worker, workshop, watcher, screen
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    worker.scan(number, "complete")
    first, second = (
        screen(admin).join_station(one).catch_up(admin) for one in job.stations
    )
    before = len(second.received)
    events = watcher.catch_up(admin).events_during(
        admin, lambda: worker.scan(number, "qc_fail", reason="broken")
    )
    assert summary(events) == [
        ("log:updated", "created"),  # of the material
        ("log:updated", "pane_scanned"),
        ("order:updated", "updated"),
        ("pane:updated", "created"),
        ("pane:updated", "qc_failed"),
        ("station:pane_arrived", None),
    ]
    failed = payloads_of(events, "pane:updated")[0]
    assert (failed["action"], failed["data"]["paneNumber"]) == ("qc_failed", number)
    remake = payloads_of(events, "pane:updated")[1]["data"]
    assert remake["remakeOf"] == failed["data"]["_id"]
    assert payloads_of(events, "station:pane_arrived") == [
        {
            "paneNumber": remake["paneNumber"],
            "paneId": remake["_id"],
            "fromStation": job.stations[1],
            "toStation": job.stations[0],
            "orderId": job.order["_id"],
            "isRemake": True,
        }
    ]
    for station in (first, second):
        station.catch_up(admin)
    (note,) = [
        n for n in payloads_of(first.received, "notification") if n["type"] != "mark"
    ]
    assert (note["type"], note["title"]) == ("pane_arrived", "มีกระจกเข้าสถานี")
    assert remake["paneNumber"] in note["message"]
    gone = payloads_of(second.received[before:], "pane:updated")
    assert [one["action"] for one in gone] == ["qc_failed"]


def test_assignee_receives_a_notification_of_a_failure(
    admin, worker, manager, workshop, screen
):
    job = order_with_panes(admin, workshop, assignedTo=manager.id)
    worker.scan(job.numbers[0], "complete")
    mine = screen(manager)
    events = mine.events_during(
        admin, lambda: worker.scan(job.numbers[0], "qc_fail", reason="stain")
    )
    (payload,) = payloads_of(events, "notification")
    assert payload["type"] == "qc_remake"
    assert payload["recipient"]["username"] == manager.worker.username


def test_failed_sheet_publishes_its_parent(admin, worker, workshop, watcher):
    job = order_with_units(admin, workshop, before=1)
    worker.scan(job.sheets[0][0], "complete")
    events = watcher.catch_up(admin).events_during(
        admin, lambda: worker.scan(job.sheets[0][0], "qc_fail", reason="stain")
    )
    actions = [one["action"] for one in payloads_of(events, "pane:updated")]
    assert sorted(actions) == ["created", "qc_failed", "updated"]
    assert len(payloads_of(events, "station:pane_arrived")) == 1


@pytest.mark.slow
def test_remade_unit_publishes_the_arrival_of_each_sheet(
    admin, worker, workshop, watcher
):
    job = order_with_units(admin, workshop, before=1)
    for sheet in job.sheets[0]:
        bring_to_lamination(worker, sheet, job)
    number = job.sheets[0][0]
    worker.scan(number, "laminate")
    events = watcher.catch_up(admin).events_during(
        admin, lambda: worker.scan(number, "qc_fail", reason="stain")
    )
    actions = [one["action"] for one in payloads_of(events, "pane:updated")]
    assert sorted(actions) == ["created", "created", "created", "qc_failed"]
    arrived = payloads_of(events, "station:pane_arrived")
    assert [one["toStation"] for one in arrived] == [job.stations[0]] * 2
    assert {one["isRemake"] for one in arrived} == {True}
    assert len(payloads_of(events, "order:updated")) == 1


@pytest.mark.slow
def test_claim_and_its_decision_publish_the_changed_records(
    admin, worker, workshop, watcher, screen
):
    job = order_with_panes(admin, workshop)
    station = screen(admin).join_station(job.stations[0])
    body = {"source": "worker", "description": "x", "reportedBy": worker.id}
    made = []
    station.catch_up(admin)
    start = len(station.received)

    def claim():
        fields = {**body, "paneNumber": job.numbers[0]}
        made.append(worker.post("/api/claims/from-pane", fields).data)

    events = watcher.catch_up(admin).events_during(admin, claim)
    assert summary(events) == [
        ("claim:updated", "created"),
        ("order:updated", "updated"),
        ("pane:updated", "updated"),
    ]
    assert payloads_of(events, "pane:updated")[0]["data"]["currentStatus"] == "claimed"
    station.catch_up(admin)
    events_there = payloads_of(station.received[start:], "pane:updated")
    assert len(events_there) == 1  # where it was taken from

    def approve():
        path = f"/api/claims/{made[0]['_id']}"
        assert admin.patch(path, {"status": "approved"}).status == 200

    events = watcher.catch_up(admin).events_during(admin, approve)
    assert summary(events) == [
        ("claim:updated", "updated"),
        ("log:updated", "created"),
        ("order:updated", "updated"),
        ("pane:updated", "created"),
        ("pane:updated", "updated"),
        ("station:pane_arrived", None),
    ]


def test_rejected_claim_publishes_the_pane_at_its_station(
    admin, worker, workshop, screen
):
    job = order_with_panes(admin, workshop)
    body = {"source": "worker", "description": "x", "reportedBy": worker.id}
    fields = {**body, "paneNumber": job.numbers[0]}
    made = worker.post("/api/claims/from-pane", fields).data
    station = screen(admin).join_station(job.stations[0])
    events = station.catch_up(admin).events_during(
        admin,
        lambda: admin.patch(f"/api/claims/{made['_id']}", {"status": "rejected"}),
    )
    (back,) = payloads_of(events, "pane:updated")
    assert back["data"]["currentStation"] == job.stations[0]


def test_refused_changes_publish_nothing(admin, worker, workshop, watcher):
    job = order_with_units(admin, workshop, before=0)
    a, b = job.sheets[0]
    worker.scan(a, "scan_in")

    def refused():
        assert worker.scan(a, "laminate").status == 400
        assert worker.scan(b, "qc_fail", reason="stain").status == 400
        body = {"source": "worker", "description": "x", "reportedBy": worker.id}
        fields = {**body, "paneNumber": job.parents[0]}
        assert worker.post("/api/claims/from-pane", fields).status == 400

    assert watcher.catch_up(admin).events_during(admin, refused) == []


def test_records_in_events_are_populated_by_the_setting(
    admin, worker, workshop, screen, setting
):
    setting(EXPAND_REFERENCES=True)
    job = order_with_panes(admin, workshop)
    lot = {"material": job.material, "stockType": "Raw", "location": "A", "quantity": 2}
    stored = admin.post("/api/inventories", lot).data
    watcher = screen(admin, "join_log", "join_inventory").catch_up(admin)

    def act():
        worker.scan(job.numbers[0], "scan_in")
        path = f"/api/inventories/{stored['_id']}/move"
        assert admin.post(path, {"quantity": 1, "toLocation": "B"}).status == 200

    events = watcher.events_during(admin, act)
    (scanned,) = [
        s for s in payloads_of(events, "log:updated") if s["action"] == "pane_scanned"
    ]
    assert scanned["data"]["paneLog"]["pane"]["paneNumber"] == job.numbers[0]
    (moved,) = payloads_of(events, "inventory:updated")
    for name in ("source", "target"):
        assert moved["data"][name]["material"]["_id"] == job.material
