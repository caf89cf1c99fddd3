"""Many panes scanned alike: all of them, or none."""

import pytest

from stories import line


def batch(api, numbers, action="scan_in", **said):
    return api.post(
        "/api/panes/batch-scan", {"paneNumbers": numbers, "action": action, **said}
    )


def statuses(api, day):
    found = api.get("/api/panes", request=day.request["_id"], sort="paneNumber").data
    return [pane["currentStatus"] for pane in found]


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("scan_in", "in_progress"),
        ("start", "in_progress"),
        ("complete", "awaiting_scan_out"),
    ],
)
def test_a_batch_is_scanned_whole_and_each_pane_counts_once(
    worker, admin, workshop, action, status
):
    day = line(admin, workshop, panes=5)
    given = [*day.numbers, day.numbers[0].lower(), f"STDPLUS:{day.numbers[1]}"]
    data = batch(worker, given, action, station=day.stations[0]).data
    assert data["count"] == 5
    assert [pane["paneNumber"] for pane in data["panes"]] == day.numbers
    assert statuses(admin, day) == [status] * 5
    logs = admin.get("/api/pane-logs", orderId=day.order["_id"], action=action)
    assert logs.body["pagination"]["total"] == 5
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["status"] == "in_progress"


def test_unknown_numbers_are_listed_and_nothing_is_scanned(worker, admin, workshop):
    day = line(admin, workshop, panes=2)
    answer = batch(worker, [day.numbers[0], "PNE-0000", day.numbers[1], "nonsense"])
    assert answer.status == 400
    assert answer.errors["paneNumbers"] == ["PNE-0000", "NONSENSE"]
    assert statuses(admin, day) == ["pending"] * 2


def test_one_refused_pane_refuses_them_all_and_is_named(worker, admin, workshop):
    day = line(admin, workshop, panes=3)
    worker.scan(day.numbers[2], "complete")
    worker.scan(day.numbers[2], "scan_out")
    answer = batch(worker, day.numbers, station=day.stations[0])
    assert answer.status == 400
    assert answer.errors["paneNumber"] == day.numbers[2]
    assert statuses(admin, day) == ["pending"] * 3
    logs = admin.get("/api/pane-logs", paneId=day.panes[0]["_id"])
    assert logs.data == []


@pytest.mark.parametrize("action", ["scan_out", "qc_pass", "qc_fail", "laminate"])
def test_only_the_harmless_actions_go_in_a_batch(worker, admin, workshop, action):
    day = line(admin, workshop)
    assert set(batch(worker, day.numbers, action).faults) == {"action"}


@pytest.mark.parametrize("numbers", [[], None, "PNE-0001", [7], [""], ["x"] * 501])
def test_a_batch_needs_a_list_of_numbers(worker, numbers):
    assert batch(worker, numbers).status == 400
