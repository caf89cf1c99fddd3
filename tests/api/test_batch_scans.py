"""Batch scans: all panes are scanned, or none."""

import pytest

from lookups import order_of
from scenarios import order_with_panes


def batch(api, numbers, action="scan_in", **fields):
    return api.post(
        "/api/panes/batch-scan", {"paneNumbers": numbers, "action": action, **fields}
    )


def statuses(api, job):
    found = api.get("/api/panes", request=job.request["_id"], sort="paneNumber").data
    return [pane["currentStatus"] for pane in found]


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("scan_in", "in_progress"),
        ("start", "in_progress"),
        ("complete", "awaiting_scan_out"),
    ],
)
def test_batch_scans_each_pane_once(worker, admin, workshop, action, status):
    job = order_with_panes(admin, workshop, panes=5)
    one, other, *_ = job.numbers
    given = [*job.numbers, one.lower(), f"STDPLUS:{other}", f"]Q1STDPLUS:{one}"]
    data = batch(worker, given, action, station=job.stations[0]).data
    assert data["count"] == data["updatedCount"] == 5
    assert [pane["paneNumber"] for pane in data["panes"]] == job.numbers
    assert statuses(admin, job) == [status] * 5
    logs = admin.get("/api/pane-logs", orderId=job.order["_id"], action=action)
    assert logs.body["pagination"]["total"] == 5
    order = order_of(admin, job.order)
    assert order["status"] == "in_progress"


def test_unknown_numbers_are_listed_and_no_pane_is_scanned(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    answer = batch(worker, [job.numbers[0], "PNE-0000", job.numbers[1], "nonsense"])
    assert answer.status == 400
    assert answer.errors["paneNumbers"] == ["PNE-0000", "NONSENSE"]
    assert statuses(admin, job) == ["pending"] * 2


def test_one_refused_pane_refuses_the_batch_and_is_named(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    worker.scan(job.numbers[2], "complete")
    worker.scan(job.numbers[2], "scan_out")
    answer = batch(worker, job.numbers, station=job.stations[0])
    assert answer.status == 400
    assert answer.errors["paneNumber"] == job.numbers[2]
    assert statuses(admin, job) == ["pending"] * 3
    logs = admin.get("/api/pane-logs", paneId=job.panes[0]["_id"])
    assert logs.data == []


@pytest.mark.parametrize("action", ["scan_out", "qc_pass", "qc_fail", "laminate"])
def test_only_three_actions_are_allowed_in_a_batch(worker, admin, workshop, action):
    job = order_with_panes(admin, workshop)
    assert set(batch(worker, job.numbers, action).faults) == {"action"}


@pytest.mark.parametrize("numbers", [[], None, "PNE-0001", [7], [""], ["x"] * 501])
def test_batch_needs_a_list_of_numbers(worker, numbers):
    assert batch(worker, numbers).status == 400
