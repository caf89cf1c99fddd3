"""Withdrawals: stock is allocated at once and returned to the same lots."""

import pytest

from lookups import pane_of
from scenarios import order_with_panes
from stock_api import (
    LEDGER,
    LOTS,
    assert_stock_matches_ledger,
    create_lot,
    ledger_entries,
    move_part,
    quantities_of,
    withdraw,
)

PATH = "/api/withdrawals"
NOBODY = "0123456789abcdef01234567"


@pytest.fixture
def glass(workshop):
    """A material."""
    return str(workshop.material().pk)


@pytest.fixture
def lots(admin, glass):
    """Three lots of it, oldest first: 5, 3 and 10."""
    return [create_lot(admin, glass, quantity) for quantity in (5, 3, 10)]


@pytest.fixture
def body(lots):
    """The body of a new withdrawal."""
    return {"material": lots[0]["material"], "quantity": 2, "stockType": "Raw"}


def allocated(withdrawal, lots):
    """How much of the withdrawal each lot has supplied."""
    gave = {one["inventory"]: one["quantity"] for one in withdrawal["allocations"]}
    return [gave.pop(lot["_id"], 0) for lot in lots]


def change(api, withdrawal, **values):
    return api.patch(f"{PATH}/{withdrawal['_id']}", values)


def test_worker_withdraws_under_their_own_name(worker, body):
    made = worker.post(PATH, body).data
    assert made["withdrawalNumber"].startswith("WDW-")
    assert made["withdrawnBy"] == worker.id
    assert made["status"] == "pending"
    assert made["withdrawnDate"] == made["createdAt"]
    assert made["panes"] == []
    assert worker.get(f"{PATH}/{made['_id']}").data == made


def test_withdrawing_under_another_name_needs_the_manage_key(worker, manager, body):
    assert worker.post(PATH, {**body, "withdrawnBy": manager.id}).status == 403
    assert worker.post(PATH, {**body, "withdrawnBy": worker.id}).status == 201
    made = manager.post(PATH, {**body, "withdrawnBy": worker.id}).data
    assert made["withdrawnBy"] == worker.id


def test_withdrawal_takes_from_the_oldest_lots_and_records_them(worker, lots):
    made = withdraw(worker, lots[0], 7).data
    assert allocated(made, lots) == [5, 2, 0]
    assert quantities_of(worker, *lots) == [0, 1, 10]
    assert_stock_matches_ledger()


def test_preview_names_the_lots_that_a_withdrawal_takes_from_and_takes_nothing(
    worker, lots
):
    body = {"material": lots[0]["material"], "quantity": 7, "stockType": "Raw"}
    found = worker.post(f"{PATH}/preview", body).data
    gave = [(one["inventory"], one["quantity"]) for one in found["allocations"]]
    assert gave == [(lots[0], 5), (lots[1], 2)]
    assert (found["left"], found["isLow"]) == (11, False)
    assert quantities_of(worker, *lots) == [5, 3, 10]
    assert worker.get(PATH).data == []
    made = worker.post(PATH, body).data
    assert [(one["inventory"], one["quantity"]) for one in made["allocations"]] == [
        (lot["_id"], quantity) for lot, quantity in gave
    ]
    named = worker.post(f"{PATH}/preview", {**body, "inventory": lots[2]["_id"]}).data
    assert named["allocations"][0]["inventory"]["_id"] == lots[2]["_id"]


def test_preview_tells_what_is_refused_and_what_falls_below_the_reorder_point(
    worker, admin, client_with_keys, lots
):
    body = {"material": lots[0]["material"], "quantity": 16, "stockType": "Raw"}
    path = f"{PATH}/preview"
    material = f"/api/materials/{lots[0]['material']}"
    assert admin.patch(material, {"reorderPoint": 3}).status == 200
    assert worker.post(path, body).data["isLow"] is True
    assert admin.patch(material, {"isActive": False}).status == 200
    assert worker.post(path, body).data["isLow"] is False  # nobody is to order it
    assert admin.patch(material, {"isActive": True}).status == 200
    refused = worker.post(path, {**body, "quantity": 19})
    assert (refused.status, refused.errors["available"]) == (400, 18)
    unknown = worker.post(path, {**body, "material": NOBODY})
    assert (unknown.status, unknown.message) == (400, "Material not found")
    assert set(worker.post(path, {}).faults) == {"material", "quantity", "stockType"}
    assert client_with_keys("withdrawals:view").post(path, body).status == 403
    blind = client_with_keys("withdrawals:create").post(path, body).data
    assert [one["inventory"] for one in blind["allocations"]] == [
        lot["_id"] for lot in lots
    ]


def test_each_allocated_lot_has_a_ledger_entry(admin, worker, lots, workshop):
    job = order_with_panes(admin, workshop)
    order, pane = job.order["_id"], job.panes[0]["_id"]
    made = withdraw(worker, lots[0], 7, order=order, panes=[pane]).data
    rows = admin.get(LEDGER, actionType="withdraw", sort="createdAt").data
    assert [(row["inventory"], row["quantityChanged"]) for row in rows] == [
        (lots[0]["_id"], -5),
        (lots[1]["_id"], -2),
    ]
    for row in rows:
        assert (row["referenceType"], row["referenceId"]) == ("withdrawal", made["_id"])
        assert (row["order"], row["panes"]) == (order, [pane])
        assert (row["worker"], row["stockType"]) == (worker.id, "Raw")


def test_withdrawal_takes_only_from_active_lots_of_its_kind(
    admin, lots, glass, workshop
):
    others = [
        create_lot(admin, glass, 9, stockType="Reuse"),
        create_lot(admin, workshop.material(), 9),
    ]
    admin.patch(f"{LOTS}/{lots[0]['_id']}", {"isActive": False})
    answer = withdraw(admin, lots[0], 14)
    assert (answer.status, answer.errors) == (
        400,
        {"code": "INSUFFICIENT_STOCK", "available": 13, "requested": 14},
    )
    assert allocated(withdraw(admin, lots[0], 13).data, lots) == [0, 3, 10]
    assert quantities_of(admin, *others) == [9, 9]


def test_withdrawal_takes_only_from_the_named_lot(admin, lots):
    made = withdraw(admin, lots[0], 4, inventory=lots[2]["_id"]).data
    assert allocated(made, lots) == [0, 0, 4]
    answer = withdraw(admin, lots[0], 7, inventory=lots[2]["_id"])
    assert (answer.status, answer.errors["available"]) == (400, 6)


def test_lot_of_another_kind_or_inactive_lot_cannot_be_named(
    admin, lots, glass, workshop
):
    reused = create_lot(admin, glass, 9, stockType="Reuse")
    other = create_lot(admin, workshop.material(), 9)
    idle = create_lot(admin, glass, 9, isActive=False)
    for named, code in (
        (reused, "LOT_UNFIT"),
        (other, "LOT_UNFIT"),
        (idle, "LOT_INACTIVE"),
    ):
        answer = withdraw(admin, lots[0], 1, inventory=named["_id"])
        assert (answer.status, answer.errors["code"]) == (400, code)
    answer = withdraw(admin, lots[0], 1, inventory=NOBODY)
    assert (answer.status, answer.message) == (400, "Inventory not found")


def test_withdrawal_beyond_the_stock_is_refused_and_changes_nothing(admin, lots):
    before = ledger_entries(admin)
    answer = withdraw(admin, lots[0], 19)
    assert (answer.status, answer.errors) == (
        400,
        {"code": "INSUFFICIENT_STOCK", "available": 18, "requested": 19},
    )
    assert answer.message == "Insufficient stock: 18 available, 19 requested"
    assert quantities_of(admin, *lots) == [5, 3, 10]
    assert (admin.get(PATH).data, ledger_entries(admin)) == ([], before)


def test_approved_withdrawal_keeps_its_allocations(manager, worker, lots):
    made = withdraw(worker, lots[0], 7).data
    approved = change(manager, made, status="approved").data
    assert (approved["status"], approved["approvedBy"]) == ("approved", manager.id)
    assert approved["allocations"] == made["allocations"]
    assert quantities_of(worker, *lots) == [0, 1, 10]


def test_rejected_withdrawal_returns_stock_to_the_same_lots(manager, worker, lots):
    made = withdraw(worker, lots[0], 7).data
    manager.patch(f"/api/inventories/{lots[0]['_id']}", {"isActive": False})
    rejected = change(manager, made, status="rejected").data
    assert (rejected["status"], rejected["approvedBy"]) == ("rejected", manager.id)
    assert rejected["allocations"] == []
    assert quantities_of(worker, *lots) == [5, 3, 10]
    rows = manager.get(LEDGER, referenceId=made["_id"]).data
    assert sum(row["quantityChanged"] for row in rows) == 0
    assert {row["worker"] for row in rows if row["quantityChanged"] > 0} == {manager.id}
    assert_stock_matches_ledger()


@pytest.mark.parametrize("status", ["approved", "rejected"])
def test_decision_is_final(manager, worker, lots, workshop, status):
    made = withdraw(worker, lots[0], 7).data
    decided = change(manager, made, status=status).data
    quantities = quantities_of(worker, *lots)
    refused = {"code": "WITHDRAWAL_DECIDED", "status": status}
    for fields in (
        {"status": "approved"},
        {"status": "rejected"},
        {"status": "pending"},
        {"status": None},
        {"quantity": 8},
        {"material": str(workshop.material().pk)},
        {"stockType": "Reuse"},
        {"inventory": lots[2]["_id"]},
    ):
        answer = change(manager, made, **fields)
        assert (answer.status, answer.errors) == (400, refused), fields
    noted = change(manager, made, notes="x", quantity=7)
    assert (noted.status, noted.data["notes"]) == (200, "x")
    assert noted.data["allocations"] == decided["allocations"]
    assert quantities_of(worker, *lots) == quantities


def test_withdrawal_can_be_created_with_its_decision(admin, worker, lots):
    assert withdraw(worker, lots[0], 2, status="approved").status == 403
    approved = withdraw(admin, lots[0], 2, status="approved").data
    assert (approved["status"], approved["approvedBy"]) == ("approved", admin.id)
    assert allocated(approved, lots) == [2, 0, 0]
    rejected = withdraw(admin, lots[0], 99, status="rejected").data
    assert (rejected["status"], rejected["allocations"]) == ("rejected", [])
    assert quantities_of(admin, *lots) == [3, 3, 10]


def test_smaller_quantity_returns_stock_to_the_lot_allocated_last(admin, lots):
    made = withdraw(admin, lots[0], 12).data
    assert allocated(made, lots) == [5, 3, 4]
    assert allocated(change(admin, made, quantity=7).data, lots) == [5, 2, 0]
    assert quantities_of(admin, *lots) == [0, 1, 10]
    assert allocated(change(admin, made, quantity=1).data, lots) == [1, 0, 0]
    assert quantities_of(admin, *lots) == [4, 3, 10]
    assert_stock_matches_ledger()


def test_larger_quantity_allocates_more_or_is_refused(admin, lots):
    made = withdraw(admin, lots[0], 2).data
    assert allocated(change(admin, made, quantity=6).data, lots) == [5, 1, 0]
    answer = change(admin, made, quantity=19, notes="x")
    assert (answer.status, answer.errors["available"]) == (400, 12)
    kept = admin.get(f"{PATH}/{made['_id']}").data
    assert (kept["quantity"], kept["notes"]) == (6, "")
    assert quantities_of(admin, *lots) == [0, 2, 10]


@pytest.mark.slow
def test_changed_material_is_allocated_anew(admin, lots, glass, workshop):
    other = create_lot(admin, workshop.material(), 4)
    reused = create_lot(admin, glass, 4, stockType="Reuse")
    made = withdraw(admin, lots[0], 4).data
    for fields, quantities in (
        ({"material": other["material"]}, [5, 3, 10, 0, 4]),
        ({"material": glass, "stockType": "Reuse"}, [5, 3, 10, 4, 0]),
        ({"stockType": "Raw", "inventory": lots[2]["_id"]}, [5, 3, 6, 4, 4]),
        ({"inventory": None, "quantity": 6}, [0, 2, 10, 4, 4]),
    ):
        assert change(admin, made, **fields).status == 200
        assert quantities_of(admin, *lots, other, reused) == quantities
        assert_stock_matches_ledger()
    assert change(admin, made, material=other["material"]).status == 400
    assert quantities_of(admin, *lots, other, reused) == [0, 2, 10, 4, 4]


def test_change_and_decision_can_be_in_one_request(admin, lots):
    made = withdraw(admin, lots[0], 2).data
    approved = change(admin, made, quantity=6, status="approved").data
    assert (approved["status"], allocated(approved, lots)) == ("approved", [5, 1, 0])
    made = withdraw(admin, lots[0], 2).data
    rejected = change(admin, made, quantity=99, status="rejected").data
    assert (rejected["quantity"], rejected["allocations"]) == (99, [])
    assert quantities_of(admin, *lots) == [0, 2, 10]


@pytest.mark.parametrize("status", ["pending", "approved", "rejected"])
def test_deleted_withdrawal_returns_its_stock(admin, lots, status):
    made = withdraw(admin, lots[0], 7).data
    if status != "pending":
        change(admin, made, status=status)
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.delete(f"{PATH}/{made['_id']}").status == 404
    assert quantities_of(admin, *lots) == [5, 3, 10]
    assert_stock_matches_ledger()


def test_bulk_deletion_of_withdrawals_returns_all_or_nothing(admin, lots):
    made = [withdraw(admin, lots[0], 4).data["_id"] for _ in range(3)]
    assert admin.delete(PATH, {"ids": [*made, NOBODY]}).status == 404
    assert quantities_of(admin, *lots) == [0, 0, 6]
    assert admin.delete(PATH, {"ids": made}).data == {"deletedCount": 3}
    assert quantities_of(admin, *lots) == [5, 3, 10]
    assert_stock_matches_ledger()


def test_stock_of_a_deleted_lot_returns_to_the_oldest_of_its_kind(admin, lots):
    made = withdraw(admin, lots[0], 7, status="approved").data
    assert admin.delete(f"{LOTS}/{lots[0]['_id']}").status == 200
    admin.delete(f"{PATH}/{made['_id']}")
    assert quantities_of(admin, *lots[1:]) == [8, 10]
    assert_stock_matches_ledger()


def test_stock_of_the_last_deleted_lot_returns_as_a_new_lot(admin, workshop):
    only = create_lot(admin, workshop.material(), 7, stockType="Reuse")
    made = withdraw(admin, only, 7, status="approved").data
    admin.delete(f"{LOTS}/{only['_id']}")
    admin.delete(f"{PATH}/{made['_id']}")
    (new,) = admin.get(LOTS).data
    assert (new["quantity"], new["material"]) == (7, only["material"])
    assert new["stockType"] == "Reuse"
    assert new["inventoryNumber"] > only["inventoryNumber"]
    assert_stock_matches_ledger()


def test_stock_returns_to_its_lot_after_a_move(admin, lots):
    made = withdraw(admin, lots[0], 3).data
    assert move_part(admin, lots[0], 2, "B-02").status == 200
    change(admin, made, status="rejected")
    assert quantities_of(admin, lots[0]) == [3]
    assert_stock_matches_ledger()


def test_panes_reference_their_withdrawal_until_it_is_rejected(admin, lots, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    ids = [pane["_id"] for pane in job.panes]

    def marks():
        rows = (pane_of(admin, one) for one in ids)
        return [(row["withdrawal"], row["isWithdrawn"]) for row in rows]

    free = (None, False)
    made = withdraw(admin, lots[0], 1, order=job.order["_id"], panes=ids[:2]).data
    mine = (made["_id"], True)
    assert marks() == [mine, mine, free]
    change(admin, made, panes=ids[1:])
    assert marks() == [free, mine, mine]
    later = withdraw(admin, lots[0], 1, panes=ids[2:], status="approved").data
    change(admin, made, status="rejected")
    assert marks() == [free, free, (later["_id"], True)]
    admin.delete(f"{PATH}/{later['_id']}")
    assert marks() == [free] * 3


def test_panes_must_belong_to_the_named_order(admin, lots, workshop):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    panes = [other.panes[0]["_id"]]
    order = job.order["_id"]
    answer = withdraw(admin, lots[0], 1, order=order, panes=panes)
    assert (answer.status, answer.errors["code"]) == (400, "OTHER_ORDER")
    answer = withdraw(admin, lots[0], 1, panes=[NOBODY])
    assert (answer.status, answer.message) == (400, "Pane not found")
    made = withdraw(admin, lots[0], 1, order=order).data
    assert change(admin, made, panes=panes).errors["code"] == "OTHER_ORDER"
    assert quantities_of(admin, lots[0]) == [4]


def test_echoed_fields_do_not_change_the_allocations(admin, body, lots):
    made = admin.post(PATH, body).data
    path = f"{PATH}/{made['_id']}"
    answer = admin.patch(path, {**made, "notes": "ด่วน"})
    assert answer.data["notes"] == "ด่วน"
    assert "warnings" not in answer.body
    assert quantities_of(admin, *lots) == [3, 3, 10]
    assert len(ledger_entries(admin)) == 4


def test_withdrawals_are_filtered_and_populated(admin, worker, body):
    mine = worker.post(PATH, body).data
    admin.post(PATH, body)
    found = admin.get(PATH, withdrawnBy=worker.id, populate="true").data
    assert [row["_id"] for row in found] == [mine["_id"]]
    assert found[0]["material"]["_id"] == body["material"]
    assert set(found[0]["withdrawnBy"]) == {"_id", "name", "username", "position"}


def test_worker_cannot_change_or_delete_a_withdrawal(worker, admin, body):
    made = worker.post(PATH, body).data
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
def test_bad_input_is_refused(admin, body, change, field):
    assert list(admin.post(PATH, {**body, **change}).faults) == [field]


def test_pane_is_withdrawn_while_it_names_a_withdrawal_whichever_way(
    admin, lots, workshop
):
    """As clients do that take glass first and name the withdrawal in the pane after."""
    job = order_with_panes(admin, workshop, panes=2)
    mine, order = f"/api/panes/{job.panes[0]['_id']}", job.order["_id"]
    made = withdraw(admin, lots[0], 1, order=order).data
    named = admin.patch(mine, {"withdrawal": made["_id"]}).data
    assert (named["withdrawal"], named["isWithdrawn"]) == (made["_id"], True)
    listed = admin.get("/api/panes", order=order, isWithdrawn="true").data
    assert [one["_id"] for one in listed] == [job.panes[0]["_id"]]
    flag = admin.patch(mine, {"isWithdrawn": False})
    assert flag.body["warnings"][0]["field"] == "isWithdrawn"
    assert flag.data["isWithdrawn"] is True

    change(admin, made, status="rejected")
    free = admin.get(mine).data
    assert (free["withdrawal"], free["isWithdrawn"]) == (None, False)
    body = {"order": order, "withdrawal": made["_id"]}
    for refused in (admin.patch(mine, body), admin.post("/api/panes", body)):
        answer = (refused.status, refused.errors["code"])
        assert answer == (400, "WITHDRAWAL_DECIDED")
    assert admin.get("/api/panes", isWithdrawn="true").data == []


def test_new_withdrawal_takes_one_pane_as_pane(admin, lots, workshop):
    job = order_with_panes(admin, workshop)
    pane = job.panes[0]["_id"]
    made = withdraw(admin, lots[0], 1, pane=pane)
    assert (made.data["panes"], made.data["order"]) == ([pane], job.order["_id"])
    assert "warnings" not in made.body
    assert pane_of(admin, pane)["isWithdrawn"] is True
    both = withdraw(admin, lots[0], 1, pane=pane, panes=[pane]).data
    assert both["panes"] == [pane]
