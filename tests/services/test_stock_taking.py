"""What remakes and claims ask of the store room: whatever there is, from which lot."""

import pytest
from bson import ObjectId

from glassflow.domain.errors import UnknownReference
from glassflow.domain.stock import InsufficientStock
from glassflow.services import stock
from storeroom import BOOK, LOTS, assert_balanced, on, put_in

REMAKE = {"action": "remake", "reference_type": "qc_remake", "reference_id": "a" * 24}


@pytest.fixture
def glass(workshop):
    return workshop.material().pk


@pytest.fixture
def ask(admin, glass):
    """Takes so much of the material for a remake; gives how much each lot gave."""

    def take(quantity, **options):
        options = {**REMAKE, "worker": admin.worker.pk, **options}
        taken = stock.take(material=glass, quantity=quantity, **options)
        return [(str(one["inventory"]), one["quantity"]) for one in taken]

    return take


def test_new_glass_goes_before_reused_and_old_before_new(admin, glass, ask):
    reused = put_in(admin, glass, 2, stockType="Reuse")
    older, newer = put_in(admin, glass, 1), put_in(admin, glass, 1)
    gave = [(one["_id"], 1) for one in (older, newer, reused)]
    assert ask(3) == gave
    assert on(admin, older, newer, reused) == [0, 0, 1]


def test_lots_that_are_preferred_give_first(admin, glass, ask, workshop):
    lots = [put_in(admin, glass, 2) for _ in range(3)]
    other = put_in(admin, workshop.material(), 2)
    wanted = [ObjectId(lots[at]["_id"]) for at in (2, 1)]
    prefer = [ObjectId(other["_id"]), *wanted]
    assert ask(5, prefer=prefer) == [
        (lots[at]["_id"], part) for at, part in ((2, 2), (1, 2), (0, 1))
    ]
    assert on(admin, other) == [2]


def test_what_there_is_may_be_less_or_nothing(admin, glass, ask):
    assert ask(1, all_or_nothing=False) == []
    lot = put_in(admin, glass, 2)
    assert ask(3, all_or_nothing=False) == [(lot["_id"], 2)]
    with pytest.raises(InsufficientStock):
        ask(1)
    assert_balanced()


def test_the_book_says_what_it_was_for(admin, glass, ask):
    lot = put_in(admin, glass, 2)
    panes = [ObjectId(), ObjectId()]
    ask(2, order=ObjectId("b" * 24), panes=panes)
    (row,) = admin.get(BOOK, actionType="remake").data
    assert (row["inventory"], row["quantityChanged"]) == (lot["_id"], -2)
    assert (row["referenceType"], row["referenceId"]) == ("qc_remake", "a" * 24)
    assert (row["order"], row["panes"]) == ("b" * 24, [str(one) for one in panes])
    assert row["worker"] == admin.id


def test_a_lot_that_is_gone_cannot_be_named(admin, glass, ask):
    put_in(admin, glass, 2)
    with pytest.raises(UnknownReference):
        ask(1, lot=ObjectId())
    with pytest.raises(UnknownReference):
        ask(1, lot=ObjectId(), all_or_nothing=False)


def test_what_is_given_back_is_there_again(admin, glass, ask):
    lots = [put_in(admin, glass, 2) for _ in range(2)]
    gave = [{"inventory": ObjectId(lot), "quantity": n} for lot, n in ask(3)]
    stock.give_back(
        allocations=gave, material=glass, worker=None, stock_type=None, **REMAKE
    )
    assert on(admin, *lots) == [2, 2]
    assert_balanced()


def test_it_goes_back_to_a_lot_out_of_use_if_that_gave(admin, glass, ask):
    lot, other = put_in(admin, glass, 2), put_in(admin, glass, 2)
    gave = [{"inventory": ObjectId(one), "quantity": n} for one, n in ask(1)]
    admin.patch(f"{LOTS}/{lot['_id']}", {"isActive": False})
    stock.give_back(
        allocations=gave, material=glass, worker=None, stock_type=None, **REMAKE
    )
    assert on(admin, lot, other) == [2, 2]
