"""Lamination, failures, remakes and claims: who hears what, once, with its shape."""

import pytest

from stories import line, through, to_the_press, units

FLOOR = ("join_dashboard", "join_pane", "join_production", "join_order", "join_claim")


def told(heard, event):
    return [said for name, said in heard if name == event]


def summary(heard):
    """What was heard, as sorted (event, action) pairs; an event without has None."""
    pairs = [(event, said.get("action")) for event, said in heard]
    return sorted(pairs, key=str)


def muster(heard):
    (found,) = [(name, said) for name, said in heard if name.startswith("laminate:")]
    return found


@pytest.fixture
def floor(admin, screen):
    return screen(admin, *FLOOR, "join_log", "join_station")


@pytest.mark.slow
def test_arriving_sheets_are_waited_for_and_then_ready(admin, worker, workshop, screen):
    day = units(admin, workshop, sheets=3, before=0)
    parent = admin.get(f"/api/panes/{day.parents[0]}").data
    station, dashboard = screen(admin).join_station(day.press), screen(admin, *FLOOR)
    kinds = []
    for count, sheet in enumerate(day.sheets[0], start=1):
        act = lambda sheet=sheet: worker.scan(sheet, "scan_in")  # noqa: E731
        start = len(dashboard.heard)
        event, said = muster(station.quiet(admin).during(admin, act))
        assert said == {
            "parentPaneNumber": parent["paneNumber"],
            "parentPaneId": parent["_id"],
            "sheetsPresent": count,
            "sheetsTotal": 3,
        }
        kinds.append(event)
        dashboard.quiet(admin)
        everywhere = told(dashboard.heard[start:], "laminate:ready")
        assert everywhere == ([said] if event == "laminate:ready" else [])
        assert not told(dashboard.heard[start:], "laminate:waiting")
    assert kinds == ["laminate:waiting", "laminate:waiting", "laminate:ready"]


@pytest.mark.slow
@pytest.mark.parametrize("action", ["complete", "start"])
def test_a_scan_that_implies_the_arrival_counts_as_one(
    admin, worker, workshop, screen, action
):
    day = units(admin, workshop, before=0)
    station = screen(admin).join_station(day.press)
    a, b = day.sheets[0]
    worker.scan(a, action)
    assert muster(station.quiet(admin).during(admin, lambda: worker.scan(b, action)))[
        0
    ] == ("laminate:ready")
    heard = station.quiet(admin).during(
        admin, lambda: worker.scan(b, "complete", description="x")
    )
    assert not [name for name, _ in heard if name.startswith("laminate:")]


def test_a_batch_musters_each_unit_once(admin, worker, workshop, screen):
    day = units(admin, workshop, count=2, before=0)
    station = screen(admin).join_station(day.press)
    numbers = [*day.sheets[0], day.sheets[1][0]]
    body = {"paneNumbers": numbers, "action": "scan_in"}
    heard = station.quiet(admin).during(
        admin, lambda: worker.post("/api/panes/batch-scan", body)
    )
    found = [name for name, _ in heard if name.startswith("laminate:")]
    assert found == ["laminate:ready", "laminate:waiting"]


def test_a_lamination_is_heard_once_with_all_that_it_changed(
    admin, worker, workshop, floor
):
    day = units(admin, workshop, before=0)
    (a, b), (parent,) = day.sheets[0], day.parents
    for sheet in (a, b):
        worker.scan(sheet, "scan_in")
    heard = floor.quiet(admin).during(admin, lambda: worker.scan(a, "laminate"))
    assert summary(heard) == [
        ("log:updated", "pane_scanned"),
        ("order:updated", "updated"),
        ("pane:laminated", None),
        ("pane:updated", "scanned"),
        ("pane:updated", "updated"),
        ("pane:updated", "updated"),
    ]
    (said,) = told(heard, "pane:laminated")
    assert set(said) == {"survivor", "parent", "retiredPaneNumbers", "sheets"}
    assert said["retiredPaneNumbers"] == [b, parent]
    assert said["sheets"] == [a, b]
    assert said["survivor"] == said["parent"]
    survivor = said["survivor"]
    assert survivor == admin.get(f"/api/panes/{a}", populate="true").data
    assert (survivor["laminateRole"], survivor["currentStatus"]) == (
        "single",
        "awaiting_scan_out",
    )
    assert survivor["currentStation"]["_id"] == day.press
    changed = {
        (one["data"]["paneNumber"], one["data"]["currentStatus"], one["action"])
        for one in told(heard, "pane:updated")
    }
    assert changed == {
        (a, "awaiting_scan_out", "scanned"),
        (b, "merged_into", "updated"),
        (parent, "merged_into", "updated"),
    }


def test_the_lamination_station_hears_of_all_its_sheets(
    admin, worker, workshop, screen
):
    day = units(admin, workshop, before=0)
    for sheet in day.sheets[0]:
        worker.scan(sheet, "scan_in")
    station = screen(admin).join_station(day.press)
    heard = station.quiet(admin).during(
        admin, lambda: worker.scan(day.sheets[0][0], "laminate")
    )
    assert len(told(heard, "pane:updated")) == 3
    assert len(told(heard, "pane:laminated")) == 1


@pytest.mark.slow
def test_a_failure_is_heard_with_its_remake(admin, worker, workshop, floor, screen):
    day = line(admin, workshop, steps=2)
    (number,) = day.numbers
    through(worker, number, day.stations[0])
    worker.scan(number, "complete")
    first, second = (
        screen(admin).join_station(one).quiet(admin) for one in day.stations
    )
    before = len(second.heard)
    heard = floor.quiet(admin).during(
        admin, lambda: worker.scan(number, "qc_fail", reason="broken")
    )
    assert summary(heard) == [
        ("log:updated", "created"),  # of the material
        ("log:updated", "pane_scanned"),
        ("order:updated", "updated"),
        ("pane:updated", "created"),
        ("pane:updated", "qc_failed"),
        ("station:pane_arrived", None),
    ]
    failed = told(heard, "pane:updated")[0]
    assert (failed["action"], failed["data"]["paneNumber"]) == ("qc_failed", number)
    remake = told(heard, "pane:updated")[1]["data"]
    assert remake["remakeOf"] == failed["data"]["_id"]
    assert told(heard, "station:pane_arrived") == [
        {
            "paneNumber": remake["paneNumber"],
            "paneId": remake["_id"],
            "fromStation": day.stations[1],
            "toStation": day.stations[0],
            "orderId": day.order["_id"],
            "isRemake": True,
        }
    ]
    for station in (first, second):
        station.quiet(admin)
    (note,) = [n for n in told(first.heard, "notification") if n["type"] != "mark"]
    assert (note["type"], note["title"]) == ("pane_arrived", "มีกระจกเข้าสถานี")
    assert remake["paneNumber"] in note["message"]
    gone = told(second.heard[before:], "pane:updated")
    assert [one["action"] for one in gone] == ["qc_failed"]


def test_the_assignee_is_told_of_a_failure_personally(
    admin, worker, manager, workshop, screen
):
    day = line(admin, workshop, assignedTo=manager.id)
    worker.scan(day.numbers[0], "complete")
    mine = screen(manager)
    heard = mine.during(
        admin, lambda: worker.scan(day.numbers[0], "qc_fail", reason="stain")
    )
    (said,) = told(heard, "notification")
    assert said["type"] == "qc_remake"
    assert said["recipient"]["username"] == manager.worker.username


def test_a_failed_sheet_tells_its_parent_too(admin, worker, workshop, floor):
    day = units(admin, workshop, before=1)
    worker.scan(day.sheets[0][0], "complete")
    heard = floor.quiet(admin).during(
        admin, lambda: worker.scan(day.sheets[0][0], "qc_fail", reason="stain")
    )
    actions = [one["action"] for one in told(heard, "pane:updated")]
    assert sorted(actions) == ["created", "qc_failed", "updated"]
    assert len(told(heard, "station:pane_arrived")) == 1


@pytest.mark.slow
def test_a_unit_made_again_arrives_sheet_by_sheet(admin, worker, workshop, floor):
    day = units(admin, workshop, before=1)
    for sheet in day.sheets[0]:
        to_the_press(worker, sheet, day)
    number = day.sheets[0][0]
    worker.scan(number, "laminate")
    heard = floor.quiet(admin).during(
        admin, lambda: worker.scan(number, "qc_fail", reason="stain")
    )
    actions = [one["action"] for one in told(heard, "pane:updated")]
    assert sorted(actions) == ["created", "created", "created", "qc_failed"]
    arrived = told(heard, "station:pane_arrived")
    assert [one["toStation"] for one in arrived] == [day.stations[0]] * 2
    assert {one["isRemake"] for one in arrived} == {True}
    assert len(told(heard, "order:updated")) == 1


@pytest.mark.slow
def test_a_claim_is_heard_with_its_pane_and_its_decision(
    admin, worker, workshop, floor, screen
):
    day = line(admin, workshop)
    station = screen(admin).join_station(day.stations[0])
    body = {"source": "worker", "description": "x", "reportedBy": worker.id}
    made = []
    station.quiet(admin)
    start = len(station.heard)

    def claim():
        said = {**body, "paneNumber": day.numbers[0]}
        made.append(worker.post("/api/claims/from-pane", said).data)

    heard = floor.quiet(admin).during(admin, claim)
    assert summary(heard) == [
        ("claim:updated", "created"),
        ("order:updated", "updated"),
        ("pane:updated", "updated"),
    ]
    assert told(heard, "pane:updated")[0]["data"]["currentStatus"] == "claimed"
    station.quiet(admin)
    heard_there = told(station.heard[start:], "pane:updated")
    assert len(heard_there) == 1  # where it was taken from

    def approve():
        path = f"/api/claims/{made[0]['_id']}"
        assert admin.patch(path, {"status": "approved"}).status == 200

    heard = floor.quiet(admin).during(admin, approve)
    assert summary(heard) == [
        ("claim:updated", "updated"),
        ("log:updated", "created"),
        ("order:updated", "updated"),
        ("pane:updated", "created"),
        ("pane:updated", "updated"),
        ("station:pane_arrived", None),
    ]


def test_a_rejected_claim_is_heard_where_the_pane_comes_back(
    admin, worker, workshop, screen
):
    day = line(admin, workshop)
    body = {"source": "worker", "description": "x", "reportedBy": worker.id}
    said = {**body, "paneNumber": day.numbers[0]}
    made = worker.post("/api/claims/from-pane", said).data
    station = screen(admin).join_station(day.stations[0])
    heard = station.quiet(admin).during(
        admin,
        lambda: admin.patch(f"/api/claims/{made['_id']}", {"status": "rejected"}),
    )
    (back,) = told(heard, "pane:updated")
    assert back["data"]["currentStation"] == day.stations[0]


def test_what_is_refused_is_not_heard(admin, worker, workshop, floor):
    day = units(admin, workshop, before=0)
    a, b = day.sheets[0]
    worker.scan(a, "scan_in")

    def refused():
        assert worker.scan(a, "laminate").status == 400
        assert worker.scan(b, "qc_fail", reason="stain").status == 400
        body = {"source": "worker", "description": "x", "reportedBy": worker.id}
        said = {**body, "paneNumber": day.parents[0]}
        assert worker.post("/api/claims/from-pane", said).status == 400

    assert floor.quiet(admin).during(admin, refused) == []


def test_records_inside_an_event_are_expanded_where_all_are(
    admin, worker, workshop, screen, setting
):
    setting(EXPAND_REFERENCES=True)
    day = line(admin, workshop)
    lot = {"material": day.material, "stockType": "Raw", "location": "A", "quantity": 2}
    stored = admin.post("/api/inventories", lot).data
    watcher = screen(admin, "join_log", "join_inventory").quiet(admin)

    def act():
        worker.scan(day.numbers[0], "scan_in")
        path = f"/api/inventories/{stored['_id']}/move"
        assert admin.post(path, {"quantity": 1, "toLocation": "B"}).status == 200

    heard = watcher.during(admin, act)
    (scanned,) = [
        s for s in told(heard, "log:updated") if s["action"] == "pane_scanned"
    ]
    assert scanned["data"]["paneLog"]["pane"]["paneNumber"] == day.numbers[0]
    (moved,) = told(heard, "inventory:updated")
    for name in ("source", "target"):
        assert moved["data"][name]["material"]["_id"] == day.material
