"""`flask stock check` reports what differs from the ledger, and nothing else."""

import pytest
from bson import ObjectId

from glassflow.models import BY_NAME
from glassflow.services.stock.audit import differences
from stock_api import (
    LOTS,
    WITHDRAWALS,
    assert_stock_matches_ledger,
    create_lot,
    move_part,
    withdraw,
)


@pytest.fixture
def lot(admin, workshop):
    return create_lot(admin, workshop.material(name="ใส"), 10)


@pytest.fixture
def check(app):
    """Runs the command; gives its exit code and lines."""

    def run():
        result = app.test_cli_runner().invoke(args=["stock", "check"])
        return result.exit_code, result.output.splitlines()

    return run


def tamper(kind, record, **values):
    """Change a record directly in the store."""
    query = {"_id": ObjectId(record["_id"])}
    BY_NAME[kind].collection().update_one(query, {"$set": values})


def test_stock_matches_the_ledger_after_changes_of_every_kind(admin, lot, check):
    made = withdraw(admin, lot, 4).data
    withdraw(admin, lot, 1, status="approved")
    move_part(admin, lot, 2, "B-02")
    admin.patch(f"{LOTS}/{lot['_id']}", {"quantity": 2.5})
    admin.delete(f"{WITHDRAWALS}/{made['_id']}")
    assert check() == (0, ["stock: 2 lots checked, all as the ledger says"])


def test_check_names_a_lot_and_its_material_that_differ(admin, lot, check):
    create_lot(admin, lot["material"], 1)
    tamper("Inventory", lot, quantity=12)
    code, lines = check()
    assert (code, len(lines)) == (1, 2)
    number = lot["inventoryNumber"]
    assert lines[0] == f"lot {number} of ใส: it holds 12, the ledger says 10"
    assert lines[1] == "material ใส: it holds 13, the ledger says 11"


def test_check_names_a_withdrawal_that_differs(admin, lot, check):
    made = withdraw(admin, lot, 4).data
    given = [{"inventory": ObjectId(lot["_id"]), "quantity": 3}]
    tamper("Withdrawal", made, allocations=given)
    number = made["withdrawalNumber"]
    line = f"withdrawal {number} of ใส: it holds 3, the ledger says 4"
    assert check() == (1, [line])


def test_check_notices_a_missing_ledger_entry(admin, lot):
    withdraw(admin, lot, 4)
    BY_NAME["MaterialLog"].objects(action_type="withdraw").delete()
    assert [found.kind for found in differences()] == ["lot", "material", "withdrawal"]


def test_check_notices_ledger_entries_of_a_lot_that_is_missing(admin, lot):
    BY_NAME["Inventory"].objects(pk=lot["_id"]).delete()
    found = differences()
    assert [(one.kind, one.name) for one in found] == [
        ("lot", lot["_id"]),
        ("material", "ใส"),
    ]


def test_check_ignores_manual_logs_and_differences_below_a_millionth(admin, lot):
    body = {"material": lot["material"], "actionType": "cut", "quantityChanged": -3}
    assert admin.post("/api/material-logs", body).status == 201
    tamper("Inventory", lot, quantity=10.0000005)
    assert_stock_matches_ledger()
    tamper("Inventory", lot, quantity=10.00001)
    assert len(differences()) == 2
