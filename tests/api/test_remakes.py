"""A pane that fails its check is made again: once, in its place, and counted right."""

import pytest

from stories import line, through, to_the_press, units


def pane_of(api, number):
    return api.get(f"/api/panes/{number}").data


def order_of(api, day):
    return api.get(f"/api/orders/{day.order['_id']}").data


def fail(api, number, **said):
    """Let a pane fail where it is; give the answer's data."""
    assert api.scan(number, "complete").status == 200
    return api.scan(number, "qc_fail", reason="broken", **said).data


def remakes_of(api, pane):
    return api.get("/api/panes", remakeOf=pane["_id"]).data


def test_a_failed_pane_is_defected_and_one_like_it_begins_anew(admin, worker, workshop):
    station = str(workshop.station().pk)
    day = line(admin, workshop, steps=2)
    (number,) = day.numbers
    edges = [{"side": "top", "edgeProfile": "flat", "status": "done"}]
    size = {"width": 300, "height": 200}
    change = {"edgeTasks": edges, "dimensions": size, "jobType": "door", "notes": "x"}
    admin.patch(f"/api/panes/{day.panes[0]['_id']}", change)
    through(worker, number, day.stations[0])
    done = fail(worker, number, description="มุมแตก")
    failed, remake = done["pane"], done["remadePane"]
    assert (failed["currentStatus"], failed["currentStation"]) == ("defected", None)
    assert (done["log"]["action"], done["log"]["reason"]) == ("qc_fail", "broken")
    assert remake["remakeOf"] == failed["_id"]
    assert remake["paneNumber"] != number
    assert remake["qrCode"] == f"STDPLUS:{remake['paneNumber']}"
    assert (remake["currentStatus"], remake["routeIndex"]) == ("pending", 0)
    assert (remake["currentStation"], remake["startedAt"]) == (day.stations[0], None)
    alike = ("request", "order", "routing", "dimensions", "jobType", "notes")
    for name in (*alike, "material", "laminateRole"):
        assert remake[name] == failed[name], name
    assert [task["status"] for task in remake["edgeTasks"]] == ["pending"]
    assert pane_of(admin, remake["paneNumber"]) == remake
    assert station not in remake["routing"]


def test_an_order_completes_with_its_remake_and_not_before(admin, worker, workshop):
    day = line(admin, workshop, steps=1, panes=2)
    first, second = day.numbers
    remake = fail(worker, first)["remadePane"]
    order = order_of(admin, day)
    assert (order["paneCount"], order["panesCompleted"]) == (2, 0)
    assert order["stationBreakdown"] == {day.stations[0]: 2}
    through(worker, second, day.stations[0])
    assert order_of(admin, day)["status"] == "in_progress"
    through(worker, remake["paneNumber"], day.stations[0])
    order = order_of(admin, day)
    assert (order["status"], order["panesCompleted"]) == ("completed", 2)


def test_a_remake_begins_at_the_named_station_of_its_way(admin, worker, workshop):
    day = line(admin, workshop, steps=3)
    remake = fail(worker, day.numbers[0], remakeStationId=day.stations[1])["remadePane"]
    assert (remake["currentStation"], remake["routeIndex"]) == (day.stations[1], 1)


def test_a_check_fails_with_a_known_reason_and_after_the_work_only(
    admin, worker, workshop
):
    day = line(admin, workshop)
    (number,) = day.numbers
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
    assert remakes_of(admin, day.panes[0]) == []
    assert pane_of(admin, number)["currentStatus"] == "awaiting_scan_out"


def test_the_same_failure_sent_again_answers_the_same_remake(admin, worker, workshop):
    day = line(admin, workshop)
    first = fail(worker, day.numbers[0])
    again = worker.scan(day.numbers[0], "qc_fail", reason="broken").data
    assert again == first
    other = worker.scan(day.numbers[0], "qc_fail", reason="stain")
    assert (other.status, other.errors["code"]) == (400, "ALREADY_DEFECTED")
    assert "already defected" in other.message
    assert len(remakes_of(admin, day.panes[0])) == 1


def test_a_remake_of_a_remake_of_a_remake(admin, worker, workshop):
    day = line(admin, workshop, steps=1)
    number = day.numbers[0]
    for _ in range(3):
        number = fail(worker, number)["remadePane"]["paneNumber"]
    through(worker, number, day.stations[0])
    order = order_of(admin, day)
    assert (order["status"], order["paneCount"]) == ("completed", 1)


def test_a_failed_pane_is_not_brought_back_beside_its_remake(admin, worker, workshop):
    day = line(admin, workshop)
    fail(worker, day.numbers[0])
    change = {"currentStatus": "pending", "currentStation": day.stations[0]}
    answer = admin.patch(f"/api/panes/{day.panes[0]['_id']}", change)
    assert (answer.status, answer.errors["code"]) == (400, "CORRECTION_REFUSED")


def test_a_pane_without_a_route_is_remade_where_it_is_told_or_nowhere(
    admin, worker, workshop
):
    station = str(workshop.station().pk)
    for said, expected in (({}, None), ({"remakeStationId": station}, station)):
        number = admin.post("/api/panes", {}).data["paneNumber"]
        worker.scan(number, "complete", station=station)
        answer = worker.scan(number, "qc_fail", reason="stain", **said)
        assert answer.data["remadePane"]["currentStation"] == expected


@pytest.mark.slow
def test_a_failed_sheet_is_replaced_within_its_unit(admin, worker, workshop):
    day = units(admin, workshop)
    (a, b), (parent,) = day.sheets[0], day.parents
    to_the_press(worker, a, day)
    to_the_press(worker, b, day)
    remake = fail(worker, b)["remadePane"]
    assert remake["paneNumber"].count("-") == 1  # a number of its own
    assert (remake["sheetLabel"], remake["laminateRole"]) == ("B2", "sheet")
    assert remake["parentPane"] == pane_of(admin, parent)["_id"]
    assert remake["laminateStation"] == day.press
    assert remake["routing"] == pane_of(admin, b)["routing"]
    assert remake["_id"] in pane_of(admin, parent)["childPanes"]
    missing = worker.scan(a, "laminate")
    assert (missing.status, missing.errors["sheetsPresent"]) == (400, 1)
    number = remake["paneNumber"]
    to_the_press(worker, number, day)
    done = worker.scan(a, "laminate").data
    assert done["mergedSheets"] == [a, number]
    assert done["retiredPaneNumbers"] == [number, parent]
    assert pane_of(admin, b)["currentStatus"] == "defected"
    worker.scan(a, "complete")
    worker.scan(a, "scan_out")
    through(worker, a, day.stations[-1])
    order = order_of(admin, day)
    assert (order["paneCount"], order["status"]) == (1, "completed")


def test_a_sheet_that_fails_twice_is_labelled_on(admin, worker, workshop):
    day = units(admin, workshop)
    number = day.sheets[0][0]
    labels = []
    for _ in range(2):
        remake = fail(worker, number)["remadePane"]
        number = remake["paneNumber"]
        labels.append(remake["sheetLabel"])
    assert labels == ["A2", "A3"]


@pytest.mark.slow
def test_after_the_merge_a_whole_unit_is_made_again(admin, worker, workshop):
    day = units(admin, workshop, sheets=3, before=1, after=1)
    sheets, (parent,) = day.sheets[0], day.parents
    for sheet in sheets:
        to_the_press(worker, sheet, day)
    worker.scan(sheets[1], "laminate")
    worker.scan(sheets[1], "scan_out")
    failed = fail(worker, sheets[1])
    unit = failed["remadePane"]
    assert (unit["laminateRole"], unit["currentStation"]) == ("parent", None)
    assert unit["remakeOf"] == failed["pane"]["_id"]
    assert unit["routing"] == day.stations[-1:]
    new = admin.get("/api/panes", parentPane=unit["_id"], sort="paneNumber").data
    assert [one["sheetLabel"] for one in new] == ["A", "B", "C"]
    assert {one["currentStation"] for one in new} == {day.stations[0]}
    assert [one["_id"] for one in new] == unit["childPanes"]
    assert new[0]["routing"] == day.stations[:2]
    order = order_of(admin, day)
    assert (order["paneCount"], order["panesCompleted"]) == (1, 0)
    assert order["stationBreakdown"] == {day.stations[0]: 3}
    for one in new:
        to_the_press(worker, one["paneNumber"], day)
    number = new[0]["paneNumber"]
    worker.scan(number, "laminate")
    worker.scan(number, "scan_out")
    through(worker, number, day.stations[-1])
    assert order_of(admin, day)["status"] == "completed"
    assert pane_of(admin, parent)["currentStatus"] == "merged_into"


def test_the_material_of_a_remake_is_taken_and_logged(admin, worker, workshop):
    day = line(admin, workshop)
    lot = {"material": day.material, "stockType": "Raw", "location": "A"}
    stored = admin.post("/api/inventories", {**lot, "quantity": 1}).data
    first = fail(worker, day.numbers[0])
    second = fail(worker, first["remadePane"]["paneNumber"])
    assert admin.get(f"/api/inventories/{stored['_id']}").data["quantity"] == 0
    logs = admin.get("/api/material-logs", actionType="remake", sort="createdAt").data
    assert [log["quantityChanged"] for log in logs] == [-1, 0]  # nothing was left
    assert [log["inventory"] for log in logs] == [stored["_id"], None]
    for log, done in zip(logs, (first, second), strict=True):
        assert log["referenceType"] == "qc_remake"
        assert log["referenceId"] == done["pane"]["_id"]
        assert log["panes"] == [done["remadePane"]["_id"]]
        assert (log["order"], log["worker"]) == (day.order["_id"], worker.id)


def test_the_one_who_is_assigned_is_told_of_a_remake(admin, worker, manager, workshop):
    day = line(admin, workshop, assignedTo=manager.id)
    remake = fail(worker, day.numbers[0])["remadePane"]
    (told,) = manager.get("/api/notifications").data
    assert (told["type"], told["priority"]) == ("qc_remake", "high")
    assert (told["referenceType"], told["referenceId"]) == ("Pane", remake["_id"])
    assert day.numbers[0] in told["message"]
    assert remake["paneNumber"] in told["message"]


@pytest.mark.parametrize("stopped", ["orders", "requests"])
def test_cancelled_work_is_not_made_again(admin, worker, workshop, stopped):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "complete")
    record = day.order if stopped == "orders" else day.request
    admin.patch(f"/api/{stopped}/{record['_id']}", {"status": "cancelled"})
    answer = worker.scan(day.numbers[0], "qc_fail", reason="broken")
    assert answer.status == 400
    assert remakes_of(admin, day.panes[0]) == []
