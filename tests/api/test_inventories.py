"""Inventories: every change of a lot has a ledger entry."""

import pytest

from stock_api import (
    WITHDRAWALS,
    assert_stock_matches_ledger,
    ledger_entries,
    move_part,
    quantities_of,
    withdraw,
)

PATH = "/api/inventories"
LEDGER = "/api/material-logs"


@pytest.fixture
def lot(workshop):
    """The body of a new lot."""
    return {
        "material": str(workshop.material().pk),
        "stockType": "Raw",
        "quantity": 40,
        "location": "A-01",
    }


def test_new_lot_has_a_number_and_a_ledger_entry(admin, lot):
    made = admin.post(PATH, lot).data
    assert made["inventoryNumber"].startswith("INV-")
    assert (made["storageColor"], made["isActive"]) == ("", True)
    assert admin.get(f"{PATH}/{made['_id']}").data == made
    (entry,) = admin.get(LEDGER, material=lot["material"]).data
    assert (entry["actionType"], entry["quantityChanged"]) == ("import", 40)
    assert (entry["referenceType"], entry["referenceId"]) == ("inventory", made["_id"])
    assert entry["inventory"] == made["_id"]
    assert entry["stockType"] == "Raw"
    assert entry["worker"] == admin.id
    assert "byService" not in entry


def test_raised_quantity_is_posted_as_an_import_and_a_lowered_one_as_an_adjustment(
    admin, lot
):
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    admin.patch(path, {"quantity": 37})
    admin.patch(path, {"quantity": 37, "location": "A-02"})
    admin.patch(path, {"quantity": 37.5})
    entries = [("import", 40), ("adjust", -3), ("import", 0.5)]
    assert ledger_entries(admin) == entries
    assert admin.get(path).data["location"] == "A-02"


def test_reason_of_a_correction_is_logged_and_no_field_of_the_lot(admin, lot):
    made = admin.post(PATH, {**lot, "reason": "ใบส่งของ 77"}).data
    path = f"{PATH}/{made['_id']}"
    admin.patch(path, {"quantity": 38, "reason": "แตก 2 แผ่น"})
    admin.patch(path, {"quantity": 38, "reason": "nothing changes"})
    admin.patch(path, {"location": "A-02", "reason": "the stock does not change"})
    assert "reason" not in admin.get(path).data
    rows = admin.get(LEDGER, sort="createdAt").data
    assert [row["reason"] for row in rows] == ["ใบส่งของ 77", "แตก 2 แผ่น"]
    too_long = admin.patch(path, {"quantity": 1, "reason": "x" * 1001})
    assert set(too_long.faults) == {"reason"}


def test_corrected_material_is_posted_under_both_materials(admin, lot, workshop):
    other = str(workshop.material().pk)
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    admin.patch(path, {"material": other, "quantity": 30})
    old = ledger_entries(admin, materialId=lot["material"])
    assert old == [("import", 40), ("adjust", -40)]
    assert ledger_entries(admin, materialId=other) == [("adjust", 30)]


def test_deleted_lot_leaves_the_ledger_balanced(admin, lot):
    made = admin.post(PATH, lot).data
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.get(PATH).data == []
    assert sum(quantity for _, quantity in ledger_entries(admin)) == 0


def test_refused_lot_leaves_no_ledger_entry(admin, lot):
    answer = admin.post(PATH, {**lot, "material": "0123456789abcdef01234567"})
    assert (answer.status, answer.message) == (400, "Material not found")
    assert ledger_entries(admin) == []


def test_lot_numbers_increase_and_cannot_be_chosen(admin, lot):
    first = admin.post(PATH, {**lot, "inventoryNumber": "INV-0000"}).data
    second = admin.post(PATH, lot).data
    assert first["inventoryNumber"] < second["inventoryNumber"]
    assert first["inventoryNumber"] != "INV-0000"


def test_lots_are_filtered_and_read_with_their_material(admin, lot):
    admin.post(PATH, lot)
    reused = admin.post(PATH, {**lot, "stockType": "Reuse"}).data
    found = admin.get(PATH, stockType="Reuse", populate="true").data
    assert [row["_id"] for row in found] == [reused["_id"]]
    assert found[0]["material"]["_id"] == lot["material"]


def test_moving_a_lot_needs_its_key(admin, worker, client_with_keys, lot):
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    body = {"quantity": 5, "toLocation": "B-02"}
    assert worker.post(f"{path}/move", body).status == 200
    assert client_with_keys("inventory:view").post(f"{path}/move", body).status == 403
    assert worker.post(f"{PATH}/{'0' * 24}/move", body).status == 404
    nowhere = worker.post(f"{path}/move", {"quantity": 0})
    assert set(nowhere.faults) == {"quantity", "toLocation"}
    assert admin.get(path).data["quantity"] == 35


def test_moved_part_becomes_a_new_lot_at_the_location(admin, worker, lot):
    made = admin.post(PATH, lot).data
    answer = move_part(worker, made, 15, "B-02", toStorageColor="blue")
    source, target = answer.data["source"], answer.data["target"]
    assert answer.data["quantity"] == answer.data["movedQuantity"] == 15
    assert (source["_id"], source["quantity"]) == (made["_id"], 25)
    assert target["inventoryNumber"] > made["inventoryNumber"]
    assert (target["location"], target["storageColor"]) == ("B-02", "blue")
    assert (target["quantity"], target["stockType"]) == (15, "Raw")
    assert admin.get(f"{PATH}/{target['_id']}").data == target
    assert admin.get(f"{PATH}/{made['_id']}").data == source
    assert_stock_matches_ledger()


def test_move_has_two_ledger_entries_and_keeps_the_total(admin, worker, lot):
    made = admin.post(PATH, lot).data
    target = move_part(worker, made, 15, "B-02").data["target"]
    _, left, came = admin.get(LEDGER, sort="createdAt").data
    assert (left["actionType"], left["quantityChanged"]) == ("move", -15)
    assert (came["actionType"], came["quantityChanged"]) == ("move", 15)
    assert (left["inventory"], came["inventory"]) == (made["_id"], target["_id"])
    assert (left["parentLog"], came["parentLog"]) == (None, left["_id"])
    assert left["worker"] == came["worker"] == worker.id
    assert admin.patch(f"{LEDGER}/{came['_id']}", {"quantityChanged": 1}).status == 409


def test_moved_part_is_added_to_a_lot_of_its_kind_at_the_location(admin, lot):
    made = admin.post(PATH, lot).data
    there = admin.post(PATH, {**lot, "location": "B-02", "quantity": 4}).data
    others = [
        admin.post(PATH, {**lot, "location": "B-02", **other}).data
        for other in ({"stockType": "Reuse"}, {"storageColor": "red"})
    ]
    assert move_part(admin, made, 40, "B-02").data["target"]["_id"] == there["_id"]
    assert quantities_of(admin, made, there, *others) == [0, 44, 40, 40]
    assert_stock_matches_ledger()


def test_lot_keeps_its_colour_unless_another_is_named(admin, lot):
    made = admin.post(PATH, {**lot, "storageColor": "red"}).data
    kept = move_part(admin, made, 1, "B-02").data["target"]
    assert kept["storageColor"] == "red"
    assert move_part(admin, made, 1, "A-01").errors["code"] == "SAME_PLACE"
    bare = move_part(admin, made, 1, "A-01", toStorageColor=None).data["target"]
    assert (bare["location"], bare["storageColor"]) == ("A-01", "")


def test_preview_of_a_move_names_the_target_lot_and_moves_nothing(
    admin, worker, client_with_keys, lot
):
    made = admin.post(PATH, lot).data
    path = f"{PATH}/{made['_id']}/move/preview"
    body = {"quantity": 15, "toLocation": "B-02"}
    assert worker.post(path, body).data == {
        "source": made, "target": None, "quantity": 15,
    }  # fmt: skip
    there = admin.post(PATH, {**lot, "location": "B-02", "quantity": 4}).data
    assert worker.post(path, body).data["target"] == there
    assert quantities_of(admin, made, there) == [40, 4]
    assert move_part(worker, made, 15, "B-02").data["target"]["_id"] == there["_id"]
    refused = worker.post(path, {**body, "quantity": 26})
    assert refused.errors["code"] == "INSUFFICIENT_STOCK"
    same = worker.post(path, {**body, "toLocation": "A-01"})
    assert same.errors["code"] == "SAME_PLACE"
    assert client_with_keys("inventory:view").post(path, body).status == 403


@pytest.mark.parametrize(
    ("quantity", "to", "facts"),
    [
        (
            41,
            "B-02",
            {"code": "INSUFFICIENT_STOCK", "available": 40, "requested": 41},
        ),
        (1, "A-01", {"code": "SAME_PLACE"}),
    ],
)
def test_impossible_move_is_refused_and_changes_nothing(
    admin, lot, quantity, to, facts
):
    made = admin.post(PATH, lot).data
    answer = move_part(admin, made, quantity, to)
    assert (answer.status, answer.errors) == (400, facts)
    assert admin.get(PATH).data == [made]
    assert ledger_entries(admin) == [("import", 40)]


@pytest.mark.parametrize(
    ("odd", "field"),
    [
        ({"quantity": -1}, "quantity"),
        ({"quantity": "1"}, "quantity"),
        ({"quantity": True}, "quantity"),
        ({"quantity": 1e-9}, "quantity"),
        ({"quantity": 1e300}, "quantity"),
        ({"quantity": None}, "quantity"),
        ({"toLocation": " "}, "toLocation"),
        ({"toLocation": 5}, "toLocation"),
        ({"toStorageColor": []}, "toStorageColor"),
    ],
)
def test_invalid_move_is_refused(admin, lot, odd, field):
    made = admin.post(PATH, lot).data
    body = {"quantity": 1, "toLocation": "B-02", **odd}
    assert list(admin.post(f"{PATH}/{made['_id']}/move", body).faults) == [field]
    assert admin.get(PATH).data == [made]


def test_inactive_lot_is_neither_source_nor_target_of_a_move(admin, lot):
    gone = admin.post(PATH, {**lot, "location": "B-02", "isActive": False}).data
    made = admin.post(PATH, lot).data
    assert move_part(admin, gone, 1, "C-03").errors == {"code": "LOT_INACTIVE"}
    assert move_part(admin, made, 1, "B-02").data["target"]["_id"] != gone["_id"]
    assert quantities_of(admin, gone) == [40]


def test_moves_of_tenths_cause_no_rounding_error(admin, lot):
    made = admin.post(PATH, {**lot, "quantity": 1}).data
    for _ in range(10):
        target = move_part(admin, made, 0.1, "B-02").data["target"]
    assert quantities_of(admin, made, target) == [0, 1]
    assert move_part(admin, made, 0.1, "B-02").status == 400
    assert_stock_matches_ledger()


def test_corrected_stock_type_is_posted_under_both_types(admin, lot):
    made = admin.post(PATH, lot).data
    admin.patch(f"{PATH}/{made['_id']}", {"stockType": "Reuse"})
    assert ledger_entries(admin, stockType="Raw") == [("import", 40), ("adjust", -40)]
    assert ledger_entries(admin, stockType="Reuse") == [("adjust", 40)]
    assert_stock_matches_ledger()


def test_lot_of_a_pending_withdrawal_keeps_its_material_and_type(admin, lot, workshop):
    made = admin.post(PATH, lot).data
    taken = withdraw(admin, made, 5).data
    path, other = f"{PATH}/{made['_id']}", str(workshop.material().pk)
    for change in ({"material": other}, {"stockType": "Reuse"}):
        answer = admin.patch(path, change)
        assert (answer.status, answer.errors["code"]) == (409, "IN_USE")
    answer = admin.delete(path)
    assert (answer.status, answer.message) == (
        409,
        "Inventory has 1 pending withdrawal",
    )
    assert admin.patch(path, {"location": "A-09", "quantity": 30}).status == 200
    admin.patch(f"{WITHDRAWALS}/{taken['_id']}", {"status": "approved"})
    assert admin.patch(path, {"material": other}).status == 200
    assert_stock_matches_ledger()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"material": None}, "material"),
        ({"stockType": "raw"}, "stockType"),
        ({"quantity": -1}, "quantity"),
        ({"quantity": "40"}, "quantity"),
        ({"quantity": 10**9 + 1}, "quantity"),
        ({"quantity": None}, "quantity"),
        ({"location": ""}, "location"),
        ({"isActive": 0}, "isActive"),
    ],
)
def test_bad_input_is_refused(admin, lot, change, field):
    assert list(admin.post(PATH, {**lot, **change}).faults) == [field]
    assert admin.get(PATH).data == []
