"""Inventories: lots, whose every change stands in the stock book too."""

import pytest

PATH = "/api/inventories"
BOOK = "/api/material-logs"


@pytest.fixture
def lot(workshop):
    """The body of a new lot."""
    return {
        "material": str(workshop.material().pk),
        "stockType": "Raw",
        "quantity": 40,
        "location": "A-01",
    }


def entries(api, **query):
    """What the book says, oldest first."""
    rows = api.get(BOOK, sort="createdAt", **query).data
    return [(row["actionType"], row["quantityChanged"]) for row in rows]


def test_a_new_lot_has_a_number_and_stands_in_the_book(admin, lot):
    made = admin.post(PATH, lot).data
    assert made["inventoryNumber"].startswith("INV-")
    assert (made["storageColor"], made["isActive"]) == ("", True)
    assert admin.get(f"{PATH}/{made['_id']}").data == made
    (entry,) = admin.get(BOOK, material=lot["material"]).data
    assert (entry["actionType"], entry["quantityChanged"]) == ("import", 40)
    assert (entry["referenceType"], entry["referenceId"]) == ("inventory", made["_id"])
    assert entry["inventory"] == made["_id"]
    assert entry["stockType"] == "Raw"
    assert entry["worker"] == admin.id
    assert "byService" not in entry


def test_a_corrected_quantity_is_an_adjustment(admin, lot):
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    admin.patch(path, {"quantity": 37})
    admin.patch(path, {"quantity": 37, "location": "A-02"})
    assert entries(admin) == [("import", 40), ("adjust", -3)]
    assert admin.get(path).data["location"] == "A-02"


def test_a_corrected_material_leaves_one_balance_and_enters_another(
    admin, lot, workshop
):
    other = str(workshop.material().pk)
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    admin.patch(path, {"material": other, "quantity": 30})
    old = entries(admin, materialId=lot["material"])
    assert old == [("import", 40), ("adjust", -40)]
    assert entries(admin, materialId=other) == [("adjust", 30)]


def test_a_deleted_lot_leaves_the_book_balanced(admin, lot):
    made = admin.post(PATH, lot).data
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.get(PATH).data == []
    assert sum(quantity for _, quantity in entries(admin)) == 0


def test_a_refused_lot_leaves_nothing_in_the_book(admin, lot):
    answer = admin.post(PATH, {**lot, "material": "0123456789abcdef01234567"})
    assert (answer.status, answer.message) == (400, "Material not found")
    assert entries(admin) == []


def test_numbers_go_up_and_cannot_be_chosen(admin, lot):
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


def test_moving_is_for_its_key_and_not_there_yet(admin, worker, holder, lot):
    path = f"{PATH}/{admin.post(PATH, lot).data['_id']}"
    body = {"quantity": 5, "toLocation": "B-02"}
    assert worker.post(f"{path}/move", body).status == 501
    assert holder("inventory:view").post(f"{path}/move", body).status == 403
    nowhere = worker.post(f"{path}/move", {"quantity": 0})
    assert set(nowhere.faults) == {"quantity", "toLocation"}
    assert admin.get(path).data["quantity"] == 40


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"material": None}, "material"),
        ({"stockType": "raw"}, "stockType"),
        ({"quantity": -1}, "quantity"),
        ({"quantity": "40"}, "quantity"),
        ({"quantity": None}, "quantity"),
        ({"location": ""}, "location"),
        ({"isActive": 0}, "isActive"),
    ],
)
def test_bad_input_is_refused(admin, lot, change, field):
    assert list(admin.post(PATH, {**lot, **change}).faults) == [field]
    assert admin.get(PATH).data == []
