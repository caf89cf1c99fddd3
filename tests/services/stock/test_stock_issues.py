"""Stock that remakes and claims take: how much there is, and from which lot."""

import pytest
from bson import ObjectId

from glassflow.domain.errors import UnknownReference
from glassflow.domain.stock import InsufficientStock
from glassflow.services.stock import issues
from glassflow.services.stock.ledger import LedgerReference
from stock_api import (
    LEDGER,
    LOTS,
    assert_stock_matches_ledger,
    create_lot,
    quantities_of,
)

REMAKE = {"action": "remake", "reference_type": "qc_remake", "reference_id": "a" * 24}


@pytest.fixture
def glass(workshop):
    return workshop.material().pk


@pytest.fixture
def issue(admin, glass):
    """Takes so much of the material for a remake; returns the quantity of each lot."""

    def take(quantity, **options):
        options = {**REMAKE, "worker": admin.worker.pk, **options}
        taken = issues.issue(material=glass, quantity=quantity, **options)
        return [(str(one["inventory"]), one["quantity"]) for one in taken]

    return take


def test_raw_stock_is_taken_before_reused_and_older_lots_first(admin, glass, issue):
    reused = create_lot(admin, glass, 2, stockType="Reuse")
    older, newer = create_lot(admin, glass, 1), create_lot(admin, glass, 1)
    expected = [(one["_id"], 1) for one in (older, newer, reused)]
    assert issue(3) == expected
    assert quantities_of(admin, older, newer, reused) == [0, 0, 1]


def test_preferred_lots_are_taken_first(admin, glass, issue, workshop):
    lots = [create_lot(admin, glass, 2) for _ in range(3)]
    other = create_lot(admin, workshop.material(), 2)
    wanted = [ObjectId(lots[at]["_id"]) for at in (2, 1)]
    prefer = [ObjectId(other["_id"]), *wanted]
    assert issue(5, prefer=prefer) == [
        (lots[at]["_id"], part) for at, part in ((2, 2), (1, 2), (0, 1))
    ]
    assert quantities_of(admin, other) == [2]


def test_issue_may_take_less_than_requested_or_nothing(admin, glass, issue):
    assert issue(1, allow_partial=True) == []
    lot = create_lot(admin, glass, 2)
    assert issue(3, allow_partial=True) == [(lot["_id"], 2)]
    with pytest.raises(InsufficientStock):
        issue(1)
    assert_stock_matches_ledger()


def test_ledger_entry_names_the_reason(admin, glass, issue):
    lot = create_lot(admin, glass, 2)
    panes = [ObjectId(), ObjectId()]
    issue(2, order=ObjectId("b" * 24), panes=panes)
    (row,) = admin.get(LEDGER, actionType="remake").data
    assert (row["inventory"], row["quantityChanged"]) == (lot["_id"], -2)
    assert (row["referenceType"], row["referenceId"]) == ("qc_remake", "a" * 24)
    assert (row["order"], row["panes"]) == ("b" * 24, [str(one) for one in panes])
    assert row["worker"] == admin.id


def test_deleted_lot_cannot_be_named(admin, glass, issue):
    create_lot(admin, glass, 2)
    with pytest.raises(UnknownReference):
        issue(1, lot=ObjectId())
    with pytest.raises(UnknownReference):
        issue(1, lot=ObjectId(), allow_partial=True)


def test_returned_stock_is_available_again(admin, glass, issue):
    lots = [create_lot(admin, glass, 2) for _ in range(2)]
    taken = [{"inventory": ObjectId(lot), "quantity": n} for lot, n in issue(3)]
    reason = LedgerReference(worker=None, **REMAKE)
    issues.return_all([issues.Return(taken, glass, None, reason)])
    assert quantities_of(admin, *lots) == [2, 2]
    assert_stock_matches_ledger()


def test_stock_returns_to_its_lot_even_if_that_is_inactive(admin, glass, issue):
    lot, other = create_lot(admin, glass, 2), create_lot(admin, glass, 2)
    taken = [{"inventory": ObjectId(one), "quantity": n} for one, n in issue(1)]
    admin.patch(f"{LOTS}/{lot['_id']}", {"isActive": False})
    reason = LedgerReference(worker=None, **REMAKE)
    issues.return_all([issues.Return(taken, glass, None, reason)])
    assert quantities_of(admin, lot, other) == [2, 2]


def test_stock_of_a_deleted_lot_returns_to_a_new_lot_for_returns(admin, glass, issue):
    reason = LedgerReference(worker=None, **REMAKE)
    taken = [{"inventory": ObjectId(), "quantity": 3}]
    issues.return_all([issues.Return(taken, glass, None, reason)])
    made = admin.get(LOTS, material=str(glass)).data
    assert [(one["quantity"], one["location"]) for one in made] == [(3, "รับคืน")]
    assert_stock_matches_ledger()
