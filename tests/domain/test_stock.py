"""Taking from lots and giving back: what holds for all quantities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.stock import (
    LARGEST,
    InsufficientStock,
    Portion,
    allocate,
    exact,
    is_low,
    joined,
    shrink,
    total,
)

QUANTITIES = st.one_of(
    st.integers(0, 1000),
    st.integers(0, 10**9).map(lambda millionths: exact(millionths / 10**6)),
)
STOCK = st.lists(QUANTITIES, max_size=8).map(
    lambda each: [Portion(number, quantity) for number, quantity in enumerate(each)]
)


def there(portions):
    return total(portion.quantity for portion in portions)


@given(STOCK, QUANTITIES)
def test_all_that_is_asked_for_is_taken_or_it_is_refused_with_the_facts(stock, wanted):
    if there(stock) < wanted:
        with pytest.raises(InsufficientStock) as refused:
            allocate(stock, wanted)
        facts = {"available": there(stock), "requested": wanted}
        assert refused.value.facts == facts
    else:
        assert there(allocate(stock, wanted)) == wanted


@given(STOCK, QUANTITIES)
def test_what_there_is_can_be_taken_without_a_refusal(stock, wanted):
    taken = allocate(stock, wanted, whole=False)
    assert there(taken) == min(wanted, there(stock))


@given(STOCK, QUANTITIES)
def test_no_lot_gives_more_than_it_has_and_none_before_the_one_ahead_is_empty(
    stock, wanted
):
    taken = allocate(stock, wanted, whole=False)
    has = dict(stock)
    assert all(0 < part <= has[lot] for lot, part in taken)
    ahead = [portion for portion in stock if portion.quantity]
    assert [lot for lot, _ in taken] == [lot for lot, _ in ahead[: len(taken)]]
    assert all(part == has[lot] for lot, part in taken[:-1])


@given(STOCK, QUANTITIES, QUANTITIES)
def test_what_shrinks_is_split_and_nothing_is_lost(stock, wanted, less):
    held = allocate(stock, wanted, whole=False)
    kept, back = shrink(held, less)
    assert there(back) == min(less, there(held))
    assert dict(joined([*kept, *back])) == dict(held)
    assert all(part > 0 for _, part in [*kept, *back])


@given(STOCK, QUANTITIES, QUANTITIES)
def test_what_was_taken_last_goes_back_first(stock, wanted, less):
    held = allocate(stock, wanted, whole=False)
    kept, back = shrink(held, less)
    assert [lot for lot, _ in kept] == [lot for lot, _ in held[: len(kept)]]
    assert [lot for lot, _ in back] == [lot for lot, _ in held[::-1][: len(back)]]
    assert kept[:-1] == held[: len(kept[:-1])]


@given(STOCK, st.lists(QUANTITIES, max_size=5))
def test_taking_in_parts_is_taking_at_once(stock, parts):
    left, taken = stock, []
    for part in parts:
        new = allocate(left, part, whole=False)
        gone = dict(new)
        left = [Portion(lot, exact(has - gone.get(lot, 0))) for lot, has in left]
        taken += new
    assert joined(taken) == allocate(stock, total(parts), whole=False)


@given(st.lists(QUANTITIES))
def test_a_sum_of_millionths_does_not_drift(quantities):
    millionths = sum(round(quantity * 10**6) for quantity in quantities)
    assert total(quantities) == exact(millionths / 10**6)


def test_ten_tenths_are_one_and_whole_numbers_are_integers():
    assert total([0.1] * 10) == 1
    assert repr(exact(3.0)) == "3"
    assert exact(0.1 + 0.2) == 0.3
    assert exact(LARGEST - 0.000001) == LARGEST - 0.000001


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_what_is_not_finite_is_no_quantity(odd):
    with pytest.raises((ValueError, OverflowError)):
        exact(odd)


def test_low_is_below_the_reorder_point_not_at_it():
    assert [is_low(quantity, 5) for quantity in (6, 5, 4.999999)] == [
        False,
        False,
        True,
    ]
