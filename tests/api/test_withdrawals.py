"""Withdrawals: material that is taken at once, and given back where it came from."""

import pytest

from storeroom import BOOK, LOTS, assert_balanced, entries, move, on, put_in, take
from stories import line

PATH = "/api/withdrawals"
NOBODY = "0123456789abcdef01234567"


@pytest.fixture
def glass(workshop):
    """A material."""
    return str(workshop.material().pk)


@pytest.fixture
def lots(admin, glass):
    """Three lots of it, oldest first: 5, 3 and 10."""
    return [put_in(admin, glass, quantity) for quantity in (5, 3, 10)]


@pytest.fixture
def taking(lots):
    """The body of a new withdrawal."""
    return {"material": lots[0]["material"], "quantity": 2, "stockType": "Raw"}


def parts(withdrawal, lots):
    """How much each lot gave."""
    gave = {one["inventory"]: one["quantity"] for one in withdrawal["allocations"]}
    return [gave.pop(lot["_id"], 0) for lot in lots]


def change(api, withdrawal, **values):
    return api.patch(f"{PATH}/{withdrawal['_id']}", values)


def test_a_worker_withdraws_in_their_own_name(worker, taking):
    made = worker.post(PATH, taking).data
    assert made["withdrawalNumber"].startswith("WDW-")
    assert made["withdrawnBy"] == worker.id
    assert made["status"] == "pending"
    assert made["withdrawnDate"] == made["createdAt"]
    assert made["panes"] == []
    assert worker.get(f"{PATH}/{made['_id']}").data == made


def test_another_name_needs_to_manage(worker, manager, taking):
    assert worker.post(PATH, {**taking, "withdrawnBy": manager.id}).status == 403
    assert worker.post(PATH, {**taking, "withdrawnBy": worker.id}).status == 201
    made = manager.post(PATH, {**taking, "withdrawnBy": worker.id}).data
    assert made["withdrawnBy"] == worker.id


def test_the_oldest_lots_give_first_and_are_remembered(worker, lots):
    made = take(worker, lots[0], 7).data
    assert parts(made, lots) == [5, 2, 0]
    assert on(worker, *lots) == [0, 1, 10]
    assert_balanced()


def test_each_lot_that_gave_has_its_entry(admin, worker, lots, workshop):
    day = line(admin, workshop)
    order, pane = day.order["_id"], day.panes[0]["_id"]
    made = take(worker, lots[0], 7, order=order, panes=[pane]).data
    rows = admin.get(BOOK, actionType="withdraw", sort="createdAt").data
    assert [(row["inventory"], row["quantityChanged"]) for row in rows] == [
        (lots[0]["_id"], -5),
        (lots[1]["_id"], -2),
    ]
    for row in rows:
        assert (row["referenceType"], row["referenceId"]) == ("withdrawal", made["_id"])
        assert (row["order"], row["panes"]) == (order, [pane])
        assert (row["worker"], row["stockType"]) == (worker.id, "Raw")


def test_only_lots_of_that_kind_that_are_in_use_give(admin, lots, glass, workshop):
    others = [
        put_in(admin, glass, 9, stockType="Reuse"),
        put_in(admin, workshop.material(), 9),
    ]
    admin.patch(f"{LOTS}/{lots[0]['_id']}", {"isActive": False})
    answer = take(admin, lots[0], 14)
    assert (answer.status, answer.errors) == (
        400,
        {"code": "INSUFFICIENT_STOCK", "available": 13, "requested": 14},
    )
    assert parts(take(admin, lots[0], 13).data, lots) == [0, 3, 10]
    assert on(admin, *others) == [9, 9]


def test_the_lot_that_is_named_gives_alone(admin, lots):
    made = take(admin, lots[0], 4, inventory=lots[2]["_id"]).data
    assert parts(made, lots) == [0, 0, 4]
    answer = take(admin, lots[0], 7, inventory=lots[2]["_id"])
    assert (answer.status, answer.errors["available"]) == (400, 6)


def test_a_lot_of_another_kind_or_out_of_use_cannot_be_named(
    admin, lots, glass, workshop
):
    reused = put_in(admin, glass, 9, stockType="Reuse")
    other = put_in(admin, workshop.material(), 9)
    idle = put_in(admin, glass, 9, isActive=False)
    for named, code in (
        (reused, "LOT_UNFIT"),
        (other, "LOT_UNFIT"),
        (idle, "LOT_INACTIVE"),
    ):
        answer = take(admin, lots[0], 1, inventory=named["_id"])
        assert (answer.status, answer.errors["code"]) == (400, code)
    answer = take(admin, lots[0], 1, inventory=NOBODY)
    assert (answer.status, answer.message) == (400, "Inventory not found")


def test_what_is_not_there_cannot_be_taken_and_nothing_changes(admin, lots):
    before = entries(admin)
    answer = take(admin, lots[0], 19)
    assert (answer.status, answer.errors) == (
        400,
        {"code": "INSUFFICIENT_STOCK", "available": 18, "requested": 19},
    )
    assert on(admin, *lots) == [5, 3, 10]
    assert (admin.get(PATH).data, entries(admin)) == ([], before)


def test_an_approved_withdrawal_keeps_what_it_took(manager, worker, lots):
    made = take(worker, lots[0], 7).data
    approved = change(manager, made, status="approved").data
    assert (approved["status"], approved["approvedBy"]) == ("approved", manager.id)
    assert approved["allocations"] == made["allocations"]
    assert on(worker, *lots) == [0, 1, 10]


def test_a_rejected_withdrawal_gives_back_to_the_same_lots(manager, worker, lots):
    made = take(worker, lots[0], 7).data
    rejected = change(manager, made, status="rejected").data
    assert (rejected["status"], rejected["approvedBy"]) == ("rejected", manager.id)
    assert rejected["allocations"] == []
    assert on(worker, *lots) == [5, 3, 10]
    rows = manager.get(BOOK, referenceId=made["_id"]).data
    assert sum(row["quantityChanged"] for row in rows) == 0
    assert {row["worker"] for row in rows if row["quantityChanged"] > 0} == {manager.id}
    assert_balanced()


@pytest.mark.parametrize("status", ["approved", "rejected"])
def test_a_decision_is_final(manager, worker, lots, workshop, status):
    made = take(worker, lots[0], 7).data
    decided = change(manager, made, status=status).data
    there = on(worker, *lots)
    refused = {"code": "WITHDRAWAL_DECIDED", "status": status}
    for said in (
        {"status": "approved"},
        {"status": "rejected"},
        {"status": "pending"},
        {"status": None},
        {"quantity": 8},
        {"material": str(workshop.material().pk)},
        {"stockType": "Reuse"},
        {"inventory": lots[2]["_id"]},
    ):
        answer = change(manager, made, **said)
        assert (answer.status, answer.errors) == (400, refused), said
    noted = change(manager, made, notes="x", quantity=7)
    assert (noted.status, noted.data["notes"]) == (200, "x")
    assert noted.data["allocations"] == decided["allocations"]
    assert on(worker, *lots) == there


def test_a_decision_can_be_made_with_the_withdrawal(admin, worker, lots):
    assert take(worker, lots[0], 2, status="approved").status == 403
    approved = take(admin, lots[0], 2, status="approved").data
    assert (approved["status"], approved["approvedBy"]) == ("approved", admin.id)
    assert parts(approved, lots) == [2, 0, 0]
    rejected = take(admin, lots[0], 99, status="rejected").data
    assert (rejected["status"], rejected["allocations"]) == ("rejected", [])
    assert on(admin, *lots) == [3, 3, 10]


def test_a_smaller_quantity_gives_back_from_the_lot_taken_last(admin, lots):
    made = take(admin, lots[0], 12).data
    assert parts(made, lots) == [5, 3, 4]
    assert parts(change(admin, made, quantity=7).data, lots) == [5, 2, 0]
    assert on(admin, *lots) == [0, 1, 10]
    assert parts(change(admin, made, quantity=1).data, lots) == [1, 0, 0]
    assert on(admin, *lots) == [4, 3, 10]
    assert_balanced()


def test_a_larger_quantity_takes_more_or_is_refused(admin, lots):
    made = take(admin, lots[0], 2).data
    assert parts(change(admin, made, quantity=6).data, lots) == [5, 1, 0]
    answer = change(admin, made, quantity=19, notes="x")
    assert (answer.status, answer.errors["available"]) == (400, 12)
    kept = admin.get(f"{PATH}/{made['_id']}").data
    assert (kept["quantity"], kept["notes"]) == (6, None)
    assert on(admin, *lots) == [0, 2, 10]


@pytest.mark.slow
def test_other_material_is_taken_instead(admin, lots, glass, workshop):
    other = put_in(admin, workshop.material(), 4)
    reused = put_in(admin, glass, 4, stockType="Reuse")
    made = take(admin, lots[0], 4).data
    for said, there in (
        ({"material": other["material"]}, [5, 3, 10, 0, 4]),
        ({"material": glass, "stockType": "Reuse"}, [5, 3, 10, 4, 0]),
        ({"stockType": "Raw", "inventory": lots[2]["_id"]}, [5, 3, 6, 4, 4]),
        ({"inventory": None, "quantity": 6}, [0, 2, 10, 4, 4]),
    ):
        assert change(admin, made, **said).status == 200
        assert on(admin, *lots, other, reused) == there
        assert_balanced()
    assert change(admin, made, material=other["material"]).status == 400
    assert on(admin, *lots, other, reused) == [0, 2, 10, 4, 4]


def test_a_change_and_a_decision_in_one(admin, lots):
    made = take(admin, lots[0], 2).data
    approved = change(admin, made, quantity=6, status="approved").data
    assert (approved["status"], parts(approved, lots)) == ("approved", [5, 1, 0])
    made = take(admin, lots[0], 2).data
    rejected = change(admin, made, quantity=99, status="rejected").data
    assert (rejected["quantity"], rejected["allocations"]) == (99, [])
    assert on(admin, *lots) == [0, 2, 10]


@pytest.mark.parametrize("status", ["pending", "approved", "rejected"])
def test_a_deleted_withdrawal_gives_back_what_it_holds(admin, lots, status):
    made = take(admin, lots[0], 7).data
    if status != "pending":
        change(admin, made, status=status)
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.delete(f"{PATH}/{made['_id']}").status == 404
    assert on(admin, *lots) == [5, 3, 10]
    assert_balanced()


def test_many_deleted_at_once_give_back_all_or_none(admin, lots):
    made = [take(admin, lots[0], 4).data["_id"] for _ in range(3)]
    assert admin.delete(PATH, {"ids": [*made, NOBODY]}).status == 404
    assert on(admin, *lots) == [0, 0, 6]
    assert admin.delete(PATH, {"ids": made}).data == {"deletedCount": 3}
    assert on(admin, *lots) == [5, 3, 10]
    assert_balanced()


def test_what_came_from_a_deleted_lot_goes_to_the_oldest_of_its_kind(admin, lots):
    made = take(admin, lots[0], 7, status="approved").data
    assert admin.delete(f"{LOTS}/{lots[0]['_id']}").status == 200
    admin.delete(f"{PATH}/{made['_id']}")
    assert on(admin, *lots[1:]) == [8, 10]
    assert_balanced()


def test_what_came_from_the_last_lot_becomes_a_lot(admin, workshop):
    only = put_in(admin, workshop.material(), 7, stockType="Reuse")
    made = take(admin, only, 7, status="approved").data
    admin.delete(f"{LOTS}/{only['_id']}")
    admin.delete(f"{PATH}/{made['_id']}")
    (new,) = admin.get(LOTS).data
    assert (new["quantity"], new["material"]) == (7, only["material"])
    assert new["stockType"] == "Reuse"
    assert new["inventoryNumber"] > only["inventoryNumber"]
    assert_balanced()


def test_what_was_moved_meanwhile_goes_back_to_the_lot_that_gave(admin, lots):
    made = take(admin, lots[0], 3).data
    assert move(admin, lots[0], 2, "B-02").status == 200
    change(admin, made, status="rejected")
    assert on(admin, lots[0]) == [3]
    assert_balanced()


def test_named_panes_say_who_took_for_them_until_it_is_given_back(
    admin, lots, workshop
):
    day = line(admin, workshop, panes=3)
    ids = [pane["_id"] for pane in day.panes]

    def marks():
        rows = (admin.get(f"/api/panes/{one}").data for one in ids)
        return [(row["withdrawal"], row["isWithdrawn"]) for row in rows]

    free = (None, False)
    made = take(admin, lots[0], 1, order=day.order["_id"], panes=ids[:2]).data
    mine = (made["_id"], True)
    assert marks() == [mine, mine, free]
    change(admin, made, panes=ids[1:])
    assert marks() == [free, mine, mine]
    later = take(admin, lots[0], 1, panes=ids[2:], status="approved").data
    change(admin, made, status="rejected")
    assert marks() == [free, free, (later["_id"], True)]
    admin.delete(f"{PATH}/{later['_id']}")
    assert marks() == [free] * 3


def test_panes_are_of_the_order_that_is_named(admin, lots, workshop):
    day, other = line(admin, workshop), line(admin, workshop)
    panes = [other.panes[0]["_id"]]
    order = day.order["_id"]
    answer = take(admin, lots[0], 1, order=order, panes=panes)
    assert (answer.status, answer.errors["code"]) == (400, "OTHER_ORDER")
    answer = take(admin, lots[0], 1, panes=[NOBODY])
    assert (answer.status, answer.message) == (400, "Pane not found")
    made = take(admin, lots[0], 1, order=order).data
    assert change(admin, made, panes=panes).errors["code"] == "OTHER_ORDER"
    assert on(admin, lots[0]) == [4]


def test_notes_change_and_what_is_sent_back_unchanged_does_no_harm(admin, taking, lots):
    made = admin.post(PATH, taking).data
    path = f"{PATH}/{made['_id']}"
    answer = admin.patch(path, {**made, "notes": "ด่วน"})
    assert answer.data["notes"] == "ด่วน"
    assert "warnings" not in answer.body
    assert on(admin, *lots) == [3, 3, 10]
    assert len(entries(admin)) == 4


def test_withdrawals_are_filtered_and_read_with_names(admin, worker, taking):
    mine = worker.post(PATH, taking).data
    admin.post(PATH, taking)
    found = admin.get(PATH, withdrawnBy=worker.id, populate="true").data
    assert [row["_id"] for row in found] == [mine["_id"]]
    assert found[0]["material"]["_id"] == taking["material"]
    assert set(found[0]["withdrawnBy"]) == {"_id", "name", "username", "position"}


def test_a_worker_cannot_change_or_delete_one(worker, admin, taking):
    made = worker.post(PATH, taking).data
    path = f"{PATH}/{made['_id']}"
    assert worker.patch(path, {"notes": "x"}).status == 403
    assert worker.patch(path, {"status": "approved"}).status == 403
    assert worker.delete(path).status == 403
    assert admin.delete(path).status == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"material": None}, "material"),
        ({"quantity": 0}, "quantity"),
        ({"quantity": 1.5}, "quantity"),
        ({"quantity": "2"}, "quantity"),
        ({"stockType": None}, "stockType"),
        ({"stockType": "New"}, "stockType"),
        ({"status": "done"}, "status"),
        ({"panes": [1]}, "panes.0"),
        ({"withdrawnDate": "today"}, "withdrawnDate"),
    ],
)
def test_bad_input_is_refused(admin, taking, change, field):
    assert list(admin.post(PATH, {**taking, **change}).faults) == [field]
