"""What a screen learns about a pane before it scans it."""

from lookups import pane_of
from scenarios import (
    bring_to_lamination,
    order_with_panes,
    order_with_units,
)


def next_of(api, number, station=None):
    params = {"station": station} if station else {}
    return api.get(f"/api/panes/{number}/next", **params)


def test_page_that_follows_the_next_step_brings_a_pane_to_its_end(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    names = {one["_id"]: one["name"] for one in admin.get("/api/stations").data}
    first, second = ({"_id": one, "name": names[one]} for one in job.stations)
    seen = []
    while True:
        data = next_of(worker, number).data
        assert data["pane"] == pane_of(worker, number)
        if data["action"] is None:
            break
        assert data["refusal"] is None
        assert data["action"] in data["allowed"]
        leaving = ["scan_out", "qc_pass", "qc_fail"]
        assert data["allowedBeforeComplete"] == leaving
        states = [step["state"] for step in data["steps"]]
        seen.append((data["action"], data["station"], data["nextStation"], states))
        assert worker.scan(number, data["action"]).status == 200
    at_first, at_second = ["here", "ahead"], ["done", "here"]
    assert seen == [
        ("scan_in", first, second, at_first),
        ("complete", first, second, at_first),
        ("scan_out", first, second, at_first),
        ("scan_in", second, None, at_second),
        ("complete", second, None, at_second),
        ("scan_out", second, None, at_second),
    ]
    assert [step["station"] for step in data["steps"]] == [first, second]
    assert (data["allowed"], data["set"]) == ([], None)
    assert data["refusal"]["code"] == "ALREADY_COMPLETED"


def test_pane_leaves_a_check_station_by_a_passed_check(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    first, second = job.stations
    admin.patch(f"/api/stations/{first}", {"isCheckStation": True})
    worker.scan(number, "complete", station=first)
    for station in (None, first):
        data = next_of(worker, number, station).data
        assert data["action"] == "qc_pass"
        assert {"scan_out", "qc_pass", "qc_fail"} <= set(data["allowed"])
    assert worker.scan(number, "scan_out", station=first).status == 200
    worker.scan(number, "complete", station=second)
    assert next_of(worker, number, second).data["action"] == "scan_out"


def test_refusal_is_the_one_that_the_scan_gets(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    data = next_of(worker, f"stdplus:{number}".lower(), job.stations[1]).data
    assert (data["action"], data["allowed"]) == (None, [])
    assert data["allowedBeforeComplete"] == []
    assert data["station"]["_id"] == job.stations[1]
    scanned = worker.scan(number, "scan_in", station=job.stations[1])
    assert data["refusal"] == {**scanned.errors, "message": scanned.message}
    admin.patch(f"/api/stations/{job.stations[0]}", {"status": "maintenance"})
    data = next_of(worker, number, job.stations[0]).data
    assert data["refusal"]["code"] == "STATION_IN_MAINTENANCE"
    assert data["allowedBeforeComplete"] == ["qc_fail"]  # it may break there


def test_unknown_panes_and_stations_are_refused_as_by_a_scan(
    worker, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    assert next_of(worker, "PNE-0000", "nonsense").status == 404
    assert list(next_of(worker, number, "nonsense").faults) == ["station"]
    answer = next_of(worker, number, "0" * 24)
    assert (answer.status, answer.message) == (400, "Station not found")
    assert next_of(client_with_keys("panes:scan"), number).status == 403


def test_sheet_shows_its_set_and_where_the_missing_sheets_are(worker, admin, workshop):
    job = order_with_units(admin, workshop)
    ((first, second),) = job.sheets
    bring_to_lamination(worker, first, job)
    data = next_of(worker, first, job.lamination_station).data
    assert data["action"] is None
    assert data["refusal"]["code"] == "SHEETS_MISSING"
    assert "complete" in data["allowed"]
    assert data["allowedBeforeComplete"] == ["qc_fail"]
    unit = data["set"]
    assert unit["parentPaneNumber"] == job.parents[0]
    assert unit["station"]["_id"] == job.lamination_station
    assert (unit["total"], unit["present"], unit["ready"]) == (2, 1, False)
    places = [
        (sheet["paneNumber"], sheet["sheetLabel"], sheet["station"]["_id"])
        for sheet in unit["sheets"]
    ]
    assert places == [
        (first, "A", job.lamination_station),
        (second, "B", job.stations[0]),
    ]
    assert [sheet["present"] for sheet in unit["sheets"]] == [True, False]
    assert unit["sheets"][1]["station"]["name"]
    bring_to_lamination(worker, second, job)
    for number in (first, second, *job.parents):
        data = next_of(worker, number, job.lamination_station).data
        assert (data["action"], data["set"]["ready"]) == ("laminate", True)
    worker.scan(first, "laminate")
    merged = next_of(worker, second).data
    assert merged["refusal"]["code"] == "MERGED_INTO"
    assert merged["refusal"]["survivorPaneNumber"] == first
    survivor = next_of(worker, first).data
    assert (survivor["action"], survivor["set"]) == ("scan_out", None)
    assert survivor["nextStation"]["_id"] == job.stations[-1]


def test_last_scan_is_shown_to_who_can_undo_it(
    worker, manager, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    assert next_of(worker, number).data["undo"] is None
    until = worker.scan(number, "scan_in").data["undoableUntil"]
    undoable = {"action": "scan_in", "undoableUntil": until}
    assert next_of(worker, number).data["undo"] == undoable
    assert next_of(manager, number).data["undo"] == undoable
    for keys in (["panes:view"], ["panes:view", "panes:scan"]):
        assert next_of(client_with_keys(*keys), number).data["undo"] is None
    worker.post(f"/api/panes/{number}/undo", {})
    assert next_of(worker, number).data["undo"] is None
