"""A pane on its way: what each scan does, and what is refused and why."""

import pytest

from glassflow.services import policy
from stories import line, through


def pane_of(api, number):
    return api.get(f"/api/panes/{number}").data


def logs_of(api, number):
    found = api.get("/api/pane-logs", paneId=pane_of(api, number)["_id"], sort="_id")
    return [log["action"] for log in found.data]


@pytest.fixture
def lenient():
    before = policy.current()
    policy.configure(policy.Policy(scan_policy="lenient"))
    yield
    policy.configure(before)


def test_a_pane_goes_from_request_to_finished(worker, admin, workshop):
    day = line(admin, workshop, steps=2)
    (number,) = day.numbers
    first, second = day.stations
    pane = day.panes[0]
    assert (pane["currentStatus"], pane["currentStation"], pane["routeIndex"]) == (
        "pending",
        first,
        0,
    )
    data = worker.scan(number, "scan_in", station=first).data
    assert data["pane"]["currentStatus"] == "in_progress"
    assert data["pane"]["material"] == day.material
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
    assert logs_of(admin, number) == [
        *["scan_in", "start", "complete", "scan_out"],
        *["scan_in", "complete", "qc_pass"],  # complete implied the scan_in
    ]
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["status"], order["progressPercent"]) == ("completed", 100)


@pytest.mark.parametrize(
    "form", ["{}", "STDPLUS:{}", "stdplus:{}", " {} ", "{}".lower()]
)
def test_a_pane_is_known_by_its_number_and_its_qr_code(worker, admin, workshop, form):
    day = line(admin, workshop)
    text = form.format(day.numbers[0])
    assert worker.scan(text, "scan_in").data["pane"]["paneNumber"] == day.numbers[0]
    assert worker.scan(text.lower(), "start").status == 200
    assert worker.get(f"/api/panes/{text.lower()}").data["_id"] == day.panes[0]["_id"]


def test_a_scan_at_the_wrong_station_says_where_the_pane_is(worker, admin, workshop):
    day = line(admin, workshop)
    first, second = day.stations
    answer = worker.scan(day.numbers[0], "scan_in", station=second)
    assert answer.status == 400
    assert answer.message == f"กระจกอยู่ที่สถานี {first} ไม่ใช่ {second}"
    names = {s["_id"]: s["name"] for s in admin.get("/api/stations").data}
    assert answer.errors["code"] == "WRONG_STATION"
    assert answer.errors["currentStation"] == {"_id": first, "name": names[first]}
    assert answer.errors["givenStation"] == {"_id": second, "name": names[second]}
    assert pane_of(admin, day.numbers[0]) == day.panes[0]
    assert logs_of(admin, day.numbers[0]) == []


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
@pytest.mark.parametrize("before", [None, "scan_in"])
def test_leaving_before_complete_is_refused(worker, admin, workshop, action, before):
    day = line(admin, workshop)
    if before:
        worker.scan(day.numbers[0], before)
    answer = worker.scan(day.numbers[0], action)
    assert answer.status == 400
    assert "เสร็จสิ้น" in answer.message


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("completed", "already completed"),
        ("defected", "already defected"),
        ("claimed", "already claimed"),
        ("cancelled", "already cancelled"),
        ("merged_into", "already merged"),
    ],
)
@pytest.mark.parametrize("action", ["scan_in", "complete", "scan_out"])
def test_a_pane_that_is_gone_says_so(worker, workshop, status, words, action):
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
    assert words in answer.message
    if status == "merged_into":
        assert answer.errors["code"] == "MERGED_INTO"
        assert answer.errors["survivorPaneNumber"] == "PNE-9001"


def test_the_dormant_parent_of_a_group_takes_no_scan(worker, workshop):
    workshop.make("Pane", pane_number="PNE-9001", qr_code="x", laminate_role="parent")
    answer = worker.scan("PNE-9001", "scan_in", station=str(workshop.station().pk))
    assert (answer.status, answer.errors["code"]) == (400, "LAMINATE_PARENT")


def test_complete_twice_is_fine(worker, admin, workshop):
    day = line(admin, workshop)
    for word in ("first", "second"):
        answer = worker.scan(day.numbers[0], "complete", description=word)
        assert answer.data["pane"]["currentStatus"] == "awaiting_scan_out"


def test_the_same_scan_again_answers_the_first_result_and_logs_nothing(
    worker, admin, workshop
):
    day = line(admin, workshop)
    (number,), (first, _) = day.numbers, day.stations
    through_first = through(worker, number, first).data
    again = worker.scan(number, "scan_out", station=first).data
    assert again == through_first
    assert logs_of(admin, number) == ["scan_in", "complete", "scan_out"]
    other = admin.scan(number, "scan_out", station=first)  # another worker
    assert (other.status, other.errors["code"]) == (400, "WRONG_STATION")
    assert worker.scan(number, "scan_in", station=day.stations[1]).status == 200
    late = worker.scan(number, "scan_out", station=first)  # the pane has gone on
    assert (late.status, late.errors["code"]) == (400, "WRONG_STATION")


def test_after_some_seconds_the_same_scan_is_a_new_one(worker, admin, workshop):
    before = policy.current()
    policy.configure(policy.Policy(scan_repeat_seconds=0))
    try:
        day = line(admin, workshop)
        for _ in range(2):
            worker.scan(day.numbers[0], "scan_in")
        assert logs_of(admin, day.numbers[0]) == ["scan_in", "scan_in"]
    finally:
        policy.configure(before)


def test_a_route_that_comes_back_to_a_station_is_walked_by_position(
    worker, admin, workshop
):
    day = line(admin, workshop, steps=2, route=[0, 1, 0, 0])
    positions = []
    for step in (0, 1, 0, 0):
        data = through(worker, day.numbers[0], day.stations[step]).data
        positions.append((data["pane"]["routeIndex"], data["pane"]["currentStatus"]))
    assert positions == [(1, "pending"), (2, "pending"), (3, "pending"),
                         (4, "completed")]  # fmt: skip


def test_a_pane_without_a_route_starts_anywhere_and_ends_at_its_first_scan_out(
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


def test_a_cancelled_order_or_request_stops_its_panes(worker, admin, workshop):
    day = line(admin, workshop, panes=1)
    admin.patch(f"/api/orders/{day.order['_id']}", {"status": "cancelled"})
    answer = worker.scan(day.numbers[0], "scan_in")
    assert (answer.status, answer.errors["code"]) == (400, "WORK_CANCELLED")
    request = workshop.make(
        "Request", request_number="REQ-9001", customer=day.customer,
        details={"type": "a", "quantity": 1}, status="cancelled",
    )  # fmt: skip
    workshop.make("Pane", pane_number="PNE-9001", qr_code="x", request=request.pk)
    answer = worker.scan("PNE-9001", "scan_in", station=day.stations[0])
    assert (answer.status, answer.errors["code"]) == (400, "WORK_CANCELLED")


def test_a_station_in_maintenance_takes_nothing_in(worker, admin, workshop):
    day = line(admin, workshop)
    path = f"/api/stations/{day.stations[0]}"
    admin.patch(path, {"status": "maintenance"})
    answer = worker.scan(day.numbers[0], "scan_in")
    assert (answer.status, answer.errors["code"]) == (400, "STATION_IN_MAINTENANCE")
    admin.patch(path, {"status": "online"})
    assert worker.scan(day.numbers[0], "scan_in").status == 200


def test_lenient_scanning_jumps_along_the_route_and_logs_the_jump(
    worker, admin, workshop, lenient
):
    day = line(admin, workshop, steps=3)
    data = worker.scan(day.numbers[0], "scan_in", station=day.stations[2]).data
    assert (data["pane"]["routeIndex"], data["pane"]["currentStation"]) == (
        2,
        day.stations[2],
    )
    assert "0 → 2" in data["log"]["description"]
    elsewhere = str(workshop.station().pk)
    assert worker.scan(day.numbers[0], "scan_in", station=elsewhere).status == 400


def test_bad_scans_are_told_what_is_wrong(worker, admin, workshop):
    day = line(admin, workshop)
    (number,) = day.numbers
    assert set(worker.post(f"/api/panes/{number}/scan", {}).faults) == {"action"}
    assert set(worker.scan(number, "dance").faults) == {"action"}
    assert set(worker.scan(number, "scan_in", station="here").faults) == {"station"}
    unknown = worker.scan(number, "scan_in", station="0" * 24)
    assert (unknown.status, unknown.message) == (400, "Station not found")
    for body in ({"action": "scan_in"}, {"action": "dance"}):
        missing = worker.post("/api/panes/PNE-0000/scan", body)
        assert (missing.status, missing.message) == (404, "Pane not found")
    assert pane_of(admin, number) == day.panes[0]


def test_another_workers_name_needs_workers_view(worker, admin, workshop):
    day = line(admin, workshop)
    (number,) = day.numbers
    assert worker.scan(number, "scan_in", operator=admin.id).status == 403
    data = admin.scan(number, "scan_in", operator=worker.id).data
    assert data["log"]["worker"] == worker.id
    unknown = admin.scan(number, "start", operator="0" * 24)
    assert (unknown.status, unknown.message) == (400, "Worker (operator) not found")


def test_arrivals_and_ends_are_told_to_the_one_who_is_assigned(
    worker, admin, manager, workshop
):
    day = line(admin, workshop, steps=2, assignedTo=manager.id)
    for station in day.stations:
        through(worker, day.numbers[0], station)
    told = manager.get("/api/notifications", sort="createdAt").data
    assert [(one["type"], one["priority"]) for one in told] == [
        ("pane_arrived", "medium"),
        ("pane_completed", "low"),
    ]
    assert {one["referenceId"] for one in told} == {day.panes[0]["_id"]}
    assert worker.get("/api/notifications").data == []
