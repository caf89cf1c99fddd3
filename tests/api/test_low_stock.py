"""Low stock: said once, when a change takes a material below its reorder point."""

import pytest

from storeroom import LOTS, TAKINGS, move, put_in, take

NOTES = "/api/notifications"


@pytest.fixture
def lot(admin, workshop):
    """Twelve sheets of a material that is to be ordered below ten."""
    made = workshop.material(name="กระจกใส", unit="แผ่น", reorder_point=10)
    return put_in(admin, made, 12)


def told(api):
    """The messages that a worker has had about low stock."""
    rows = api.get(NOTES, type="low_stock", recipient=api.id, limit=100).data
    return [row["message"] for row in rows]


def test_it_names_the_material_what_is_left_and_the_reorder_point(admin, lot):
    take(admin, lot, 2)
    assert told(admin) == []
    take(admin, lot, 1)
    (message,) = told(admin)
    for word in ("กระจกใส", "9", "แผ่น", "10"):
        assert word in message
    (note,) = admin.get(NOTES, type="low_stock").data
    assert (note["referenceType"], note["referenceId"]) == ("Material", lot["material"])
    assert (note["priority"], note["readStatus"]) == ("high", False)


def test_it_is_said_once_until_the_stock_was_refilled(admin, lot):
    for _ in range(3):
        take(admin, lot, 3)
    assert len(told(admin)) == 1
    put_in(admin, lot["material"], 20)
    take(admin, lot, 20)
    assert len(told(admin)) == 2


def test_it_is_said_to_active_holders_of_the_key_and_to_nobody_else(
    admin, manager, worker, holder, workshop, lot
):
    keeper, mover = holder("inventory:manage"), holder("inventory:move")
    gone = workshop.worker(role=workshop.roles["manager"], is_active=False)
    take(admin, lot, 5)
    said = {row["recipient"] for row in admin.get(NOTES, type="low_stock").data}
    assert said == {admin.id, manager.id, keeper.id}
    assert {worker.id, mover.id, str(gone.pk)}.isdisjoint(said)


def test_it_is_judged_over_all_lots_in_use(admin, lot):
    other = put_in(admin, lot["material"], 5)
    put_in(admin, lot["material"], 50, isActive=False)
    take(admin, lot, 7)
    assert told(admin) == []
    assert move(admin, other, 3, "B-02").status == 200
    assert told(admin) == []
    take(admin, lot, 1)
    assert len(told(admin)) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda api, path: api.patch(path, {"quantity": 9}),
        lambda api, path: api.patch(path, {"isActive": False}),
        lambda api, path: api.delete(path),
    ],
    ids=["corrected", "out of use", "deleted"],
)
def test_a_lot_that_is_changed_by_hand_counts_too(admin, lot, act):
    assert act(admin, f"{LOTS}/{lot['_id']}").status == 200
    assert len(told(admin)) == 1


def test_a_lot_that_turns_out_to_be_of_another_material(admin, lot, workshop):
    other = str(workshop.material(reorder_point=50).pk)
    admin.patch(f"{LOTS}/{lot['_id']}", {"material": other})
    (message,) = told(admin)
    assert "กระจกใส" in message


def test_a_reorder_point_that_is_raised_above_what_is_there(admin, lot):
    path = f"/api/materials/{lot['material']}"
    admin.patch(path, {"reorderPoint": 12})
    assert told(admin) == []
    admin.patch(path, {"reorderPoint": 13, "notes": None})
    admin.patch(path, {"reorderPoint": 14})
    assert len(told(admin)) == 1


def test_taking_other_lots_instead_is_one_change(admin, lot):
    other = put_in(admin, lot["material"], 1)
    made = take(admin, lot, 5, inventory=lot["_id"]).data
    assert len(told(admin)) == 1
    path = f"{TAKINGS}/{made['_id']}"  # back to 13 in between, and down again
    change = {"inventory": None, "quantity": 6, "notes": other["_id"]}
    assert admin.patch(path, change).status == 200
    assert len(told(admin)) == 1


def test_a_refused_withdrawal_says_nothing(admin, lot):
    assert take(admin, lot, 13).status == 400
    assert told(admin) == []


def test_what_was_never_enough_does_not_become_low(admin, workshop):
    material = workshop.material(reorder_point=10)
    lot = put_in(admin, material, 5)
    take(admin, lot, 1)
    assert told(admin) == []
