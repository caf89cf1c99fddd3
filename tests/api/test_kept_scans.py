"""Scans that a device has kept without network, and sends later with their time."""

from datetime import UTC, datetime, timedelta

import pytest

from lookups import pane_actions, pane_of
from scenarios import bring_to_lamination, order_with_panes, order_with_units


def ago(**time):
    """A moment so long ago, as the service writes it."""
    moment = datetime.now(UTC) - timedelta(**time)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def logs_of(api, number):
    pane = pane_of(api, number)["_id"]
    return api.get("/api/pane-logs", paneId=pane, sort="_id", limit=100).data


def test_kept_scan_is_logged_with_its_time_and_sets_the_times_of_the_pane(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=1)
    (number,) = job.numbers
    began, completed, left = ago(hours=50), ago(hours=49), ago(hours=48)
    assert worker.scan(number, "scan_in", occurredAt=began).status == 200
    assert worker.scan(number, "complete", occurredAt=completed).status == 200
    pane = worker.scan(number, "scan_out", occurredAt=left).data["pane"]
    assert (pane["startedAt"], pane["completedAt"]) == (began, left)
    assert pane["updatedAt"] > ago(hours=1)
    logs = logs_of(admin, number)
    assert [log["occurredAt"] for log in logs] == [began, completed, left]
    assert [log["completedAt"] for log in logs] == [None, completed, None]
    assert all(log["createdAt"] > ago(hours=1) for log in logs)


def test_scan_that_is_sent_at_once_has_no_time_of_its_own(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    assert worker.scan(job.numbers[0], "scan_in").data["log"]["occurredAt"] is None


def test_implied_scan_in_happened_when_the_work_was_completed(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    moment = ago(minutes=30)
    worker.scan(job.numbers[0], "complete", occurredAt=moment)
    times = [log["occurredAt"] for log in logs_of(admin, job.numbers[0])]
    assert times == [moment, moment]


def test_implied_complete_happened_when_the_pane_was_handed_on(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    moment = ago(minutes=30)
    scan = {"occurredAt": moment, "beforeComplete": True}
    pane = worker.scan(job.numbers[0], "scan_out", **scan).data["pane"]
    assert (pane["startedAt"], pane["completedAt"]) == (moment, moment)
    logs = logs_of(admin, job.numbers[0])
    assert [log["occurredAt"] for log in logs] == [moment] * 3
    assert [log["completedAt"] for log in logs] == [None, moment, None]


def test_pane_is_not_completed_before_it_was_started(worker, admin, workshop):
    """The clock of the second device is slow."""
    job = order_with_panes(admin, workshop, steps=1)
    (number,) = job.numbers
    began = ago(minutes=5)
    worker.scan(number, "complete", occurredAt=began)
    left = worker.scan(number, "scan_out", occurredAt=ago(minutes=9)).data
    assert left["pane"]["completedAt"] == began


def test_batch_of_kept_scans_has_their_time(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    moment = ago(hours=2)
    body = {"paneNumbers": job.numbers, "action": "start", "occurredAt": moment}
    data = worker.post("/api/panes/batch-scan", body).data
    assert [log["occurredAt"] for log in data["logs"]] == [moment, moment]
    assert {pane["startedAt"] for pane in data["panes"]} == {moment}


def test_kept_lamination_has_its_time(worker, admin, workshop):
    job = order_with_units(admin, workshop)
    (sheets,) = job.sheets
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    moment = ago(minutes=3)
    merged = worker.scan(sheets[0], "laminate", occurredAt=moment).data["pane"]
    assert merged["laminateMergedAt"] == moment
    for number in (*sheets, *job.parents):
        assert logs_of(admin, number)[-1]["occurredAt"] == moment


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (ago(hours=73), "SCAN_TOO_OLD"),
        (ago(hours=-1), "SCAN_IN_FUTURE"),
        ("1970-01-01T00:00:00.000Z", "SCAN_TOO_OLD"),  # of a clock that was never set
    ],
    ids=["too old", "in the future", "never set"],
)
def test_scan_with_an_impossible_time_is_refused(worker, admin, workshop, moment, code):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    batch = {"paneNumbers": [number], "action": "scan_in", "occurredAt": moment}
    for answer in (
        worker.scan(number, "scan_in", occurredAt=moment),
        worker.post("/api/panes/batch-scan", batch),
    ):
        assert (answer.status, answer.errors["code"]) == (400, code)
        assert answer.errors["occurredAt"] == moment
        assert ago(hours=1) < answer.errors["serverTime"]
    assert pane_actions(admin, number) == []


def test_time_that_is_none_is_a_fault_of_the_field(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    faults = worker.scan(job.numbers[0], "scan_in", occurredAt="yesterday").faults
    assert list(faults) == ["occurredAt"]


def test_second_tap_of_a_double_tap_gets_the_first_result(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    first = worker.scan(number, "scan_in", occurredAt=ago(seconds=2)).data
    second = worker.scan(number, "scan_in", occurredAt=ago(seconds=1)).data
    assert second["log"] == first["log"]
    assert pane_actions(admin, number) == ["scan_in"]
