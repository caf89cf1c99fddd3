"""Pending claims hold their pane; a final decision creates at most one remake."""

import pytest
from bson import ObjectId

from glassflow.models.pane import Pane
from lookups import claim_of, order_of, pane_of, remakes_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop, steps=2)


def decide(api, made, status="approved", **fields):
    return api.patch(f"/api/claims/{made['_id']}", {"status": status, **fields})


def test_pending_claim_removes_its_pane_from_its_station(admin, worker, job):
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    worker.scan(number, "scan_in")
    claim_pane(worker, number)
    held = pane_of(admin, number)
    assert (held["currentStatus"], held["currentStation"]) == ("claimed", None)
    assert order_of(admin, job.order)["stationBreakdown"] == {}
    assert order_of(admin, job.order)["paneCount"] == 1
    answer = worker.scan(number, "complete")
    assert (answer.status, answer.message) == (400, "Pane is already claimed")


def test_rejected_claim_returns_the_pane_to_its_station(admin, worker, job):
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    worker.scan(number, "complete")
    before = pane_of(admin, number)
    made = claim_pane(worker, number).data
    rejected = decide(admin, made, "rejected").data
    assert (rejected["status"], rejected["approvedBy"]) == ("rejected", admin.id)
    assert rejected["remadePane"] is None
    after = pane_of(admin, number)
    for name in ("currentStatus", "currentStation", "routeIndex"):
        assert after[name] == before[name], name
    assert order_of(admin, job.order)["stationBreakdown"] == {job.stations[1]: 1}
    assert worker.scan(number, "scan_out").data["pane"]["currentStatus"] == "completed"
    assert remakes_of(admin, number) == []


@pytest.mark.slow
def test_approved_claim_creates_one_remake_and_marks_the_pane_defected(
    admin, worker, job
):
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    made = claim_pane(worker, number).data
    approved = decide(admin, made, decision="destroy").data
    (remake,) = remakes_of(admin, number)
    assert approved["remadePane"] == remake["_id"]
    assert (approved["approvedBy"], approved["decision"]) == (admin.id, "destroy")
    assert pane_of(admin, number)["currentStatus"] == "defected"
    assert (remake["currentStatus"], remake["routeIndex"]) == ("pending", 0)
    assert remake["currentStation"] == job.stations[0]
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["stationBreakdown"]) == (1, {job.stations[0]: 1})
    for station in job.stations:
        pass_station(worker, remake["paneNumber"], station)
    assert order_of(admin, job.order)["status"] == "completed"


def test_remake_of_a_claim_starts_at_the_named_station(admin, worker, job):
    made = claim_pane(worker, job.numbers[0]).data
    assert decide(admin, made, remakeStation="0" * 24).status == 400
    off = admin.patch(f"/api/claims/{made['_id']}", {"remakeStation": job.stations[1]})
    assert off.data["status"] == "pending"
    decide(admin, made)
    (remake,) = remakes_of(admin, job.numbers[0])
    assert remake["currentStation"] == job.stations[1]


def test_remake_station_off_the_route_is_refused(admin, worker, workshop, job):
    made = claim_pane(worker, job.numbers[0]).data
    off = str(workshop.station().pk)
    for fields in ({}, {"status": "approved"}, {"status": "rejected"}):
        path = f"/api/claims/{made['_id']}"
        answer = admin.patch(path, {**fields, "remakeStation": off})
        assert (answer.status, answer.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    assert claim_of(admin, made) == made
    admin.delete(f"/api/claims/{made['_id']}")
    answer = claim_pane(admin, job.numbers[0], remakeStation=off)
    assert (answer.status, answer.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")


@pytest.mark.slow
def test_remake_of_a_laminated_unit_starts_on_the_route_of_its_sheets(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    _, lamination, after = job.stations
    a, b = job.sheets[0]
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    worker.scan(a, "laminate")
    made = claim_pane(worker, a).data
    refused = decide(admin, made, remakeStation=after)
    assert (refused.status, refused.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    assert decide(admin, made, remakeStation=lamination).status == 200


def test_kept_pane_without_a_remake_does_not_block_its_order(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    kept, other = job.numbers
    made = claim_pane(worker, kept).data
    approved = decide(admin, made, decision="keep", remake=False).data
    assert (approved["decision"], approved["remadePane"]) == ("keep", None)
    assert pane_of(admin, kept)["currentStatus"] == "claimed"
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["status"]) == (1, "pending")
    pass_station(worker, other, job.stations[0])
    assert order_of(admin, job.order)["status"] == "completed"
    again = claim_pane(worker, kept)
    assert (again.status, again.errors["code"]) == (400, "ALREADY_CLAIMED")


def test_completed_pane_stays_completed_while_it_is_claimed(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    made = claim_pane(worker, number, source="customer").data
    assert pane_of(admin, number)["currentStatus"] == "completed"
    assert order_of(admin, job.order)["status"] == "completed"
    second = claim_pane(admin, number)
    assert (second.status, second.errors["code"]) == (409, "OPEN_CLAIM")
    decide(admin, made, decision="destroy")
    (remake,) = remakes_of(admin, number)
    order = order_of(admin, job.order)
    assert (order["status"], order["panesCompleted"]) == ("in_progress", 0)
    assert order["paneCount"] == 1
    pass_station(worker, remake["paneNumber"], job.stations[0])
    assert order_of(admin, job.order)["status"] == "completed"


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        ({"decision": "keep"}, "PANE_REPLACED"),
        ({"decision": "keep", "remake": False}, "CLAIMED_BEFORE"),
        ({"decision": "destroy"}, "ALREADY_DEFECTED"),
        ({"decision": "destroy", "remake": False}, "ALREADY_DEFECTED"),
        ({}, "PANE_REPLACED"),
    ],
    ids=str,
)
def test_completed_pane_is_claimed_once(admin, worker, workshop, decision, code):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    number, other = job.numbers
    pass_station(worker, number, job.stations[0])
    decide(admin, claim_pane(worker, number).data, **decision)
    again = claim_pane(worker, number)
    assert (again.status, again.errors["code"]) == (400, code)
    assert again.errors["paneNumber"] == number
    open_claim = claim_pane(worker, other).data
    moved = {"pane": pane_of(admin, number)["_id"]}
    answer = worker.patch(f"/api/claims/{open_claim['_id']}", moved)
    assert (answer.status, answer.errors["code"]) == (400, code)
    assert claim_of(admin, open_claim) == open_claim


def test_completed_pane_can_be_claimed_again_after_a_rejection(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    decide(admin, claim_pane(worker, job.numbers[0]).data, "rejected")
    made = claim_pane(worker, job.numbers[0]).data
    assert decide(admin, made).data["remadePane"]


def test_completed_pane_that_is_kept_is_still_counted(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    made = claim_pane(worker, job.numbers[0]).data
    decide(admin, made, decision="keep", remake=False)
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["status"]) == (1, "completed")


def test_decided_claim_that_is_sent_back_as_it_was_read_stays_as_it_is(
    admin, worker, job
):
    made = claim_pane(worker, job.numbers[0]).data
    decided = decide(admin, made).data
    for api in (admin, worker):
        answer = api.patch(f"/api/claims/{made['_id']}", decided)
        assert (answer.status, answer.body.get("warnings")) == (200, None)
        assert answer.data == decided
    assert claim_of(admin, made) == decided


@pytest.mark.parametrize("first", ["approved", "rejected"])
def test_decision_is_final(admin, worker, job, first):
    made = claim_pane(worker, job.numbers[0]).data
    assert decide(admin, made, first).status == 200
    decided = claim_of(admin, made)
    for change in (
        {"status": "approved"},
        {"status": "rejected"},
        {"status": "pending"},
        {"decision": "keep"},
        {"remake": False},
        {"remakeStation": job.stations[1]},
        {"pane": None},
    ):
        answer = admin.patch(f"/api/claims/{made['_id']}", change)
        assert (answer.status, answer.errors["code"]) == (400, "CLAIM_DECIDED")
    assert claim_of(admin, made) == decided
    answer = worker.patch(f"/api/claims/{made['_id']}", {"description": "เพิ่มเติม"})
    assert answer.data["description"] == "เพิ่มเติม"


def test_deleting_a_pending_claim_releases_its_pane(admin, worker, job):
    (number,) = job.numbers
    made = claim_pane(worker, number).data
    assert admin.delete(f"/api/claims/{made['_id']}").status == 200
    back = pane_of(admin, number)
    assert (back["currentStatus"], back["currentStation"]) == (
        "pending",
        job.stations[0],
    )
    assert order_of(admin, job.order)["stationBreakdown"] == {job.stations[0]: 1}
    assert claim_pane(worker, number).status == 201


def test_pane_has_one_open_claim(admin, worker, job):
    claim_pane(worker, job.numbers[0])
    answer = claim_pane(admin, job.numbers[0])
    assert (answer.status, answer.errors["code"]) == (409, "OPEN_CLAIM")


def test_open_claim_can_change_its_pane(admin, worker, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    first, second = job.numbers
    made = claim_pane(worker, first).data
    change = {"pane": job.panes[1]["_id"]}
    assert admin.patch(f"/api/claims/{made['_id']}", change).status == 200
    assert pane_of(admin, first)["currentStatus"] == "pending"
    assert pane_of(admin, second)["currentStatus"] == "claimed"
    decide(admin, made)
    assert len(remakes_of(admin, second)) == 1
    assert remakes_of(admin, first) == []


def test_approved_claim_without_a_pane_creates_no_remake(admin, worker, job):
    body = {
        "source": "customer",
        "material": job.material,
        "description": "สีผิด",
        "reportedBy": worker.id,
    }
    made = worker.post(f"/api/orders/{job.order['_id']}/claims", body).data
    assert decide(admin, made).data["remadePane"] is None
    assert len(admin.get("/api/panes").data) == 1


@pytest.mark.slow
def test_claimed_sheet_is_missing_until_its_remake_arrives(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    a, b = job.sheets[0]
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    made = claim_pane(worker, b).data
    assert worker.scan(a, "laminate").errors["sheetsPresent"] == 1
    never = decide(admin, made, remake=False)
    assert (never.status, never.errors["code"]) == (400, "SHEET_NEEDS_REMAKE")
    decide(admin, made, decision="keep")
    (remake,) = remakes_of(admin, b)
    assert remake["sheetLabel"] == "B2"
    bring_to_lamination(worker, remake["paneNumber"], job)
    assert worker.scan(a, "laminate").data["sheetPaneNumbers"] == [
        a,
        remake["paneNumber"],
    ]
    assert pane_of(admin, b)["currentStatus"] == "claimed"


@pytest.mark.slow
def test_sheet_of_a_rejected_claim_is_present_again(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    a, b = job.sheets[0]
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    decide(admin, claim_pane(worker, b).data, "rejected")
    assert worker.scan(a, "laminate").status == 200


@pytest.mark.slow
def test_approved_claim_of_a_merged_unit_remakes_all_its_sheets(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    a, b = job.sheets[0]
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    worker.scan(a, "laminate")
    gone = claim_pane(worker, b)
    assert (gone.status, gone.errors["code"]) == (400, "MERGED_INTO")
    assert gone.errors["survivorPaneNumber"] == a
    decide(admin, claim_pane(worker, a).data)
    (unit,) = remakes_of(admin, a)
    assert (unit["laminateRole"], len(unit["childPanes"])) == ("parent", 2)


def test_unmerged_parent_cannot_be_claimed(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    answer = claim_pane(worker, job.parents[0])
    assert (answer.status, answer.errors["code"]) == (400, "LAMINATE_PARENT")


def test_claimed_pane_cannot_change_its_order_until_the_decision(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    other = order_with_panes(admin, workshop, customer=job.customer)
    made = claim_pane(worker, job.sheets[0][0]).data
    change = {"order": other.order["_id"]}
    for number in (job.sheets[0][0], job.parents[0]):
        pane = pane_of(admin, number)
        assert admin.patch(f"/api/panes/{pane['_id']}", change).status in (400, 409)
    decide(admin, made, "rejected")
    parent = pane_of(admin, job.parents[0])
    assert admin.patch(f"/api/panes/{parent['_id']}", change).status == 200


@pytest.mark.parametrize("correction", ["status", "station", "route", "loss"])
@pytest.mark.parametrize("decision", ["approved", "rejected"])
def test_finished_pane_with_an_open_claim_is_not_reopened(
    admin, worker, workshop, correction, decision
):
    job = order_with_panes(admin, workshop, steps=1)
    (number,), (station,) = job.numbers, job.stations
    pass_station(worker, number, station)
    made = claim_pane(worker, number).data
    held = pane_of(admin, number)
    change = {
        "status": {"currentStatus": "pending", "currentStation": station},
        "station": {"currentStatus": "in_progress", "currentStation": station},
        "route": {"routing": [station, str(workshop.station().pk)]},
        "loss": {"currentStatus": "defected"},
    }[correction]
    answer = admin.patch(f"/api/panes/{held['_id']}", change)
    assert (answer.status, answer.errors["code"]) == (409, "OPEN_CLAIM")
    assert pane_of(admin, number) == held
    details = {**held, "notes": "x"}
    assert admin.patch(f"/api/panes/{held['_id']}", details).status == 200
    assert decide(admin, made, decision, remake=False).status == 200
    assert pane_of(admin, number)["currentStatus"] == "completed"
    if decision == "rejected":
        assert admin.patch(f"/api/panes/{held['_id']}", change).status == 200


def test_last_scan_of_a_claimed_pane_is_not_undone(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    (number,) = job.numbers
    pass_station(worker, number, job.stations[0])
    claim_pane(worker, number)
    held = pane_of(admin, number)
    answer = worker.post(f"/api/panes/{number}/undo", {})
    assert (answer.status, answer.errors["code"]) == (400, "CHANGED_SINCE_SCAN")
    assert pane_of(admin, number) == held


@pytest.mark.parametrize("decision", ["destroy", "keep"])
def test_approval_takes_a_pane_that_an_earlier_release_reopened_off_its_station(
    admin, worker, workshop, decision
):
    job = order_with_panes(admin, workshop, steps=1)
    (number,), (station,) = job.numbers, job.stations
    pass_station(worker, number, station)
    made = claim_pane(worker, number).data
    stored = Pane.objects(pane_number=number)
    stored.update(current_status="pending", current_station=ObjectId(station))
    assert decide(admin, made, decision=decision, remake=False).status == 200
    pane = pane_of(admin, number)
    assert (pane["currentStation"], pane["arrivedAt"]) == (None, None)
    assert order_of(admin, job.order)["stationBreakdown"] == {}


@pytest.mark.parametrize("stopped", ["orders", "requests"])
def test_cancellation_rejects_the_pending_claims_of_its_panes_for_good(
    admin, worker, job, stopped
):
    (number,) = job.numbers
    made = claim_pane(worker, number).data
    record = job.order if stopped == "orders" else job.request
    path = f"/api/{stopped}/{record['_id']}"
    admin.patch(path, {"status": "cancelled"})
    assert pane_of(admin, number)["currentStatus"] == "cancelled"
    rejected = claim_of(admin, made)
    assert (rejected["status"], rejected["approvedBy"]) == ("rejected", admin.id)
    again = decide(admin, made)
    assert (again.status, again.errors["code"]) == (400, "CLAIM_DECIDED")
    admin.patch(path, {"status": "pending"})
    assert claim_of(admin, made) == rejected
    restored = pane_of(admin, number)
    assert (restored["currentStatus"], restored["currentStation"]) == (
        "pending",
        job.stations[0],
    )
    assert claim_pane(worker, number).status == 201


def test_reporter_and_assignee_get_one_notification_each(
    admin, worker, manager, workshop
):
    job = order_with_panes(admin, workshop, assignedTo=manager.id, panes=2)
    for number, remake in zip(job.numbers, (True, False), strict=True):
        made = claim_pane(worker, number).data
        assert decide(admin, made, decision="destroy", remake=remake).status == 200
    for who in (worker, manager):
        own = {"recipient": who.id, "type_ne": "order_assigned"}
        notifications = who.get("/api/notifications", **own).data
        assert [one["type"] for one in notifications] == ["claim_approved"] * 2


def test_remake_of_a_claim_is_in_the_book_and_takes_no_stock(admin, worker, job):
    lot = {"material": job.material, "stockType": "Raw", "location": "A"}
    stored = admin.post("/api/inventories", {**lot, "quantity": 5}).data
    made = claim_pane(worker, job.numbers[0]).data
    decide(admin, made)
    assert admin.get(f"/api/inventories/{stored['_id']}").data["quantity"] == 5
    (log,) = admin.get("/api/material-logs", actionType="remake").data
    assert (log["referenceType"], log["referenceId"]) == ("claim", made["_id"])
    assert log["quantityChanged"] == 0


@pytest.mark.parametrize("change", [{"status": "approved"}, {"decision": "keep"}])
def test_decision_on_an_unknown_claim_is_not_found(admin, change):
    assert admin.patch(f"/api/claims/{'0' * 24}", change).status == 404


def test_remake_leaves_out_stations_that_are_gone(admin, worker, job):
    """Finished glass is claimed after a station of its route has been replaced."""
    first, last = job.stations
    for station in job.stations:
        pass_station(worker, job.numbers[0], station)
    assert admin.delete(f"/api/stations/{first}").status == 200
    made = claim_pane(worker, job.numbers[0]).data
    assert decide(admin, made).status == 200
    (remake,) = remakes_of(admin, job.numbers[0])
    assert (remake["routing"], remake["currentStation"]) == ([last], last)


def test_approval_gives_a_route_where_no_station_of_the_old_one_is_left(
    admin, worker, workshop, job
):
    for station in job.stations:
        pass_station(worker, job.numbers[0], station)
    named = [admin.get(f"/api/stations/{one}").data["name"] for one in job.stations]
    new = [str(one.pk) for one in workshop.stations(2)]
    made = claim_pane(worker, job.numbers[0]).data
    path = f"/api/claims/{made['_id']}"
    for station in job.stations:
        assert admin.delete(f"/api/stations/{station}").status == 200
        admin.get(f"/api/stations/{station}/history")  # which has its last name then
    refused = decide(admin, made)
    assert (refused.status, refused.errors["code"]) == (400, "STATION_GONE")
    assert {one["name"] for one in refused.errors["stations"]} == set(named)
    assert all(name in refused.message for name in named)
    said = admin.get(f"{path}/outcomes").data["outcomes"]
    assert said[1]["refusal"]["code"] == "STATION_GONE"
    routed = admin.get(f"{path}/outcomes", routing=",".join(new)).data["outcomes"]
    assert routed[1]["remade"]["station"] == new[0]

    for body in ({"routing": new}, {"status": "rejected", "routing": new}):
        assert set(admin.patch(path, body).faults) == {"routing"}
    unknown = decide(admin, made, routing=[str(ObjectId())])
    assert (unknown.status, unknown.message) == (400, "Station (routing) not found")
    assert claim_of(admin, made)["status"] == "pending"
    approved = decide(admin, made, routing=new, remakeStation=new[1])
    assert approved.status == 200
    assert "warnings" not in approved.body
    (remake,) = remakes_of(admin, job.numbers[0])
    assert (remake["routing"], remake["currentStation"]) == (new, new[1])
    pass_station(worker, remake["paneNumber"], new[1])
    assert order_of(admin, job.order)["status"] == "completed"


def test_unit_is_made_again_on_a_route_with_a_lamination_station_that_exists(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop, after=0)
    for sheet in job.sheets[0]:
        bring_to_lamination(worker, sheet, job)
    survivor = job.sheets[0][0]
    worker.scan(survivor, "laminate")
    assert (
        worker.scan(survivor, "scan_out").data["pane"]["currentStatus"] == "completed"
    )
    made = claim_pane(worker, survivor).data
    assert admin.delete(f"/api/stations/{job.lamination_station}").status == 200
    assert decide(admin, made).errors["code"] == "STATION_GONE"
    plain = [str(workshop.station().pk)]
    nowhere = decide(admin, made, routing=plain)
    assert nowhere.errors["code"] == "NO_LAMINATION_STATION"
    other = str(workshop.station(is_laminate_station=True).pk)
    assert decide(admin, made, routing=[*plain, other]).status == 200
    (unit,) = remakes_of(admin, survivor)
    sheets = admin.get("/api/panes", parentPane=unit["_id"]).data
    assert [one["routing"] for one in sheets] == [[*plain, other]] * 2
    assert unit["laminateStation"] == other


def test_sheet_made_again_on_another_route_ends_where_its_unit_is_laminated(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    made = claim_pane(worker, job.sheets[0][0]).data
    other = str(workshop.station().pk)
    refused = decide(admin, made, routing=[other])
    assert refused.errors["code"] == "CORRECTION_REFUSED"
    route = [other, job.lamination_station]
    assert decide(admin, made, routing=route).status == 200
    assert remakes_of(admin, job.sheets[0][0])[0]["routing"] == route
