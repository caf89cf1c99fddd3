"""Claims hold their panes; a decision is final, and makes at most one remake."""

import pytest

from stories import line, through, to_the_press, units


@pytest.fixture
def day(admin, workshop):
    return line(admin, workshop, steps=2)


def pane_of(api, number):
    return api.get(f"/api/panes/{number}").data


def order_of(api, day):
    return api.get(f"/api/orders/{day.order['_id']}").data


def claim(api, number, **said):
    """Make a claim from a pane, reported by whoever makes it."""
    body = {"source": "worker", "description": "ร้าว", "reportedBy": api.id}
    return api.post("/api/claims/from-pane", {**body, "paneNumber": number, **said})


def decide(api, made, status="approved", **said):
    return api.patch(f"/api/claims/{made['_id']}", {"status": status, **said})


def remakes_of(api, number):
    return api.get("/api/panes", remakeOf=pane_of(api, number)["_id"]).data


def test_a_pending_claim_takes_its_pane_off_the_floor(admin, worker, day):
    (number,) = day.numbers
    through(worker, number, day.stations[0])
    worker.scan(number, "scan_in")
    claim(worker, number)
    held = pane_of(admin, number)
    assert (held["currentStatus"], held["currentStation"]) == ("claimed", None)
    assert order_of(admin, day)["stationBreakdown"] == {}
    assert order_of(admin, day)["paneCount"] == 1
    answer = worker.scan(number, "complete")
    assert (answer.status, answer.message) == (400, "Pane is already claimed")


def test_a_rejected_claim_puts_the_pane_back_where_it_was(admin, worker, day):
    (number,) = day.numbers
    through(worker, number, day.stations[0])
    worker.scan(number, "complete")
    before = pane_of(admin, number)
    made = claim(worker, number).data
    rejected = decide(admin, made, "rejected").data
    assert (rejected["status"], rejected["approvedBy"]) == ("rejected", admin.id)
    assert rejected["remadePane"] is None
    after = pane_of(admin, number)
    for name in ("currentStatus", "currentStation", "routeIndex"):
        assert after[name] == before[name], name
    assert order_of(admin, day)["stationBreakdown"] == {day.stations[1]: 1}
    assert worker.scan(number, "scan_out").data["pane"]["currentStatus"] == "completed"
    assert remakes_of(admin, number) == []


@pytest.mark.slow
def test_an_approved_claim_makes_one_remake_and_scraps_the_piece(admin, worker, day):
    (number,) = day.numbers
    through(worker, number, day.stations[0])
    made = claim(worker, number).data
    approved = decide(admin, made, decision="destroy").data
    (remake,) = remakes_of(admin, number)
    assert approved["remadePane"] == remake["_id"]
    assert (approved["approvedBy"], approved["decision"]) == (admin.id, "destroy")
    assert pane_of(admin, number)["currentStatus"] == "defected"
    assert (remake["currentStatus"], remake["routeIndex"]) == ("pending", 0)
    assert remake["currentStation"] == day.stations[0]
    order = order_of(admin, day)
    assert (order["paneCount"], order["stationBreakdown"]) == (1, {day.stations[0]: 1})
    for station in day.stations:
        through(worker, remake["paneNumber"], station)
    assert order_of(admin, day)["status"] == "completed"


def test_a_remake_of_a_claim_begins_at_the_named_station(admin, worker, day):
    made = claim(worker, day.numbers[0]).data
    assert decide(admin, made, remakeStation="0" * 24).status == 400
    off = admin.patch(f"/api/claims/{made['_id']}", {"remakeStation": day.stations[1]})
    assert off.data["status"] == "pending"
    decide(admin, made)
    (remake,) = remakes_of(admin, day.numbers[0])
    assert remake["currentStation"] == day.stations[1]


def test_a_station_off_the_way_decides_nothing(admin, worker, workshop, day):
    made = claim(worker, day.numbers[0]).data
    off = str(workshop.station().pk)
    answer = decide(admin, made, remakeStation=off)
    assert (answer.status, answer.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    assert admin.get(f"/api/claims/{made['_id']}").data == made


def test_a_kept_piece_without_a_remake_never_blocks_its_order(admin, worker, workshop):
    day = line(admin, workshop, steps=1, panes=2)
    kept, other = day.numbers
    made = claim(worker, kept).data
    approved = decide(admin, made, decision="keep", remake=False).data
    assert (approved["decision"], approved["remadePane"]) == ("keep", None)
    assert pane_of(admin, kept)["currentStatus"] == "claimed"
    order = order_of(admin, day)
    assert (order["paneCount"], order["status"]) == (1, "pending")
    through(worker, other, day.stations[0])
    assert order_of(admin, day)["status"] == "completed"
    again = claim(worker, kept)
    assert (again.status, again.errors["code"]) == (400, "ALREADY_CLAIMED")


def test_a_finished_pane_stays_finished_while_it_is_claimed(admin, worker, workshop):
    day = line(admin, workshop, steps=1)
    (number,) = day.numbers
    through(worker, number, day.stations[0])
    made = claim(worker, number, source="customer").data
    assert pane_of(admin, number)["currentStatus"] == "completed"
    assert order_of(admin, day)["status"] == "completed"
    second = claim(admin, number)
    assert (second.status, second.errors["code"]) == (409, "OPEN_CLAIM")
    decide(admin, made, decision="destroy")
    (remake,) = remakes_of(admin, number)
    order = order_of(admin, day)
    assert (order["status"], order["panesCompleted"]) == ("in_progress", 0)
    assert order["paneCount"] == 1
    through(worker, remake["paneNumber"], day.stations[0])
    assert order_of(admin, day)["status"] == "completed"


def test_a_finished_pane_that_is_kept_stays_counted(admin, worker, workshop):
    day = line(admin, workshop, steps=1)
    through(worker, day.numbers[0], day.stations[0])
    made = claim(worker, day.numbers[0]).data
    decide(admin, made, decision="keep", remake=False)
    order = order_of(admin, day)
    assert (order["paneCount"], order["status"]) == (1, "completed")


@pytest.mark.parametrize("first", ["approved", "rejected"])
def test_a_decision_is_final(admin, worker, day, first):
    made = claim(worker, day.numbers[0]).data
    assert decide(admin, made, first).status == 200
    decided = admin.get(f"/api/claims/{made['_id']}").data
    for change in (
        {"status": "approved"},
        {"status": "rejected"},
        {"status": "pending"},
        {"decision": "keep"},
        {"remake": False},
        {"remakeStation": day.stations[1]},
        {"pane": None},
    ):
        answer = admin.patch(f"/api/claims/{made['_id']}", change)
        assert (answer.status, answer.errors["code"]) == (400, "CLAIM_DECIDED")
    assert admin.get(f"/api/claims/{made['_id']}").data == decided
    told = worker.patch(f"/api/claims/{made['_id']}", {"description": "เพิ่มเติม"})
    assert told.data["description"] == "เพิ่มเติม"


def test_only_another_who_may_approve_decides(admin, manager, worker, holder, day):
    own = claim(manager, day.numbers[0]).data
    assert decide(manager, own).status == 403
    for change in ({"status": "rejected"}, {"decision": "keep"}, {"remake": False}):
        assert manager.patch(f"/api/claims/{own['_id']}", change).status == 403
    assert decide(worker, own).status == 403
    judge = holder("claims:view", "claims:approve")
    assert decide(judge, own).status == 403  # neither the reporter nor a manager
    assert decide(admin, own).status == 200


def test_a_holder_of_everything_decides_even_their_own(admin, day):
    made = claim(admin, day.numbers[0]).data
    assert decide(admin, made).data["approvedBy"] == admin.id


def test_a_reporter_sends_their_claim_back_as_it_is(worker, day):
    made = claim(worker, day.numbers[0]).data
    answer = worker.patch(f"/api/claims/{made['_id']}", {**made, "description": "y"})
    assert (answer.status, answer.data["description"]) == (200, "y")
    assert answer.data["status"] == "pending"


def test_an_approver_decides_while_making_the_claim(admin, manager, worker, day):
    (number,) = day.numbers
    assert claim(worker, number, status="approved").status == 403
    assert claim(manager, number, status="approved").status == 403  # their own
    said = {"status": "approved", "decision": "destroy", "reportedBy": worker.id}
    made = claim(manager, number, **said).data
    assert (made["status"], made["approvedBy"]) == ("approved", manager.id)
    (remake,) = remakes_of(admin, number)
    assert made["remadePane"] == remake["_id"]


def test_a_deleted_pending_claim_lets_its_pane_go(admin, worker, day):
    (number,) = day.numbers
    made = claim(worker, number).data
    assert admin.delete(f"/api/claims/{made['_id']}").status == 200
    back = pane_of(admin, number)
    assert (back["currentStatus"], back["currentStation"]) == (
        "pending",
        day.stations[0],
    )
    assert order_of(admin, day)["stationBreakdown"] == {day.stations[0]: 1}
    assert claim(worker, number).status == 201


def test_a_pane_has_one_open_claim(admin, worker, day):
    claim(worker, day.numbers[0])
    answer = claim(admin, day.numbers[0])
    assert (answer.status, answer.errors["code"]) == (409, "OPEN_CLAIM")


def test_a_claim_can_be_given_another_pane_while_it_is_open(admin, worker, workshop):
    day = line(admin, workshop, panes=2)
    first, second = day.numbers
    made = claim(worker, first).data
    change = {"pane": day.panes[1]["_id"]}
    assert admin.patch(f"/api/claims/{made['_id']}", change).status == 200
    assert pane_of(admin, first)["currentStatus"] == "pending"
    assert pane_of(admin, second)["currentStatus"] == "claimed"
    decide(admin, made)
    assert len(remakes_of(admin, second)) == 1
    assert remakes_of(admin, first) == []


def test_a_claim_without_a_pane_is_decided_and_makes_nothing(admin, worker, day):
    body = {
        "source": "customer",
        "material": day.material,
        "description": "สีผิด",
        "reportedBy": worker.id,
    }
    made = worker.post(f"/api/orders/{day.order['_id']}/claims", body).data
    assert decide(admin, made).data["remadePane"] is None
    assert len(admin.get("/api/panes").data) == 1


@pytest.mark.slow
def test_a_claimed_sheet_is_missing_until_its_remake_arrives(admin, worker, workshop):
    day = units(admin, workshop)
    a, b = day.sheets[0]
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    made = claim(worker, b).data
    assert worker.scan(a, "laminate").errors["sheetsPresent"] == 1
    never = decide(admin, made, remake=False)
    assert (never.status, never.errors["code"]) == (400, "SHEET_NEEDS_REMAKE")
    decide(admin, made, decision="keep")
    (remake,) = remakes_of(admin, b)
    assert remake["sheetLabel"] == "B2"
    to_the_press(worker, remake["paneNumber"], day)
    assert worker.scan(a, "laminate").data["mergedSheets"] == [a, remake["paneNumber"]]
    assert pane_of(admin, b)["currentStatus"] == "claimed"


@pytest.mark.slow
def test_a_rejected_sheet_is_present_again(admin, worker, workshop):
    day = units(admin, workshop)
    a, b = day.sheets[0]
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    decide(admin, claim(worker, b).data, "rejected")
    assert worker.scan(a, "laminate").status == 200


@pytest.mark.slow
def test_a_claimed_unit_is_made_again_whole(admin, worker, workshop):
    day = units(admin, workshop)
    a, b = day.sheets[0]
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    worker.scan(a, "laminate")
    gone = claim(worker, b)
    assert (gone.status, gone.errors["code"]) == (400, "MERGED_INTO")
    assert gone.errors["survivorPaneNumber"] == a
    decide(admin, claim(worker, a).data)
    (unit,) = remakes_of(admin, a)
    assert (unit["laminateRole"], len(unit["childPanes"])) == ("parent", 2)


def test_a_dormant_parent_is_not_claimed(admin, worker, workshop):
    day = units(admin, workshop)
    answer = claim(worker, day.parents[0])
    assert (answer.status, answer.errors["code"]) == (400, "LAMINATE_PARENT")


def test_a_claimed_pane_stays_in_its_order_until_that_is_decided(
    admin, worker, workshop
):
    day, other = units(admin, workshop), line(admin, workshop)
    made = claim(worker, day.sheets[0][0]).data
    change = {"order": other.order["_id"]}
    for number in (day.sheets[0][0], day.parents[0]):
        pane = pane_of(admin, number)
        assert admin.patch(f"/api/panes/{pane['_id']}", change).status in (400, 409)
    decide(admin, made, "rejected")
    parent = pane_of(admin, day.parents[0])
    assert admin.patch(f"/api/panes/{parent['_id']}", change).status == 200


def test_a_request_cancelled_meanwhile_keeps_the_pane_cancelled(admin, worker, day):
    (number,) = day.numbers
    made = claim(worker, number).data
    admin.patch(f"/api/requests/{day.request['_id']}", {"status": "cancelled"})
    assert pane_of(admin, number)["currentStatus"] == "cancelled"
    remade = decide(admin, made)
    assert (remade.status, remade.errors["code"]) == (400, "WORK_CANCELLED")
    assert decide(admin, made, "rejected").status == 200
    assert pane_of(admin, number)["currentStatus"] == "cancelled"


def test_reporter_and_assignee_are_told_once_each(admin, worker, manager, workshop):
    day = line(admin, workshop, assignedTo=manager.id, panes=2)
    for number, remake in zip(day.numbers, (True, False), strict=True):
        made = claim(worker, number).data
        assert decide(admin, made, decision="destroy", remake=remake).status == 200
    for who in (worker, manager):
        told = who.get("/api/notifications", recipient=who.id).data
        assert [one["type"] for one in told] == ["claim_approved"] * 2


def test_the_material_of_a_claims_remake_is_taken_and_logged(admin, worker, day):
    lot = {"material": day.material, "stockType": "Raw", "location": "A"}
    stored = admin.post("/api/inventories", {**lot, "quantity": 5}).data
    made = claim(worker, day.numbers[0]).data
    decide(admin, made)
    assert admin.get(f"/api/inventories/{stored['_id']}").data["quantity"] == 4
    (log,) = admin.get("/api/material-logs", actionType="remake").data
    assert (log["referenceType"], log["referenceId"]) == ("claim", made["_id"])


@pytest.mark.slow
def test_photos_are_links_and_data_urls_up_to_the_limit_of_a_claim(admin, worker, day):
    large = "data:image/jpeg;base64," + "A" * 5_000_000
    answer = claim(worker, day.numbers[0], photos=[large, "https://a.example/b.jpg"])
    assert answer.status == 201
    assert answer.data["photos"][0] == large
    too_large = "data:image/jpeg;base64," + "A" * 11_000_000
    path = f"/api/claims/{answer.data['_id']}"
    assert worker.patch(path, {"photos": [too_large]}).status == 413
    assert worker.patch(path, {"photos": [5]}).status == 400


@pytest.mark.slow
def test_a_piece_is_not_made_again_for_a_station_that_is_gone(admin, worker, workshop):
    day = line(admin, workshop, steps=2)
    for station in day.stations:
        through(worker, day.numbers[0], station)
    admin.patch(f"/api/orders/{day.order['_id']}", {"stations": []})
    assert admin.delete(f"/api/stations/{day.stations[0]}").status == 200
    made = claim(worker, day.numbers[0]).data
    answer = decide(admin, made)
    assert (answer.status, answer.message) == (400, "Station (routing) not found")
    assert remakes_of(admin, day.numbers[0]) == []
    back = {"currentStatus": "pending", "currentStation": day.stations[1]}
    assert admin.patch(f"/api/panes/{day.panes[0]['_id']}", back).status == 400
    assert decide(admin, made, remake=False).status == 200
