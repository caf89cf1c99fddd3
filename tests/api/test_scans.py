"""Scans: what each one changes, and what is refused and why."""

from functools import partial

import pytest

from glassflow.core.process import deadlines
from glassflow.models.station import Station
from lookups import order_of, pane_actions, pane_of
from scenarios import order_with_panes, pass_station


def test_pane_is_scanned_from_request_to_completion(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    first, second = job.stations
    pane = job.panes[0]
    assert (pane["currentStatus"], pane["currentStation"], pane["routeIndex"]) == (
        "pending",
        first,
        0,
    )
    data = worker.scan(number, "scan_in", station=first).data
    assert data["pane"]["currentStatus"] == "in_progress"
    assert data["pane"]["material"] == job.material
    started = data["pane"]["startedAt"]
    assert started
    assert data["log"]["worker"] == worker.id
    worker.scan(number, "start", station=first)
    data = worker.scan(number, "complete").data
    assert data["pane"]["currentStatus"] == "awaiting_scan_out"
    data = worker.scan(number, "scan_out", station=first).data
    assert data["nextStation"] == second
    assert (data["pane"]["currentStatus"], data["pane"]["currentStation"]) == (
        "pending",
        second,
    )
    worker.scan(number, "complete", station=second)
    data = worker.scan(number, "qc_pass", station=second).data
    assert "nextStation" not in data
    done = data["pane"]
    assert (done["currentStatus"], done["currentStation"]) == ("completed", None)
    assert done["completedAt"]
    assert done["startedAt"] == started
    assert pane_actions(admin, number) == [
        *["scan_in", "start", "complete", "scan_out"],
        *["scan_in", "complete", "qc_pass"],  # complete implied the scan_in
    ]
    order = order_of(admin, job.order)
    assert (order["status"], order["progressPercent"]) == ("completed", 100)


@pytest.mark.parametrize(
    "form", ["{}", "STDPLUS:{}", "stdplus:{}", " {} ", "]Q1STDPLUS:{}"]
)
def test_pane_is_found_by_its_number_and_its_qr_code(worker, admin, workshop, form):
    job = order_with_panes(admin, workshop)
    text = form.format(job.numbers[0])
    assert worker.scan(text, "scan_in").data["pane"]["paneNumber"] == job.numbers[0]
    assert worker.scan(text.lower(), "start").status == 200
    assert pane_of(worker, text.lower())["_id"] == job.panes[0]["_id"]


def test_scan_at_the_wrong_station_is_refused_with_the_right_one(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop)
    first, second = job.stations
    answer = worker.scan(job.numbers[0], "scan_in", station=second)
    assert answer.status == 400
    assert answer.message == f"กระจกอยู่ที่สถานี {first} ไม่ใช่ {second}"
    names = {s["_id"]: s["name"] for s in admin.get("/api/stations").data}
    assert answer.errors["code"] == "WRONG_STATION"
    assert answer.errors["currentStation"] == {"_id": first, "name": names[first]}
    assert answer.errors["givenStation"] == {"_id": second, "name": names[second]}
    assert pane_of(admin, job.numbers[0]) == job.panes[0]
    assert pane_actions(admin, job.numbers[0]) == []


@pytest.mark.parametrize("before", [None, "scan_in", "complete"])
def test_pane_is_taken_in_where_it_stands_by_who_may_correct_it(
    worker, manager, admin, workshop, before
):
    """The log names the stations without a scan; the undo puts the pane back."""
    job = order_with_panes(admin, workshop, steps=4)
    number, here = job.numbers[0], job.stations[2]
    if before:
        worker.scan(number, before)
    placed = pane_of(admin, number)
    skipped = job.stations[1:2] if before == "complete" else job.stations[:2]
    path = f"/api/panes/{number}/next"
    names = {one["_id"]: one["name"] for one in admin.get("/api/stations").data}
    assert manager.get(path, station=here).data["moveHere"] == {
        "skippedStations": [{"_id": one, "name": names[one]} for one in skipped]
    }
    assert manager.get(path, station=job.stations[0]).data["moveHere"] is None
    assert worker.get(path, station=here).data["moveHere"] is None
    scan = {"station": here, "moveHere": True}
    assert worker.scan(number, "scan_in", **scan).status == 403
    assert set(manager.scan(number, "start", **scan).faults) == {"moveHere"}
    data = manager.scan(number, "scan_in", **scan).data
    assert data["log"]["skippedStations"] == skipped
    assert data["log"]["worker"] == manager.id
    place = (data["pane"]["currentStation"], data["pane"]["currentStatus"])
    assert place == (here, "in_progress")
    left = ["scan_out"] if before == "complete" else []
    assert pane_actions(admin, number)[-1 - len(left) :] == [*left, "scan_in"]
    assert manager.post(f"/api/panes/{number}/undo", {}).status == 200
    kept = ("currentStation", "currentStatus", "startedAt", "arrivedAt")
    assert [pane_of(admin, number)[one] for one in kept] == [
        placed[one] for one in kept
    ]


def test_pane_is_taken_back_to_an_earlier_station_but_not_off_its_route(
    manager, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=3)
    number, (first, second, _) = job.numbers[0], job.stations
    assert pass_station(manager, number, first).data["nextStation"] == second
    data = manager.scan(number, "scan_in", station=first, moveHere=True).data
    assert data["pane"]["currentStation"] == first
    assert data["log"]["skippedStations"] == []
    off_route = str(workshop.station().pk)
    refused = manager.scan(number, "scan_in", station=off_route, moveHere=True)
    assert refused.errors["code"] == "WRONG_STATION"
    assert (
        manager.get(f"/api/panes/{number}/next", station=off_route).data["moveHere"]
        is None
    )


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
@pytest.mark.parametrize("before", [None, "scan_in"])
def test_leaving_before_complete_is_refused(worker, admin, workshop, action, before):
    job = order_with_panes(admin, workshop)
    if before:
        worker.scan(job.numbers[0], before)
    answer = worker.scan(job.numbers[0], action)
    assert answer.status == 400
    assert "เสร็จสิ้น" in answer.message
    same = worker.scan(job.numbers[0], action, beforeComplete=False)
    assert same.body == answer.body
    # one scan that says so is the complete too
    data = worker.scan(job.numbers[0], action, beforeComplete=True).data
    assert data["nextStation"] == job.stations[1]
    assert data["pane"]["startedAt"]
    logged = ["scan_in", "complete", action]
    assert pane_actions(admin, job.numbers[0]) == logged
    events = admin.get(f"/api/panes/{job.numbers[0]}/passport").data["timeline"]
    shown = [one["action"] for one in events if one["type"] == "pane"]
    assert shown == logged


def test_pane_that_breaks_before_it_is_done_fails_without_a_complete(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    for number, logged in zip(job.numbers, ([], ["scan_in"]), strict=True):
        for action in logged:
            worker.scan(number, action)
        failed = {"reason": "broken", "beforeComplete": True}
        data = worker.scan(number, "qc_fail", **failed).data
        assert data["pane"]["currentStatus"] == "defected"
        assert data["remadePane"]["remakeOf"] == data["pane"]["_id"]
        assert pane_actions(admin, number) == [*logged, "qc_fail"]
        again = worker.scan(number, "qc_fail", **failed)  # a duplicate
        assert again.data["log"] == data["log"]
    refused = worker.scan(job.numbers[0], "scan_out", beforeComplete=True)
    assert refused.errors["code"] == "ALREADY_DEFECTED"


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("completed", "already completed"),
        ("defected", "already defected"),
        ("claimed", "already claimed"),
        ("cancelled", "already cancelled"),
        ("merged_into", "already merged"),
    ],
)
@pytest.mark.parametrize("action", ["scan_in", "complete", "scan_out"])
def test_pane_in_a_terminal_status_refuses_scans(
    worker, workshop, status, text, action
):
    survivor = workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    workshop.make(
        "Pane",
        pane_number="PNE-9002",
        qr_code="x",
        current_status=status,
        merged_into=survivor.pk if status == "merged_into" else None,
    )
    answer = worker.scan("PNE-9002", action)
    assert answer.status == 400
    assert text in answer.message
    if status == "merged_into":
        assert answer.errors["code"] == "MERGED_INTO"
        assert answer.errors["survivorPaneNumber"] == "PNE-9001"


def test_unmerged_parent_refuses_scans(worker, workshop):
    workshop.make("Pane", pane_number="PNE-9001", qr_code="x", laminate_role="parent")
    answer = worker.scan("PNE-9001", "scan_in", station=str(workshop.station().pk))
    assert (answer.status, answer.errors["code"]) == (400, "LAMINATE_PARENT")


def test_complete_can_be_repeated(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    for word in ("first", "second"):
        answer = worker.scan(job.numbers[0], "complete", description=word)
        assert answer.data["pane"]["currentStatus"] == "awaiting_scan_out"


def test_repeated_scan_returns_the_first_result_and_logs_nothing(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop)
    (number,), (first, _) = job.numbers, job.stations
    through_first = pass_station(worker, number, first).data
    again = worker.scan(number, "scan_out", station=first).data
    assert again == through_first
    assert pane_actions(admin, number) == ["scan_in", "complete", "scan_out"]
    other = admin.scan(number, "scan_out", station=first)  # another worker
    assert (other.status, other.errors["code"]) == (400, "WRONG_STATION")
    assert worker.scan(number, "scan_in", station=job.stations[1]).status == 200
    late = worker.scan(number, "scan_out", station=first)  # the pane has gone on
    assert (late.status, late.errors["code"]) == (400, "WRONG_STATION")


def test_same_scan_after_the_repeat_time_is_a_new_one(
    worker, admin, workshop, set_policy
):
    set_policy(scan_repeat_seconds=0)
    job = order_with_panes(admin, workshop)
    for _ in range(2):
        worker.scan(job.numbers[0], "scan_in")
    assert pane_actions(admin, job.numbers[0]) == ["scan_in", "scan_in"]


def test_route_that_returns_to_a_station_is_followed_by_index(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2, route=[0, 1, 0, 0])
    positions = []
    for step in (0, 1, 0, 0):
        data = pass_station(worker, job.numbers[0], job.stations[step]).data
        positions.append((data["pane"]["routeIndex"], data["pane"]["currentStatus"]))
    assert positions == [(1, "pending"), (2, "pending"), (3, "pending"),
                         (4, "completed")]  # fmt: skip


def test_pane_without_a_route_is_not_placed_at_a_station_deleted_meanwhile(
    worker, admin, workshop, monkeypatch
):
    """Another process has deleted it; this one has it in its cache."""
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)
    station = workshop.station()
    first, second = (admin.post("/api/panes", {}).data for _ in range(2))
    scan = partial(worker.scan, action="scan_in", station=str(station.pk))
    assert scan(first["paneNumber"]).status == 200
    Station.collection().delete_one({"_id": station.pk})
    refused = scan(second["paneNumber"])
    assert (refused.status, refused.message) == (400, "Station not found")
    assert admin.get(f"/api/panes/{second['_id']}").data["currentStation"] is None


def test_pane_without_a_route_starts_anywhere_and_ends_at_its_first_scan_out(
    worker, admin, workshop
):
    made = admin.post("/api/panes", {}).data
    number, station = made["paneNumber"], str(workshop.station().pk)
    assert (made["currentStation"], made["currentStatus"]) == (None, "pending")
    nowhere = worker.scan(number, "scan_in")
    assert (nowhere.status, nowhere.errors["code"]) == (400, "STATION_UNKNOWN")
    assert worker.scan(number, "scan_in", station=station).data["pane"][
        "currentStation"
    ] == station  # fmt: skip
    worker.scan(number, "complete")
    assert worker.scan(number, "scan_out").data["pane"]["currentStatus"] == "completed"


def test_panes_of_a_cancelled_order_or_request_refuse_scans(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=1)
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    answer = worker.scan(job.numbers[0], "scan_in")
    assert (answer.status, answer.errors["code"]) == (400, "ALREADY_CANCELLED")
    # stored by a release that left the panes of cancelled orders open
    request = workshop.make(
        "Request", request_number="REQ-9001", customer=job.customer,
        details={"type": "a", "quantity": 1}, status="cancelled",
    )  # fmt: skip
    order = workshop.make(
        "Order", order_number="ORD-9001", customer=job.customer, quantity=1,
        material=job.material, status="cancelled",
    )  # fmt: skip
    for number, work in (("9001", {"request": request}), ("9002", {"order": order})):
        link = {name: record.pk for name, record in work.items()}
        workshop.make("Pane", pane_number=f"PNE-{number}", qr_code="x", **link)
        answer = worker.scan(f"PNE-{number}", "scan_in", station=job.stations[0])
        assert (answer.status, answer.errors["code"]) == (400, "WORK_CANCELLED")


def test_station_in_maintenance_refuses_scan_in(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    path = f"/api/stations/{job.stations[0]}"
    admin.patch(path, {"status": "maintenance"})
    answer = worker.scan(job.numbers[0], "scan_in")
    assert (answer.status, answer.errors["code"]) == (400, "STATION_IN_MAINTENANCE")
    early = worker.scan(job.numbers[0], "scan_out", beforeComplete=True)
    assert early.errors["code"] == "STATION_IN_MAINTENANCE"  # it implies a scan_in
    admin.patch(path, {"status": "online"})
    assert worker.scan(job.numbers[0], "scan_in").status == 200


def test_lenient_policy_allows_a_jump_along_the_route_and_logs_it(
    worker, admin, workshop, set_policy
):
    set_policy(scan_policy="lenient")
    job = order_with_panes(admin, workshop, steps=3)
    data = worker.scan(job.numbers[0], "scan_in", station=job.stations[2]).data
    assert (data["pane"]["routeIndex"], data["pane"]["currentStation"]) == (
        2,
        job.stations[2],
    )
    assert "0 → 2" in data["log"]["description"]
    elsewhere = str(workshop.station().pk)
    assert worker.scan(job.numbers[0], "scan_in", station=elsewhere).status == 400


@pytest.mark.parametrize(("step", "jump"), [(1, ""), (2, "0 → 2")])
def test_lenient_scan_in_at_a_later_station_is_the_forgotten_scan_out_too(
    worker, admin, workshop, set_policy, step, jump
):
    set_policy(scan_policy="lenient")
    job = order_with_panes(admin, workshop, steps=3)
    (number,) = job.numbers
    here, there = job.stations[0], job.stations[step]
    assert worker.scan(number, "complete", station=here).status == 200
    again = worker.scan(number, "scan_in", station=here)
    assert again.errors["code"] == "AWAITING_SCAN_OUT"
    pulled = worker.scan(number, "scan_in", station=there).data
    pane = pulled["pane"]
    assert (pane["currentStatus"], pane["routeIndex"]) == ("in_progress", step)
    assert pane["currentStation"] == there
    assert jump in pulled["log"]["description"]
    assert bool(pulled["log"]["description"]) == bool(jump)
    logged = admin.get("/api/pane-logs", paneNumber=number, sort="createdAt").data
    assert [(one["action"], one["station"]) for one in logged] == [
        ("scan_in", here),
        ("complete", here),
        ("scan_out", here),
        ("scan_in", there),
    ]
    undone = worker.post(f"/api/panes/{number}/undo", {}).data["pane"]
    assert (undone["currentStatus"], undone["currentStation"]) == (
        "awaiting_scan_out",
        here,
    )


def test_lenient_scan_in_at_an_earlier_station_implies_no_scan_out(
    worker, admin, workshop, set_policy
):
    set_policy(scan_policy="lenient")
    job = order_with_panes(admin, workshop, steps=3)
    (number,) = job.numbers
    worker.scan(number, "scan_in", station=job.stations[2])
    worker.scan(number, "complete")
    refused = worker.scan(number, "scan_in", station=job.stations[0])
    assert refused.errors["code"] == "AWAITING_SCAN_OUT"


def test_invalid_scans_are_refused_with_the_field(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    assert set(worker.post(f"/api/panes/{number}/scan", {}).faults) == {"action"}
    assert set(worker.scan(number, "dance").faults) == {"action"}
    assert set(worker.scan(number, "scan_in", station="here").faults) == {"station"}
    unknown = worker.scan(number, "scan_in", station="0" * 24)
    assert (unknown.status, unknown.message) == (400, "Station not found")
    for body in ({"action": "scan_in"}, {"action": "dance"}):
        missing = worker.post("/api/panes/PNE-0000/scan", body)
        assert (missing.status, missing.message) == (404, "Pane not found")
    assert pane_of(admin, number) == job.panes[0]


def test_another_workers_name_needs_workers_view(
    worker, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    scanner = client_with_keys("panes:scan")
    assert scanner.scan(number, "scan_in", operator=admin.id).status == 403
    data = admin.scan(number, "scan_in", operator=worker.id).data
    assert data["log"]["worker"] == worker.id
    unknown = admin.scan(number, "start", operator="0" * 24)
    assert (unknown.status, unknown.message) == (400, "Worker (operator) not found")


def test_assignee_gets_notifications_of_arrival_and_completion(
    worker, admin, manager, workshop
):
    job = order_with_panes(admin, workshop, steps=2, assignedTo=manager.id)
    for station in job.stations:
        pass_station(worker, job.numbers[0], station)
    _, *notifications = manager.get("/api/notifications", sort="createdAt").data
    assert [(one["type"], one["priority"]) for one in notifications] == [
        ("pane_arrived", "medium"),
        ("pane_completed", "low"),
    ]
    assert {one["referenceId"] for one in notifications} == {job.panes[0]["_id"]}
    assert worker.get("/api/notifications").data == []


@pytest.mark.parametrize("action", ["laminate", "qc_fail"])
def test_unknown_pane_is_not_found_for_every_action(worker, action):
    assert worker.scan("PNE-0000", action, reason="broken").status == 404


def test_refused_scans_and_changes_leave_all_records_unchanged(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "complete")
    lists = ("panes", "orders", "requests", "claims", "pane-logs", "notifications")

    def read_all():
        return [admin.get(f"/api/{n}", includeMerged="true").data for n in lists]

    before = read_all()
    refused = [
        worker.scan(job.numbers[0], "laminate"),
        worker.scan(job.numbers[0], "qc_fail", reason="melted"),
        worker.scan(job.numbers[0], "qc_fail"),
    ]
    off = str(workshop.station().pk)
    fields = {"reason": "broken", "remakeStationId": off}
    refused.append(worker.scan(job.numbers[0], "qc_fail", **fields))
    fields["remakeStationId"] = "0" * 24
    refused.append(worker.scan(job.numbers[0], "qc_fail", **fields))
    laminated = {"rawGlass": {"sheetsPerPane": 2}, "routing": job.stations}
    refused.append(admin.post("/api/panes", laminated))
    refused.append(admin.patch(f"/api/panes/{job.panes[0]['_id']}", laminated))
    body = {"customer": job.customer, "details": {"type": "a", "quantity": 1}}
    refused.append(admin.post("/api/requests", {**body, "panes": [{}, laminated]}))
    assert {answer.status for answer in refused} == {400}
    assert read_all() == before


def test_repeated_scan_after_a_change_of_the_pane_is_a_new_scan(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop)
    first = worker.scan(job.numbers[0], "scan_in").data
    assert worker.scan(job.numbers[0], "scan_in").data == first
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"notes": "x"})
    assert worker.scan(job.numbers[0], "scan_in").data["log"] != first["log"]
    worker.scan(job.numbers[0], "start")
    third = worker.scan(job.numbers[0], "scan_in").data
    assert len(admin.get("/api/pane-logs", action="scan_in").data) == 3
    assert third["log"]["_id"] != first["log"]["_id"]


def test_repeated_scan_returns_the_same_next_station(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=1, route=[0, 0])
    first = pass_station(worker, job.numbers[0], job.stations[0]).data
    again = worker.scan(job.numbers[0], "scan_out", station=job.stations[0]).data
    assert again == first
    assert first["nextStation"] == job.stations[0]


@pytest.mark.parametrize("number", ["PNE-0001/../x", "ก" * 300, "%00", "'", "*"])
def test_malformed_numbers_find_no_pane(worker, number):
    assert worker.scan(number, "scan_in").status == 404
    assert worker.post("/api/panes/batch-scan",
        {"paneNumbers": [number], "action": "scan_in"}).status == 400  # fmt: skip
