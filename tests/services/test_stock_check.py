"""`flask stock check` finds what differs from the book, and only that."""

import pytest
from bson import ObjectId

from glassflow.models import BY_NAME
from glassflow.services.stock_check import differences
from storeroom import LOTS, TAKINGS, assert_balanced, move, put_in, take


@pytest.fixture
def lot(admin, workshop):
    return put_in(admin, workshop.material(name="ใส"), 10)


@pytest.fixture
def check(app):
    """Runs the command; gives its exit code and lines."""

    def run():
        result = app.test_cli_runner().invoke(args=["stock", "check"])
        return result.exit_code, result.output.splitlines()

    return run


def spoil(kind, record, **values):
    """Change a record behind the service's back."""
    query = {"_id": ObjectId(record["_id"])}
    BY_NAME[kind]._get_collection().update_one(query, {"$set": values})


def test_a_day_of_changes_is_as_the_book_says(admin, lot, check):
    made = take(admin, lot, 4).data
    take(admin, lot, 1, status="approved")
    move(admin, lot, 2, "B-02")
    admin.patch(f"{LOTS}/{lot['_id']}", {"quantity": 2.5})
    admin.delete(f"{TAKINGS}/{made['_id']}")
    assert check() == (0, ["stock: 2 lots checked, all as the book says"])


def test_a_lot_and_its_material_that_differ_are_named(admin, lot, check):
    put_in(admin, lot["material"], 1)
    spoil("Inventory", lot, quantity=12)
    code, lines = check()
    assert (code, len(lines)) == (1, 2)
    number = lot["inventoryNumber"]
    assert lines[0] == f"lot {number} of ใส: it says 12, the book says 10"
    assert lines[1] == "material ใส: it says 13, the book says 11"


def test_a_withdrawal_that_differs_is_named(admin, lot, check):
    made = take(admin, lot, 4).data
    given = [{"inventory": ObjectId(lot["_id"]), "quantity": 3}]
    spoil("Withdrawal", made, allocations=given)
    number = made["withdrawalNumber"]
    told = f"withdrawal {number} of ใส: it says 3, the book says 4"
    assert check() == (1, [told])


def test_an_entry_that_is_gone_is_missed(admin, lot):
    take(admin, lot, 4)
    BY_NAME["MaterialLog"].objects(action_type="withdraw").delete()
    assert [found.kind for found in differences()] == ["lot", "material", "withdrawal"]


def test_what_a_deleted_lot_has_left_in_the_book_is_missed(admin, lot):
    BY_NAME["Inventory"].objects(pk=lot["_id"]).delete()
    found = differences()
    assert [(one.kind, one.name) for one in found] == [
        ("lot", lot["_id"]),
        ("material", "ใส"),
    ]


def test_notes_of_people_and_millionths_do_not_matter(admin, lot):
    body = {"material": lot["material"], "actionType": "cut", "quantityChanged": -3}
    assert admin.post("/api/material-logs", body).status == 201
    spoil("Inventory", lot, quantity=10.0000005)
    assert_balanced()
    spoil("Inventory", lot, quantity=10.00001)
    assert len(differences()) == 2
