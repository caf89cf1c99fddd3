"""What is measured at a check: stored with the scan, beside what was ordered then."""

import pytest

from lookups import pane_of
from scenarios import order_with_panes

SIZE = {"width": 800, "height": 2000}
MEASURED = {"width": 803, "height": 1999.5, "diagonals": [2153, 2155]}
STORED = {**MEASURED, "ordered": SIZE, "tolerance": "±1"}
TIMELINE = "/api/pane-logs/timeline"


@pytest.fixture
def job(admin, workshop):
    """An order with a pane whose work at the first station is done."""
    pane = {"dimensions": SIZE, "dimensionTolerance": "±1"}
    job = order_with_panes(admin, workshop, pane=pane)
    admin.scan(job.numbers[0], "complete")
    return job


def in_timeline(api, number):
    """What the timeline of a pane shows as measured, by the actions of the logs."""
    rows = api.get(TIMELINE, paneNumber=number).data
    return {row["action"]: row["measured"] for row in rows if row.get("measured")}


def test_passed_check_keeps_what_was_measured(worker, admin, job, client_with_keys):
    (number,) = job.numbers
    answer = worker.scan(number, "qc_pass", measured=MEASURED)
    assert answer.data["log"]["measured"] == STORED
    # a double tap is answered as the first; what differs is another scan
    again = worker.scan(number, "qc_pass", measured=MEASURED)
    assert again.data["log"] == answer.data["log"]
    assert worker.scan(number, "qc_pass", measured={"width": 803}).status == 400
    assert in_timeline(worker, number) == {"qc_pass": STORED}
    passport = f"/api/panes/{number}/passport"
    *_, last = admin.get(passport).data["timeline"]
    assert last["measured"] == STORED
    listed = admin.get("/api/pane-logs", action="qc_pass").data
    assert [one["measured"] for one in listed] == [STORED]
    viewer = client_with_keys("panes:view")
    assert viewer.get(passport).data["timeline"] == []
    assert viewer.get(TIMELINE, paneNumber=number).status == 403


def test_failed_check_keeps_it_on_the_log_of_the_failed_pane(worker, admin, job):
    (number,) = job.numbers
    measured = {"diagonals": [2150, 2162]}
    done = worker.scan(
        number, "qc_fail", reason="dimension_wrong", measured=measured
    ).data
    stored = {**measured, "ordered": SIZE, "tolerance": "±1"}
    assert done["log"]["measured"] == stored
    assert done["remadePane"]["dimensionTolerance"] == "±1"
    assert in_timeline(admin, done["remadePane"]["paneNumber"]) == {}
    undone = worker.post(f"/api/panes/{number}/undo", {}).data
    assert undone["undone"]["measured"] == stored
    assert undone["log"]["measured"] is None
    assert in_timeline(worker, number) == {"qc_fail": stored}


def test_check_before_the_work_is_recorded_logs_it_once(worker, admin, workshop):
    """With the check, and not with the scans that it implies; without a size too."""
    (number,) = order_with_panes(admin, workshop).numbers
    scan = {"measured": {"height": 5, "width": None}, "beforeComplete": True}
    assert worker.scan(number, "qc_pass", **scan).status == 200
    nothing = {"width": 0, "height": 0}
    assert in_timeline(worker, number) == {
        "qc_pass": {"height": 5, "ordered": nothing, "tolerance": ""}
    }


def test_later_correction_of_the_pane_does_not_change_what_was_compared(
    worker, admin, job
):
    (number,) = job.numbers
    worker.scan(number, "qc_pass", measured={"width": 803})
    pane = job.panes[0]["_id"]
    change = {"dimensions": {"width": 803}, "dimensionTolerance": "+3/-1"}
    assert admin.patch(f"/api/panes/{pane}", change).status == 200
    stored = {"width": 803, "ordered": SIZE, "tolerance": "±1"}
    assert in_timeline(worker, number)["qc_pass"] == stored


@pytest.mark.parametrize(
    ("measured", "field"),
    [
        ({}, "measured"),
        ({"width": None}, "measured"),
        ({"depth": 5}, "measured"),
        ([800, 2000], "measured"),
        ({"width": 0}, "measured.width"),
        ({"height": -1}, "measured.height"),
        ({"width": "800"}, "measured.width"),
        ({"height": 2**63}, "measured.height"),
        ({"diagonals": [2153]}, "measured.diagonals"),
        ({"diagonals": [2153, 2154, 2155]}, "measured.diagonals"),
        ({"diagonals": [2153, 0]}, "measured.diagonals.1"),
        ({"diagonals": [2153, None]}, "measured.diagonals.1"),
    ],
)
def test_values_that_nobody_can_measure_are_refused(
    worker, admin, job, measured, field
):
    before = pane_of(admin, job.numbers[0])
    answer = worker.scan(job.numbers[0], "qc_pass", measured=measured)
    assert answer.status == 400
    assert list(answer.faults) == [field]
    assert pane_of(admin, job.numbers[0]) == before


def test_only_checks_are_measured_and_no_batch_is(worker, admin, job):
    (number,) = job.numbers
    for action in ("scan_in", "start", "complete", "scan_out", "laminate"):
        refused = worker.scan(number, action, measured={"width": 5})
        assert refused.status == 400
        assert refused.faults == {"measured": "Only qc_pass and qc_fail take measured"}
    body = {"paneNumbers": [number], "action": "complete", "measured": {"width": 5}}
    answer = worker.post("/api/panes/batch-scan", body)
    assert [one["field"] for one in answer.body["warnings"]] == ["measured"]
    assert answer.data["logs"][0]["measured"] is None
