"""Inventories: every change of a lot has a ledger entry."""

import pytest

from glassflow.models.inventory import Inventory
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


SIZE = {"width": 812, "height": 1450}
DEFECT = {"x": 700, "y": 0, "width": 112, "height": 90}


@pytest.fixture
def remnant(lot):
    """The body of a new remnant."""
    return {**lot, "stockType": "Reuse", "quantity": 1, "dimensions": SIZE}


def test_remnant_has_a_size_defects_its_parent_and_a_code(admin, lot, remnant):
    parent = admin.post(PATH, lot).data
    assert parent["qrCode"] == f"STDPLUS:{parent['inventoryNumber']}"
    unset = {"dimensions": {"width": 0, "height": 0}, "defects": [], "parentLot": None}
    assert parent.items() >= unset.items()
    cut = {"defects": [DEFECT], "parentLot": parent["_id"]}
    made = admin.post(PATH, {**remnant, **cut}).data
    assert made.items() >= {**cut, "dimensions": SIZE}.items()
    (found,) = admin.get(PATH, parentLot=parent["_id"], populate="parentLot").data
    assert found["parentLot"] == parent
    stock = admin.get(f"/api/materials/{lot['material']}/stock").data
    assert stock["lots"] == [parent, made]
    assert admin.delete(f"{PATH}/{parent['_id']}").status == 200
    assert admin.get(f"{PATH}/{made['_id']}").data["parentLot"] is None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"dimensions": {"width": 800}}, "dimensions.height"),
        ({"dimensions": {"width": 0, "height": 800}}, "dimensions.width"),
        ({"dimensions": {"width": -1, "height": 800}}, "dimensions.width"),
        ({"dimensions": {"width": 1, "height": 20_001}}, "dimensions.height"),
        ({"dimensions": None, "defects": [DEFECT]}, "defects.0.x"),
        ({"defects": [{**DEFECT, "width": 113}]}, "defects.0.width"),
        ({"defects": [DEFECT, {**DEFECT, "y": 1450}]}, "defects.1.y"),
        ({"defects": [{**DEFECT, "height": 0}]}, "defects.0.height"),
        ({"defects": [{"x": 0, "y": 0, "width": 1}]}, "defects.0.height"),
        ({"defects": [DEFECT] * 51}, "defects"),
    ],
)
def test_size_and_defects_that_cannot_be_are_refused(admin, remnant, change, field):
    assert list(admin.post(PATH, {**remnant, **change}).faults) == [field]
    many = admin.post(PATH, {"items": [remnant, {**remnant, **change}]})
    assert list(many.faults) == [f"items.1.{field}"]
    assert ledger_entries(admin) == []
    made = admin.post(PATH, {**remnant, "dimensions": {"width": 0, "height": 0}}).data
    path = f"{PATH}/{made['_id']}"
    sized = {"dimensions": SIZE} | change
    assert list(admin.patch(path, sized).faults) == [field]
    assert admin.get(path).data == made


def test_parent_is_another_lot_of_the_same_material(admin, workshop, lot, remnant):
    other = admin.post(PATH, {**lot, "material": str(workshop.material().pk)}).data
    strange = {**remnant, "parentLot": other["_id"]}
    assert list(admin.post(PATH, strange).faults) == ["parentLot"]
    many = admin.post(PATH, {"items": [remnant, strange]})
    assert list(many.faults) == ["items.1.parentLot"]
    made = admin.post(PATH, {**remnant, "parentLot": admin.post(PATH, lot).data["_id"]})
    path = f"{PATH}/{made.data['_id']}"
    for change in (
        {"parentLot": made.data["_id"]},
        {"parentLot": other["_id"]},
        {"material": other["material"]},
    ):
        assert list(admin.patch(path, change).faults) == ["parentLot"]
    assert admin.patch(path, {"parentLot": "0" * 24}).status == 400
    moved = {"material": other["material"], "parentLot": other["_id"]}
    assert admin.patch(path, moved).status == 200


def one_sheet(answer):
    return (answer.status, answer.errors["code"], answer.errors["field"]) == (
        400,
        "ONE_SHEET",
        "quantity",
    )


def test_remnant_is_one_sheet_or_none(admin, lot, remnant):
    for quantity in (2, 0.5):
        assert one_sheet(admin.post(PATH, {**remnant, "quantity": quantity}))
    many = admin.post(PATH, {"items": [remnant, {**remnant, "quantity": 2}]})
    assert one_sheet(many)
    assert many.errors["index"] == 1
    with_defects = {**lot, "dimensions": SIZE, "defects": [DEFECT]}
    assert one_sheet(admin.post(PATH, with_defects))
    assert ledger_entries(admin) == []
    assert admin.post(PATH, {**remnant, "quantity": 0}).status == 201
    assert admin.post(PATH, {**lot, "dimensions": SIZE}).status == 201
    unsized = {**lot, "stockType": "Reuse"}
    assert admin.post(PATH, unsized).data["quantity"] == 40


def test_lot_that_becomes_one_sheet_is_judged_as_one(admin, lot):
    made = admin.post(PATH, {**lot, "dimensions": SIZE, "quantity": 2}).data
    path = f"{PATH}/{made['_id']}"
    assert one_sheet(admin.patch(path, {"stockType": "Reuse"}))
    assert one_sheet(admin.patch(path, {"defects": [DEFECT]}))
    assert admin.patch(path, {"stockType": "Reuse", "quantity": 1}).status == 200
    assert one_sheet(admin.patch(path, {"quantity": 2}))
    no_size = {"dimensions": {"width": 0, "height": 0}, "quantity": 2}
    assert admin.patch(path, no_size).status == 200
    assert one_sheet(admin.patch(path, {"dimensions": SIZE}))
    assert_stock_matches_ledger()


def test_lot_that_a_withdrawal_took_from_does_not_become_one_sheet(admin, lot):
    made = admin.post(PATH, {**lot, "stockType": "Reuse", "quantity": 4}).data
    taken = withdraw(admin, made, 3).data
    refused = admin.patch(f"{PATH}/{made['_id']}", {"dimensions": SIZE})
    assert (refused.status, refused.errors["code"]) == (409, "IN_USE")
    # what was approved before comes back as sheets of no known size
    admin.patch(f"{WITHDRAWALS}/{taken['_id']}", {"status": "approved"})
    assert admin.patch(f"{PATH}/{made['_id']}", {"dimensions": SIZE}).status == 200
    assert admin.delete(f"{WITHDRAWALS}/{taken['_id']}?cascade=true").status == 200
    rows = admin.get(PATH, sort="inventoryNumber").data
    assert [(one["quantity"], one["location"]) for one in rows] == [
        (1, "A-01"),
        (3, "รับคืน"),
    ]
    assert_stock_matches_ledger()


def test_rejected_withdrawal_gives_the_remnant_back_once(admin, remnant):
    made = admin.post(PATH, remnant).data
    path = f"{PATH}/{made['_id']}"
    for is_counted_meanwhile in (False, True):
        taken = withdraw(admin, made, 1, inventory=made["_id"]).data
        assert quantities_of(admin, made) == [0]
        if is_counted_meanwhile:
            admin.patch(path, {"quantity": 1})
        admin.patch(f"{WITHDRAWALS}/{taken['_id']}", {"status": "rejected"})
        assert quantities_of(admin, made) == [1]
        assert_stock_matches_ledger()
    *_, back, corrected = ledger_entries(admin)
    assert [back, corrected] == [("withdraw", 1), ("adjust", -1)]


def test_what_comes_back_to_no_lot_does_not_join_a_remnant(admin, lot, remnant):
    kept = admin.post(PATH, remnant).data
    gone = admin.post(PATH, {**lot, "stockType": "Reuse", "quantity": 2}).data
    taken = withdraw(admin, gone, 1, inventory=gone["_id"]).data
    admin.patch(f"{WITHDRAWALS}/{taken['_id']}", {"status": "approved"})
    assert admin.delete(f"{PATH}/{gone['_id']}").status == 200
    assert admin.delete(f"{WITHDRAWALS}/{taken['_id']}").status == 200
    assert quantities_of(admin, kept) == [1]
    assert_stock_matches_ledger()


def test_remnant_is_moved_whole_and_keeps_its_record(admin, worker, remnant):
    made = admin.post(PATH, remnant).data
    there = admin.post(PATH, {**remnant, "location": "B-02"}).data
    body = {"quantity": 1, "toLocation": "B-02", "toStorageColor": "blue"}
    seen = worker.post(f"{PATH}/{made['_id']}/move/preview", body).data
    assert (seen["source"], seen["target"]) == (made, made)
    assert one_sheet(move_part(worker, made, 0.5, "B-02"))
    moved = worker.post(f"{PATH}/{made['_id']}/move", body).data
    assert (moved["quantity"], moved["movedQuantity"]) == (1, 1)
    assert moved["source"] == moved["target"] == admin.get(f"{PATH}/{made['_id']}").data
    changed = {"location": "B-02", "storageColor": "blue", "version": 2}
    assert moved["target"] == {
        **made,
        **changed,
        "updatedAt": moved["target"]["updatedAt"],
    }
    assert quantities_of(admin, made, there) == [1, 1]
    assert ledger_entries(admin, inventory=made["_id"]) == [
        ("import", 1),
        ("move", -1),
        ("move", 1),
    ]
    assert move_part(worker, made, 2, "C-03").errors["code"] == "INSUFFICIENT_STOCK"
    assert_stock_matches_ledger()


def test_moved_sheets_join_a_lot_of_their_size_without_defects(admin, lot):
    sized = {**lot, "dimensions": SIZE}
    made, plain = admin.post(PATH, sized).data, admin.post(PATH, lot).data
    there = {"location": "B-02", "quantity": 1}
    others = [
        admin.post(PATH, {**sized, **there, "defects": [DEFECT]}).data,
        admin.post(PATH, {**sized, **there, "dimensions": {**SIZE, "width": 9}}).data,
    ]
    moved = move_part(admin, made, 3, "B-02").data["target"]
    assert moved["dimensions"] == SIZE
    assert move_part(admin, made, 2, "B-02").data["target"]["_id"] == moved["_id"]
    unsized = move_part(admin, plain, 5, "B-02").data["target"]
    assert unsized["dimensions"] == {"width": 0, "height": 0}
    again = move_part(admin, plain, 5, "B-02").data["target"]
    assert again["_id"] == unsized["_id"]
    assert quantities_of(admin, made, plain, moved, unsized, *others) == [
        *(35, 30, 5, 10, 1, 1)
    ]


@pytest.mark.undescribed
def test_lot_of_an_earlier_release_is_changed_moved_and_joined(admin, lot):
    made, there = (
        admin.post(PATH, {**lot, "location": place}).data for place in ("A", "B")
    )
    new = {"dimensions": 1, "defects": 1, "parentLot": 1}
    Inventory.collection().update_many({}, {"$unset": new})
    assert admin.get(f"{PATH}/{made['_id']}").data == made
    assert move_part(admin, made, 4, "B").data["target"]["_id"] == there["_id"]
    assert admin.patch(f"{PATH}/{made['_id']}", {"quantity": 9}).status == 200
    assert quantities_of(admin, made, there) == [9, 44]
    assert_stock_matches_ledger()
