"""Cutting plans: proposed, released, cut sheet by sheet, taken back and cancelled."""

from functools import partial

import pytest

from concurrency import count_refusals, run_concurrently, successes
from cutting_api import (
    PANE,
    PLANS,
    act,
    cut,
    job_to_cut,
    planned,
    post_plan,
    read_plan,
    released,
    search,
    sheets_of,
    undo_cut,
)
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.inventory import Inventory
from glassflow.models.pane import Pane
from glassflow.services.cutting.audit import differences
from lookups import pane_of
from scenarios import order_with_panes
from stock_api import (
    assert_stock_matches_ledger,
    create_lot,
    ledger_entries,
    quantities_of,
    withdraw,
)


@pytest.fixture
def job(admin, workshop):
    """Four panes that wait for cutting, two on each of three sheets in stock."""
    return job_to_cut(admin, workshop)


def statuses(api, numbers):
    return [pane_of(api, one)["currentStatus"] for one in numbers]


def plans_of(api, numbers):
    return [pane_of(api, one)["cuttingPlan"] for one in numbers]


def lot_of(api, lot):
    return api.get(f"/api/inventories/{lot['_id']}").data


def test_a_plan_has_all_panes_that_wait_on_as_few_sheets_as_possible(admin, job):
    made = post_plan(admin, job)
    assert (made.status, made.data["status"], made.data["searchStatus"]) == (
        201,
        "proposed",
        "waiting",
    )
    assert made.data["planNumber"].startswith("CUT-")
    search()
    found = read_plan(admin, made.data)
    assert found["figures"]["panes"] == 4
    assert found["figures"]["sheets"] == 2
    assert found["figures"]["paneArea"] == pytest.approx(3.24)
    assert (found["maker"], found["unplanned"]) == ("search", [])
    sheets = sheets_of(admin, found)
    assert [one["number"] for one in sheets] == [1, 2]
    on_sheets = [pane for one in sheets for pane in one["panes"]]
    assert sorted(one["paneNumber"] for one in on_sheets) == job.numbers
    assert {one["state"] for one in on_sheets} == {"planned"}
    assert {(one["width"], one["height"]) for one in on_sheets} == {(900, 900)}
    assert {one["lot"]["_id"] for one in sheets} == {job.lot["_id"]}
    # nothing is reserved yet
    assert plans_of(admin, job.numbers) == [None] * 4
    assert lot_of(admin, job.lot)["reservations"] == []


def test_a_released_plan_is_cut_sheet_by_sheet(admin, worker, job):
    plan = released(admin, job)
    assert (plan["status"], plan["searchStatus"]) == ("released", "ended")
    assert plans_of(admin, job.numbers) == [plan["_id"]] * 4
    assert lot_of(admin, job.lot)["reservations"] == [
        {"plan": plan["_id"], "quantity": 2}
    ]
    first = sheets_of(admin, plan)[0]
    done = cut(worker, plan, 1, station=job.stations[0])
    assert done.status == 200, done
    assert done.data["plan"]["status"] == "cutting"
    numbers = [one["paneNumber"] for one in first["panes"]]
    assert [one["paneNumber"] for one in done.data["panes"]] == numbers
    for pane in done.data["panes"]:
        assert pane["currentStatus"] == "awaiting_scan_out"
        assert (pane["inventory"], pane["cuttingPlan"]) == (job.lot["_id"], None)
        assert pane["isWithdrawn"]
    lot = lot_of(admin, job.lot)
    assert (lot["quantity"], lot["reservations"]) == (
        2,
        [{"plan": plan["_id"], "quantity": 1}],
    )
    shown = sheets_of(admin, plan)[0]
    assert {one["state"] for one in shown["panes"]} == {"cut"}
    assert shown["cutByName"] == worker.worker.name
    again = cut(worker, plan, 1, station=job.stations[0])
    assert (again.status, again.errors["code"]) == (409, "SHEET_CUT")
    last = cut(worker, plan, 2).data["plan"]
    assert (last["status"], bool(last["doneAt"])) == ("done", True)
    assert statuses(admin, job.numbers) == ["awaiting_scan_out"] * 4
    assert lot_of(admin, job.lot)["reservations"] == []
    (one, two) = admin.get("/api/withdrawals", material=job.material).data
    assert (one["status"], one["quantity"], one["order"]) == (
        "approved",
        1,
        job.order["_id"],
    )
    assert one["notes"] == f"{plan['planNumber']}/2"
    assert two["notes"] == f"{plan['planNumber']}/1"
    assert_stock_matches_ledger()


def test_rests_of_a_sheet_that_are_large_enough_become_lots_with_labels(admin, job):
    plan = released(admin, job)
    before = sheets_of(admin, plan)[0]
    kept = [one for one in before["rests"] if one["isKept"]]
    assert kept == []  # 180 mm beside two panes of 900 mm
    wide = {"width": 3000, "height": 1000}
    other = create_lot(admin, job.material, 1, dimensions=wide, location="B-02")
    act(admin, plan, "cancel")
    admin.patch(f"/api/inventories/{job.lot['_id']}", {"quantity": 0})
    numbers = job.numbers[:1]
    plan = released(admin, job, panes=[pane_of(admin, numbers[0])["_id"]])
    done = cut(admin, plan, 1).data
    (remnant,) = done["remnants"]
    assert remnant["dimensions"] == {"width": 2080, "height": 980}
    for name, value in {
        "stockType": "Reuse",
        "quantity": 1,
        "location": "B-02",
        "parentLot": other["_id"],
        "cuttingPlan": plan["_id"],
        "qrCode": f"STDPLUS:{remnant['inventoryNumber']}",
    }.items():
        assert remnant[name] == value
    assert sheets_of(admin, plan)[0]["remnants"][0]["_id"] == remnant["_id"]
    assert_stock_matches_ledger()
    # the next plan uses it before a whole sheet
    create_lot(admin, job.material, 5)
    following = planned(admin, job)
    assert following["figures"]["remnants"] == 1
    needed = following["figures"]["sheetAreaWithoutRemnants"]
    assert needed > following["figures"]["sheetArea"]
    assert sheets_of(admin, following)[0]["lot"]["_id"] == remnant["_id"]


def test_panes_that_have_left_a_plan_are_shown_with_the_reason_and_not_cut(
    admin, worker, job
):
    plan = released(admin, job)
    moved, cancelled, resized, _ = job.numbers
    worker.scan(moved, "scan_in", station=job.stations[0])
    assert plans_of(admin, [moved]) == [plan["_id"]]  # it is still to be cut
    worker.scan(moved, "complete", station=job.stations[0])
    admin.patch(
        f"/api/panes/{pane_of(admin, cancelled)['_id']}",
        {"currentStatus": "cancelled"},
    )
    admin.patch(
        f"/api/panes/{pane_of(admin, resized)['_id']}",
        {"dimensions": {"width": 500, "height": 500}},
    )
    assert plans_of(admin, job.numbers) == [None, None, None, plan["_id"]]
    reasons = {
        one["paneNumber"]: one["reason"]
        for sheet in sheets_of(admin, plan)
        for one in sheet["panes"]
        if one["state"] == "left"
    }
    assert reasons == {
        moved: "moved_on",
        cancelled: "cancelled",
        resized: "changed",
    }
    answers = [cut(worker, plan, number) for number in (1, 2)]
    cut_panes = [
        pane["paneNumber"]
        for one in answers
        if one.status == 200
        for pane in one.data["panes"]
    ]
    assert cut_panes == [job.numbers[3]]
    (refused,) = [one for one in answers if one.status != 200]
    assert (refused.status, refused.errors["code"]) == (409, "NOTHING_TO_CUT")
    assert statuses(admin, [resized]) == ["pending"]
    # what is left of the plan can be ended
    assert act(admin, plan, "cancel").data["status"] == "cancelled"
    assert lot_of(admin, job.lot)["reservations"] == []
    assert_stock_matches_ledger()


def test_a_pane_that_breaks_is_remade_on_the_next_sheet_with_room(
    admin, worker, workshop
):
    job = job_to_cut(admin, workshop, panes=3)
    plan = released(admin, job)
    first, second = sheets_of(admin, plan)
    broken, other = first["panes"] if len(first["panes"]) == 2 else second["panes"]
    number = 1 if len(first["panes"]) == 2 else 2
    done = cut(worker, plan, number, broken=[broken["_id"]]).data
    by_number = {one["paneNumber"]: one for one in done["panes"]}
    assert by_number[broken["paneNumber"]]["currentStatus"] == "defected"
    assert by_number[other["paneNumber"]]["currentStatus"] == "awaiting_scan_out"
    (remake,) = done["remakes"]
    assert remake["sheet"] == 3 - number
    made = pane_of(admin, remake["paneNumber"])
    assert (made["remakeOf"], made["cuttingPlan"]) == (broken["_id"], plan["_id"])
    assert made["currentStation"] == job.stations[0]
    following = cut(worker, plan, 3 - number).data
    assert remake["paneNumber"] in [one["paneNumber"] for one in following["panes"]]
    assert statuses(admin, [remake["paneNumber"]]) == ["awaiting_scan_out"]
    assert read_plan(admin, plan)["status"] == "done"
    assert_stock_matches_ledger()


def test_remakes_of_two_panes_come_to_one_later_sheet_and_stay_there(
    admin, worker, workshop
):
    narrow = {"width": 480, "height": 900, "thickness": 6}
    job = job_to_cut(admin, workshop, panes=6, dimensions=narrow)
    plan = released(admin, job)
    first, second = sheets_of(admin, plan)
    assert [len(one["panes"]) for one in (first, second)] == [4, 2]
    broken = [one["_id"] for one in first["panes"][:2]]
    remakes = cut(worker, plan, 1, broken=broken).data["remakes"]
    assert [one["sheet"] for one in remakes] == [2, 2]
    numbers = [one["paneNumber"] for one in remakes]
    assert plans_of(admin, numbers) == [plan["_id"]] * 2
    shown = [one["paneNumber"] for one in sheets_of(admin, plan)[1]["panes"]]
    assert len(shown) == 4
    assert set(numbers) < set(shown)
    assert cut(worker, plan, 2).data["plan"]["status"] == "done"
    assert statuses(admin, numbers) == ["awaiting_scan_out"] * 2
    assert_stock_matches_ledger()


def test_a_remake_without_room_waits_for_another_plan(admin, job):
    plan = released(admin, job)
    broken = sheets_of(admin, plan)[0]["panes"][0]
    (remake,) = cut(admin, plan, 1, broken=[broken["_id"]]).data["remakes"]
    assert remake["sheet"] is None
    assert plans_of(admin, [remake["paneNumber"]]) == [None]
    assert planned(admin, job)["panes"] == [remake["_id"]]


def test_a_cut_is_taken_back_within_the_hour_as_a_whole(
    admin, worker, workshop, clock_at
):
    wide = {"width": 3000, "height": 1000}
    job = job_to_cut(admin, workshop, panes=3, sheets=0)
    lot = create_lot(admin, job.material, 2, dimensions=wide)
    panes = [one["_id"] for one in job.panes][:2]
    plan = released(admin, job, panes=panes)
    before = [pane_of(admin, one) for one in job.numbers]
    done = cut(worker, plan, 1, broken=panes[:1]).data
    assert (len(done["remnants"]), len(done["remakes"])) == (1, 1)
    undone = undo_cut(worker, plan, 1, reason="wrong sheet")
    assert undone.status == 200, undone
    assert undone.data["plan"]["status"] == "released"
    after = [pane_of(admin, one) for one in job.numbers]
    for name in (
        "currentStatus",
        "currentStation",
        "cuttingPlan",
        "inventory",
        "withdrawal",
    ):
        assert [one[name] for one in after] == [one[name] for one in before], name
    (cancelled,) = undone.data["cancelled"]
    assert cancelled["paneNumber"] == done["remakes"][0]["paneNumber"]
    assert cancelled["currentStatus"] == "cancelled"
    shown = lot_of(admin, lot)
    assert (shown["quantity"], shown["reservations"][0]["quantity"]) == (2, 1)
    remnant = lot_of(admin, done["remnants"][0])
    assert (remnant["quantity"], remnant["isActive"]) == (0, False)
    (withdrawal,) = admin.get("/api/withdrawals").data
    assert withdrawal["status"] == "rejected"
    assert_stock_matches_ledger()
    again = undo_cut(worker, plan, 1)
    assert (again.status, again.errors["code"]) == (409, "SHEET_NOT_CUT")
    # it can be cut again, and not be taken back after the hour
    assert cut(worker, plan, 1).status == 200
    clock_at(61 * 60)
    late = undo_cut(worker, plan, 1)
    assert (late.status, late.errors["code"]) == (400, "UNDO_TOO_LATE")


def test_a_cut_whose_remnant_is_used_or_whose_pane_went_on_is_not_taken_back(
    admin, worker, workshop
):
    job = job_to_cut(admin, workshop, panes=1, sheets=0)
    wide = {"width": 3000, "height": 1000}
    create_lot(admin, job.material, 1, dimensions=wide)
    plan = released(admin, job)
    remnant = cut(worker, plan, 1).data["remnants"][0]
    taken = withdraw(admin, remnant, 1, inventory=remnant["_id"])
    refused = undo_cut(worker, plan, 1)
    assert (refused.status, refused.errors["code"]) == (409, "REMNANT_USED")
    admin.patch(f"/api/withdrawals/{taken.data['_id']}", {"status": "rejected"})
    worker.scan(job.numbers[0], "scan_out", station=job.stations[0])
    refused = undo_cut(worker, plan, 1)
    assert (refused.status, refused.errors["code"]) == (400, "CHANGED_SINCE_SCAN")
    assert lot_of(admin, remnant)["quantity"] == 1
    assert_stock_matches_ledger()


def test_what_a_plan_has_reserved_is_taken_by_nothing_else(admin, job):
    plan = released(admin, job)
    lot = job.lot  # of three sheets two are reserved
    refused = withdraw(admin, lot, 2)
    assert (refused.status, refused.errors["code"]) == (400, "INSUFFICIENT_STOCK")
    assert refused.errors["available"] == 1
    path = f"/api/inventories/{lot['_id']}"
    moved = admin.post(f"{path}/move", {"quantity": 2, "toLocation": "Z"})
    assert moved.errors["code"] == "INSUFFICIENT_STOCK"
    for change in ({"isActive": False}, {"dimensions": {"width": 10, "height": 10}}):
        refused = admin.patch(path, change)
        assert (refused.status, refused.errors["code"]) == (409, "LOT_RESERVED")
    assert admin.delete(path).status == 409
    assert admin.delete(f"{PLANS}/{plan['_id']}").status == 409
    assert withdraw(admin, lot, 1).status == 201
    # a correction of what is there is no decision of the store room
    assert admin.patch(path, {"quantity": 1}).status == 200
    assert cut(admin, plan, 1).status == 200
    refused = cut(admin, plan, 2)
    assert (refused.status, refused.errors["code"]) == (400, "INSUFFICIENT_STOCK")
    assert statuses(admin, job.numbers).count("pending") == 2
    act(admin, plan, "cancel")
    assert admin.delete(f"{PLANS}/{plan['_id']}").status == 200
    assert_stock_matches_ledger()


def test_a_plan_that_shares_lots_or_panes_with_a_released_one_is_planned_again(
    admin, job
):
    first, second = (planned(admin, job) for _ in range(2))
    assert act(admin, first, "release").status == 200
    waiting = read_plan(admin, second)
    assert (waiting["status"], waiting["searchStatus"]) == ("proposed", "waiting")
    refused = act(admin, second, "release")
    assert (refused.status, refused.errors["code"]) == (409, "PLAN_OUTDATED")
    assert refused.errors["paneNumbers"] == job.numbers
    search()
    again = read_plan(admin, second)
    assert {one["reason"] for one in again["unplanned"]} == {"other_plan"}
    assert (again["searchStatus"], again["figures"]["panes"]) == ("ended", 0)
    refused = act(admin, second, "release")
    assert (refused.status, refused.errors["code"]) == (409, "PLAN_EMPTY")


def test_of_two_plans_released_at_once_for_one_lot_one_wins(admin, workshop):
    job = job_to_cut(admin, workshop, panes=4, sheets=2)
    ids = [one["_id"] for one in job.panes]
    plans = [planned(admin, job, panes=part) for part in (ids[:2], ids[2:])]
    admin.patch(f"/api/inventories/{job.lot['_id']}", {"quantity": 1})
    answers = run_concurrently([partial(act, admin, one, "release") for one in plans])
    assert len(successes(answers)) == 1
    assert sum(count_refusals(answers).values()) == 1
    assert lot_of(admin, job.lot)["reservations"][0]["quantity"] == 1


def test_of_two_cuts_of_one_sheet_at_once_one_counts(admin, job):
    plan = released(admin, job)
    answers = run_concurrently([partial(cut, admin, plan, 1) for _ in range(4)])
    assert len(successes(answers)) == 1
    assert count_refusals(answers) == {(409, "SHEET_CUT"): 3}
    assert quantities_of(admin, job.lot) == [2]
    assert_stock_matches_ledger()


def test_a_cut_and_a_scan_of_one_of_its_panes_at_once_count_once(admin, job):
    plan = released(admin, job)
    number = sheets_of(admin, plan)[0]["panes"][0]["paneNumber"]
    answers = run_concurrently(
        [
            partial(cut, admin, plan, 1),
            partial(admin.scan, number, "complete", station=job.stations[0]),
        ]
    )
    assert [one.status for one in answers] == [200, 200], answers
    logs = admin.get("/api/pane-logs", pane=pane_of(admin, number)["_id"]).data
    assert len([one for one in logs if one["action"] == "complete"]) in (1, 2)
    assert statuses(admin, [number]) == ["awaiting_scan_out"]
    assert_stock_matches_ledger()


def test_panes_are_left_out_of_a_proposed_plan_and_come_back(admin, job):
    plan = planned(admin, job)
    rest = plan["panes"][1:]
    changed = admin.patch(f"{PLANS}/{plan['_id']}", {"panes": rest}).data
    assert (changed["panes"], changed["searchStatus"]) == (rest, "waiting")
    search()
    assert read_plan(admin, plan)["figures"]["panes"] == 3
    admin.patch(f"{PLANS}/{plan['_id']}", {"panes": plan["panes"]})
    search()
    plan = read_plan(admin, plan)
    assert plan["figures"]["panes"] == 4
    # so does all that waits now
    admin.patch(f"{PLANS}/{plan['_id']}", {"panes": rest[:1]})
    again = act(admin, plan, "improve", allWaiting=True).data
    assert sorted(again["panes"]) == sorted(plan["panes"])
    search()
    act(admin, plan, "release")
    refused = admin.patch(f"{PLANS}/{plan['_id']}", {"panes": rest})
    assert (refused.status, refused.errors["code"]) == (409, "PLAN_STAGE")
    assert admin.patch(f"{PLANS}/{plan['_id']}", {"notes": "x"}).data["notes"] == "x"


def test_panes_that_no_sheet_can_have_are_listed_with_the_reason(admin, workshop):
    job = job_to_cut(admin, workshop, panes=5, sheets=1)
    large, sizeless, *_ = (f"/api/panes/{one['_id']}" for one in job.panes)
    admin.patch(large, {"dimensions": {"width": 1500, "height": 1500}})
    admin.patch(sizeless, {"dimensions": {"width": 0, "height": 0}})
    plan = planned(admin, job)
    found = sorted((one["reason"], one["paneNumber"]) for one in plan["unplanned"])
    assert [reason for reason, _ in found] == ["no_glass", "no_size", "too_large"]
    assert plan["figures"]["panes"] == 2
    admin.patch(f"/api/inventories/{job.lot['_id']}", {"quantity": 0})
    act(admin, plan, "improve", seconds=5)
    search()
    plan = read_plan(admin, plan)
    assert {one["reason"] for one in plan["unplanned"]} == {"no_glass", "no_size"}
    assert (plan["searchStatus"], plan["figures"]["sheets"]) == ("ended", 0)


def test_what_cannot_be_planned_is_refused(admin, workshop, job):
    other = order_with_panes(admin, workshop, panes=1, pane=PANE)
    refused = post_plan(admin, other)
    assert (refused.status, refused.errors["code"]) == (409, "NOTHING_TO_PLAN")
    refused = post_plan(admin, job, panes=[other.panes[0]["_id"]])
    assert (refused.status, refused.errors["code"]) == (409, "PANES_NOT_WAITING")
    assert refused.errors["paneNumbers"] == other.numbers
    admin.patch(f"/api/materials/{job.material}", {"unit": "ตร.ม."})
    refused = post_plan(admin, job)
    assert (refused.status, refused.errors["code"]) == (409, "NOT_IN_SHEETS")
    unknown = "0" * 24
    assert admin.post(PLANS, {"material": unknown}).status == 400
    assert cut(admin, {"_id": unknown}, 1).status == 404


def test_sheets_are_cut_at_the_station_by_who_may_scan_and_planned_by_the_office(
    client_with_keys, admin, job
):
    office = client_with_keys("inventory:view", "inventory:manage", "panes:view")
    cutter = client_with_keys("inventory:view", "panes:view", "panes:scan")
    plan = planned(office, job)
    assert act(cutter, plan, "release").status == 403
    assert act(office, plan, "release").status == 200
    assert cut(office, plan, 1).status == 403
    assert cut(client_with_keys("panes:scan"), plan, 1).status == 403
    sheet = sheets_of(cutter, plan)[0]
    lost = cut(cutter, plan, 1, broken=["0" * 24])
    assert (lost.status, lost.errors["code"]) == (409, "PANES_NOT_ON_SHEET")
    assert cut(cutter, plan, 9).status == 404
    assert cut(cutter, plan, 1).status == 200
    assert sheet["number"] == 1
    assert undo_cut(office, plan, 1).status == 403
    assert act(cutter, plan, "cancel").status == 403


def test_glass_that_is_cut_is_in_the_book_of_the_material(admin, job):
    plan = released(admin, job)
    cut(admin, plan, 1)
    entries = ledger_entries(admin, material=job.material)
    assert entries == [("import", 3), ("withdraw", -1), ("cut", 0), ("cut", 0)]


def test_what_waits_says_how_many_panes_a_released_plan_has(admin, job):
    plan = planned(admin, job)
    path = f"{PLANS}/waiting"
    (row,) = admin.get(path).data["materials"]
    assert (row["panes"], row["planned"]) == (4, 0)
    act(admin, plan, "release")
    (row,) = admin.get(path).data["materials"]
    assert (row["panes"], row["planned"]) == (4, 4)
    refused = post_plan(admin, job)
    assert (refused.status, refused.errors["code"]) == (409, "NOTHING_TO_PLAN")


def test_the_stock_check_names_reservations_that_no_plan_needs(admin, job):
    plan = released(admin, job)
    assert differences() == []
    number, plan_number = job.lot["inventoryNumber"], plan["planNumber"]
    lots, panes = Inventory.collection(), Pane.collection()
    lots.update_one(
        {"inventoryNumber": number}, {"$set": {"reservations.0.quantity": 3}}
    )
    assert differences() == [
        f"lot {number}: 3 reserved for {plan_number}, which needs 2"
    ]
    lots.update_one({"inventoryNumber": number}, {"$set": {"reservations": []}})
    assert differences() == [f"plan {plan_number}: 2 sheets of a lot are not reserved"]
    CuttingPlan.collection().delete_many({})
    assert differences() == [
        f"pane {one}: it names a plan that does not cut it" for one in job.numbers
    ]
    panes.update_many({}, {"$set": {"cuttingPlan": None}})
    assert differences() == []
