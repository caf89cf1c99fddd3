"""A failed pane is remade once, and counted correctly."""

import pytest

from lookups import order_of, pane_of, remakes_of
from scenarios import (
    bring_to_lamination,
    order_with_panes,
    order_with_units,
    pass_station,
)
from stock_api import create_lot, quantities_of, withdraw


def fail(api, number, **fields):
    """Let a pane fail its check where it is; return the data of the answer."""
    assert api.scan(number, "complete").status == 200
    return api.scan(number, "qc_fail", reason="broken", **fields).data


def test_failed_pane_is_defected_and_a_copy_starts_again(admin, worker, workshop):
    station = str(workshop.station().pk)
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    edges = [{"side": "top", "edgeProfile": "flat", "status": "done"}]
    size = {"width": 300, "height": 200}
    change = {"edgeTasks": edges, "dimensions": size, "jobType": "door", "notes": "x"}
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", change)
    pass_station(worker, number, job.stations[0])
    done = fail(worker, number, description="มุมแตก")
    failed, remake = done["pane"], done["remadePane"]
    assert (failed["currentStatus"], failed["currentStation"]) == ("defected", None)
    assert (done["log"]["action"], done["log"]["reason"]) == ("qc_fail", "broken")
    assert remake["remakeOf"] == failed["_id"]
    assert remake["paneNumber"] != number
    assert remake["qrCode"] == f"STDPLUS:{remake['paneNumber']}"
    assert (remake["currentStatus"], remake["routeIndex"]) == ("pending", 0)
    assert (remake["currentStation"], remake["startedAt"]) == (job.stations[0], None)
    alike = ("request", "order", "routing", "dimensions", "jobType", "notes")
    for name in (*alike, "material", "laminateRole"):
        assert remake[name] == failed[name], name
    assert [task["status"] for task in remake["edgeTasks"]] == ["pending"]
    assert pane_of(admin, remake["paneNumber"]) == remake
    assert station not in remake["routing"]


def test_order_is_completed_with_its_remake_and_not_before(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    first, second = job.numbers
    remake = fail(worker, first)["remadePane"]
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["panesCompleted"]) == (2, 0)
    assert order["stationBreakdown"] == {job.stations[0]: 2}
    pass_station(worker, second, job.stations[0])
    assert order_of(admin, job.order)["status"] == "in_progress"
    pass_station(worker, remake["paneNumber"], job.stations[0])
    order = order_of(admin, job.order)
    assert (order["status"], order["panesCompleted"]) == ("completed", 2)


def test_remake_starts_at_the_named_station_of_its_route(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=3)
    remake = fail(worker, job.numbers[0], remakeStationId=job.stations[1])["remadePane"]
    assert (remake["currentStation"], remake["routeIndex"]) == (job.stations[1], 1)


def test_qc_fail_needs_a_known_reason_and_completed_work(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    worker.scan(number, "scan_in")
    early = worker.scan(number, "qc_fail", reason="broken")
    assert (early.status, early.errors["code"]) == (400, "NOT_COMPLETED_YET")
    assert "เสร็จสิ้น" in early.message
    worker.scan(number, "complete")
    assert set(worker.scan(number, "qc_fail").faults) == {"reason"}
    assert set(worker.scan(number, "qc_fail", reason="melted").faults) == {"reason"}
    gone = worker.scan(number, "qc_fail", reason="broken", remakeStationId="0" * 24)
    assert (gone.status, gone.message) == (400, "Station (remakeStationId) not found")
    off = str(workshop.station().pk)
    answer = worker.scan(number, "qc_fail", reason="broken", remakeStationId=off)
    assert (answer.status, answer.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    assert remakes_of(admin, job.numbers[0]) == []
    assert pane_of(admin, number)["currentStatus"] == "awaiting_scan_out"


def test_repeated_qc_fail_returns_the_same_remake(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    first = fail(worker, job.numbers[0])
    again = worker.scan(job.numbers[0], "qc_fail", reason="broken").data
    assert again == first
    other = worker.scan(job.numbers[0], "qc_fail", reason="stain")
    assert (other.status, other.errors["code"]) == (400, "ALREADY_DEFECTED")
    assert "already defected" in other.message
    assert len(remakes_of(admin, job.numbers[0])) == 1


def test_remake_can_fail_and_be_remade_again(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    number = job.numbers[0]
    for _ in range(3):
        number = fail(worker, number)["remadePane"]["paneNumber"]
    pass_station(worker, number, job.stations[0])
    order = order_of(admin, job.order)
    assert (order["status"], order["paneCount"]) == ("completed", 1)


def test_failed_pane_with_a_remake_cannot_be_corrected_back(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    fail(worker, job.numbers[0])
    change = {"currentStatus": "pending", "currentStation": job.stations[0]}
    answer = admin.patch(f"/api/panes/{job.panes[0]['_id']}", change)
    assert (answer.status, answer.errors["code"]) == (400, "CORRECTION_REFUSED")


def test_remake_of_a_pane_without_a_route_has_the_given_station_or_none(
    admin, worker, workshop
):
    station = str(workshop.station().pk)
    for fields, expected in (({}, None), ({"remakeStationId": station}, station)):
        number = admin.post("/api/panes", {}).data["paneNumber"]
        worker.scan(number, "complete", station=station)
        answer = worker.scan(number, "qc_fail", reason="stain", **fields)
        assert answer.data["remadePane"]["currentStation"] == expected


@pytest.mark.slow
def test_failed_sheet_is_replaced_within_its_unit(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    (a, b), (parent,) = job.sheets[0], job.parents
    bring_to_lamination(worker, a, job)
    bring_to_lamination(worker, b, job)
    remake = fail(worker, b)["remadePane"]
    assert remake["paneNumber"].count("-") == 1  # a number of its own
    assert (remake["sheetLabel"], remake["laminateRole"]) == ("B2", "sheet")
    assert remake["parentPane"] == pane_of(admin, parent)["_id"]
    assert remake["laminateStation"] == job.lamination_station
    assert remake["routing"] == pane_of(admin, b)["routing"]
    assert remake["_id"] in pane_of(admin, parent)["childPanes"]
    missing = worker.scan(a, "laminate")
    assert (missing.status, missing.errors["sheetsPresent"]) == (400, 1)
    number = remake["paneNumber"]
    bring_to_lamination(worker, number, job)
    done = worker.scan(a, "laminate").data
    assert done["sheetPaneNumbers"] == [a, number]
    assert done["retiredPaneNumbers"] == [number, parent]
    assert pane_of(admin, b)["currentStatus"] == "defected"
    worker.scan(a, "complete")
    worker.scan(a, "scan_out")
    pass_station(worker, a, job.stations[-1])
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["status"]) == (1, "completed")


def test_sheet_that_fails_twice_gets_the_next_label(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    number = job.sheets[0][0]
    labels = []
    for _ in range(2):
        remake = fail(worker, number)["remadePane"]
        number = remake["paneNumber"]
        labels.append(remake["sheetLabel"])
    assert labels == ["A2", "A3"]


@pytest.mark.slow
def test_failure_after_the_merge_remakes_the_whole_unit(admin, worker, workshop):
    job = order_with_units(admin, workshop, sheets=3, before=1, after=1)
    sheets, (parent,) = job.sheets[0], job.parents
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    worker.scan(sheets[1], "laminate")
    worker.scan(sheets[1], "scan_out")
    failed = fail(worker, sheets[1])
    unit = failed["remadePane"]
    assert (unit["laminateRole"], unit["currentStation"]) == ("parent", None)
    assert unit["remakeOf"] == failed["pane"]["_id"]
    assert unit["routing"] == job.stations[-1:]
    new = admin.get("/api/panes", parentPane=unit["_id"], sort="paneNumber").data
    assert [one["sheetLabel"] for one in new] == ["A", "B", "C"]
    assert {one["currentStation"] for one in new} == {job.stations[0]}
    assert [one["_id"] for one in new] == unit["childPanes"]
    assert new[0]["routing"] == job.stations[:2]
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["panesCompleted"]) == (1, 0)
    assert order["stationBreakdown"] == {job.stations[0]: 3}
    for one in new:
        bring_to_lamination(worker, one["paneNumber"], job)
    number = new[0]["paneNumber"]
    worker.scan(number, "laminate")
    worker.scan(number, "scan_out")
    pass_station(worker, number, job.stations[-1])
    assert order_of(admin, job.order)["status"] == "completed"
    assert pane_of(admin, parent)["currentStatus"] == "merged_into"


def test_remake_takes_no_stock_until_glass_is_withdrawn_for_it(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    lot = create_lot(admin, job.material, 5)
    withdraw(admin, lot, 1, order=job.order["_id"], panes=[job.panes[0]["_id"]])
    failed = fail(worker, job.numbers[0])
    remake = failed["remadePane"]
    assert (remake["withdrawal"], remake["isWithdrawn"]) == (None, False)
    assert quantities_of(admin, lot) == [4]
    (log,) = admin.get("/api/material-logs", actionType="remake").data
    assert (log["quantityChanged"], log["inventory"]) == (0, None)
    assert log["referenceType"] == "qc_remake"
    assert log["referenceId"] == failed["pane"]["_id"]
    assert log["panes"] == [remake["_id"]]
    assert (log["order"], log["worker"]) == (job.order["_id"], worker.id)
    withdraw(admin, lot, 1, panes=[remake["_id"]])
    assert quantities_of(admin, lot) == [3]  # two sheets for two pieces
    assert pane_of(admin, remake["paneNumber"])["isWithdrawn"] is True


def test_stock_entry_of_a_remake_names_the_operator_of_the_scan(
    admin, worker, manager, workshop
):
    job = order_with_panes(admin, workshop)
    number, station = job.numbers[0], job.stations[0]
    for action in ("scan_in", "complete"):
        worker.scan(number, action, station=station)
    failed = admin.scan(number, "qc_fail", reason="chipped", operator=manager.id)
    assert failed.data["log"]["worker"] == manager.id
    (entry,) = admin.get("/api/material-logs", actionType="remake").data
    assert entry["worker"] == manager.id


def test_assignee_gets_a_notification_of_a_remake(admin, worker, manager, workshop):
    job = order_with_panes(admin, workshop, assignedTo=manager.id)
    remake = fail(worker, job.numbers[0])["remadePane"]
    (notification,) = manager.get("/api/notifications", type="qc_remake").data
    assert notification["priority"] == "high"
    assert (notification["referenceType"], notification["referenceId"]) == (
        "Pane",
        remake["_id"],
    )
    assert job.numbers[0] in notification["message"]
    assert remake["paneNumber"] in notification["message"]


@pytest.mark.parametrize("stopped", ["orders", "requests"])
def test_cancelled_work_is_not_remade(admin, worker, workshop, stopped):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "complete")
    record = job.order if stopped == "orders" else job.request
    admin.patch(f"/api/{stopped}/{record['_id']}", {"status": "cancelled"})
    answer = worker.scan(job.numbers[0], "qc_fail", reason="broken")
    assert answer.status == 400
    assert remakes_of(admin, job.numbers[0]) == []
