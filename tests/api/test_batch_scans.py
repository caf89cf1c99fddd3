"""Batch scans: all panes are scanned, or none."""

import pytest

from lookups import order_of
from pictures import photo
from scenarios import order_with_panes, order_with_units


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


def fail(api, numbers, **fields):
    body = {"paneNumbers": numbers, "reason": "broken", **fields}
    return api.post("/api/panes/batch-fail", body)


def undo(api, numbers, **fields):
    return api.post("/api/panes/batch-undo", {"paneNumbers": numbers, **fields})


def test_lost_load_is_failed_remade_and_taken_back_as_one(worker, admin, workshop):
    """Its panes may be at any status; a delivery keeps the places of what it lost."""
    job = order_with_panes(admin, workshop, panes=4)
    first, second, third, other = job.numbers
    worker.scan(second, "scan_in")
    worker.scan(third, "complete")
    planned = {"customer": job.customer, "panes": [one["_id"] for one in job.panes]}
    delivery = admin.post("/api/deliveries", planned).data
    before = admin.get("/api/panes", order=job.order["_id"], sort="paneNumber").data
    photos = [
        worker.post("/api/attachments", {"photo": photo("image/png")}).data["_id"]
    ]
    lost = [first, f"STDPLUS:{second}", third, third.lower()]
    given = {"description": "เตาดับ", "photos": photos, "station": job.stations[0]}
    data = fail(worker, lost, **given).data
    assert data["count"] == 3
    assert [one["paneNumber"] for one in data["panes"]] == [first, second, third]
    assert {one["currentStatus"] for one in data["panes"]} == {"defected"}
    assert [one["remakeOf"] for one in data["remadePanes"]] == [
        one["_id"] for one in data["panes"]
    ]
    for log in data["logs"]:
        assert (log["action"], log["reason"]) == ("qc_fail", "broken")
        assert (log["description"], len(log["photos"])) == ("เตาดับ", 1)
    made = [one["_id"] for one in data["remadePanes"]]
    path = f"/api/deliveries/{delivery['_id']}"
    assert admin.get(path).data["panes"] == [*made, job.panes[3]["_id"]]
    assert undo(worker, [first, other]).errors["paneNumber"] == other
    undone = undo(worker, [first, second, third], reason="ผิดเตา").data
    assert undone["count"] == 3
    numbers = [one["paneNumber"] for one in data["remadePanes"]]
    assert undone["cancelledPaneNumbers"] == numbers
    assert {one["reason"] for one in undone["logs"]} == {"ผิดเตา"}
    assert admin.get(path).data["panes"] == planned["panes"]
    now = admin.get("/api/panes", order=job.order["_id"], sort="paneNumber").data
    placed = ("paneNumber", "currentStatus", "currentStation", "startedAt")
    assert [[one[name] for name in placed] for one in now[:4]] == [
        [one[name] for name in placed] for one in before
    ]
    assert order_of(admin, job.order)["paneCount"] == 4


def test_load_is_lost_whole_or_not_at_all(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    for action in ("complete", "scan_out"):
        worker.scan(job.numbers[1], action)
    refused = fail(worker, job.numbers, station=job.stations[0])
    assert (refused.status, refused.errors["code"]) == (400, "WRONG_STATION")
    assert refused.errors["paneNumber"] == job.numbers[1]
    assert statuses(admin, job) == ["pending", "pending"]
    assert fail(worker, [*job.numbers, "PNE-0000"]).errors["paneNumbers"] == [
        "PNE-0000"
    ]
    assert set(fail(worker, job.numbers, reason="bored").faults) == {"reason"}
    assert set(fail(worker, []).faults) == {"paneNumbers"}
    elsewhere = str(workshop.station().pk)
    off_route = fail(worker, job.numbers[:1], remakeStationId=elsewhere)
    assert off_route.errors["code"] == "STATION_NOT_ON_ROUTE"
    assert off_route.errors["paneNumber"] == job.numbers[0]
    assert (
        admin.get("/api/panes", request=job.request["_id"]).body["pagination"]["total"]
        == 2
    )


def test_both_sheets_of_a_unit_are_lost_and_come_back(worker, admin, workshop):
    """Each is made again as a sheet of the same unit."""
    job = order_with_units(admin, workshop, before=0)
    numbers = job.sheets[0]
    assert batch(worker, numbers).status == 200
    made = fail(worker, numbers).data["remadePanes"]
    assert len({one["sheetLabel"] for one in made}) == 2
    parent = admin.get(f"/api/panes/{job.parents[0]}").data
    assert {one["_id"] for one in made} < set(parent["childPanes"])
    assert undo(worker, numbers).status == 200
    unit = admin.get(f"/api/panes/{numbers[0]}/next").data["set"]
    assert (unit["present"], unit["ready"]) == (2, True)


def test_scans_of_a_batch_are_undone_together_by_who_made_them(
    worker, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop, panes=3)
    assert batch(worker, job.numbers).status == 200
    other = client_with_keys("panes:scan")
    assert undo(other, job.numbers).status == 403
    assert statuses(admin, job) == ["in_progress"] * 3
    assert undo(worker, job.numbers).status == 200
    assert statuses(admin, job) == ["pending"] * 3
    assert order_of(admin, job.order)["status"] == "pending"
    assert undo(worker, job.numbers).errors["code"] == "NOTHING_TO_UNDO"
