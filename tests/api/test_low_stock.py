"""Low stock: one notification when a material falls below its reorder point."""

import pytest

from stock_api import LOTS, WITHDRAWALS, create_lot, move_part, withdraw

NOTES = "/api/notifications"


@pytest.fixture
def lot(admin, workshop):
    """Twelve sheets of a material that is to be ordered below ten."""
    made = workshop.material(name="กระจกใส", unit="แผ่น", reorder_point=10)
    return create_lot(admin, made, 12)


def low_stock_messages(api):
    """The messages about low stock that a worker has received."""
    rows = api.get(NOTES, type="low_stock", recipient=api.id, limit=100).data
    return [row["message"] for row in rows]


def test_notification_names_material_quantity_and_reorder_point(admin, lot):
    withdraw(admin, lot, 2)
    assert low_stock_messages(admin) == []
    withdraw(admin, lot, 1)
    (message,) = low_stock_messages(admin)
    for text in ("กระจกใส", "9", "แผ่น", "10"):
        assert text in message
    (note,) = admin.get(NOTES, type="low_stock").data
    assert (note["referenceType"], note["referenceId"]) == ("Material", lot["material"])
    assert (note["priority"], note["readStatus"]) == ("high", False)


def test_notification_is_sent_once_until_the_stock_is_refilled(admin, lot):
    for _ in range(3):
        withdraw(admin, lot, 3)
    assert len(low_stock_messages(admin)) == 1
    create_lot(admin, lot["material"], 20)
    withdraw(admin, lot, 20)
    assert len(low_stock_messages(admin)) == 2


def test_notification_goes_only_to_active_workers_with_the_key(
    admin, manager, worker, client_with_keys, workshop, lot
):
    keeper, mover = (
        client_with_keys("inventory:manage"),
        client_with_keys("inventory:move"),
    )
    gone = workshop.worker(role=workshop.roles["manager"], is_active=False)
    withdraw(admin, lot, 5)
    recipients = {row["recipient"] for row in admin.get(NOTES, type="low_stock").data}
    assert recipients == {admin.id, manager.id, keeper.id}
    assert {worker.id, mover.id, str(gone.pk)}.isdisjoint(recipients)


def test_low_stock_counts_all_active_lots(admin, lot):
    other = create_lot(admin, lot["material"], 5)
    create_lot(admin, lot["material"], 50, isActive=False)
    withdraw(admin, lot, 7)
    assert low_stock_messages(admin) == []
    assert move_part(admin, other, 3, "B-02").status == 200
    assert low_stock_messages(admin) == []
    withdraw(admin, lot, 1)
    assert len(low_stock_messages(admin)) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda api, path: api.patch(path, {"quantity": 9}),
        lambda api, path: api.patch(path, {"isActive": False}),
        lambda api, path: api.delete(path),
    ],
    ids=["corrected", "out of use", "deleted"],
)
def test_correction_of_a_lot_can_cause_low_stock(admin, lot, act):
    assert act(admin, f"{LOTS}/{lot['_id']}").status == 200
    assert len(low_stock_messages(admin)) == 1


def test_changing_the_material_of_a_lot_can_cause_low_stock(admin, lot, workshop):
    other = str(workshop.material(reorder_point=50).pk)
    admin.patch(f"{LOTS}/{lot['_id']}", {"material": other})
    (message,) = low_stock_messages(admin)
    assert "กระจกใส" in message


def test_raising_the_reorder_point_can_cause_low_stock(admin, lot):
    path = f"/api/materials/{lot['material']}"
    admin.patch(path, {"reorderPoint": 12})
    assert low_stock_messages(admin) == []
    admin.patch(path, {"reorderPoint": 13, "notes": None})
    admin.patch(path, {"reorderPoint": 14})
    assert len(low_stock_messages(admin)) == 1


def test_reallocating_a_withdrawal_is_one_change_of_the_stock(admin, lot):
    other = create_lot(admin, lot["material"], 1)
    made = withdraw(admin, lot, 5, inventory=lot["_id"]).data
    assert len(low_stock_messages(admin)) == 1
    path = f"{WITHDRAWALS}/{made['_id']}"  # back to 13 in between, and down again
    change = {"inventory": None, "quantity": 6, "notes": other["_id"]}
    assert admin.patch(path, change).status == 200
    assert len(low_stock_messages(admin)) == 1


def test_refused_withdrawal_sends_no_notification(admin, lot):
    assert withdraw(admin, lot, 13).status == 400
    assert low_stock_messages(admin) == []


def test_stock_that_was_already_low_sends_no_notification(admin, workshop):
    material = workshop.material(reorder_point=10)
    lot = create_lot(admin, material, 5)
    withdraw(admin, lot, 1)
    assert low_stock_messages(admin) == []


def test_fractions_that_add_up_to_the_reorder_point_are_not_low(admin, workshop):
    """As floats 0.7 and 0.1 are a little less than 0.8."""
    material = workshop.material(reorder_point=0.8)
    create_lot(admin, material, 0.7)
    path = f"{LOTS}/{create_lot(admin, material, 0.2)['_id']}"
    admin.patch(path, {"quantity": 0.1})
    assert low_stock_messages(admin) == []
    assert low_materials_on_boards(admin) == ([], [])
    admin.patch(path, {"quantity": 0.09})
    assert len(low_stock_messages(admin)) == 1
    quantities = [
        [one["quantity"] for one in low] for low in low_materials_on_boards(admin)
    ]
    assert quantities == [[0.79], [0.79]]


def low_materials_on_boards(api):
    """The materials that the wall board and the dashboard show as low."""
    alerts = api.get("/api/board").data["alerts"]
    low = [one for one in alerts if one["kind"] == "low_stock"]
    return low, api.get("/api/dashboard/stats").data["lowStock"]
