"""Allocation and return of stock: properties for all quantities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.stock import (
    LARGEST,
    InsufficientStock,
    LotQuantity,
    allocate,
    is_low,
    merge_by_lot,
    round_quantity,
    split_return,
    total,
)

QUANTITIES = st.one_of(
    st.integers(0, 1000),
    st.integers(0, 10**9).map(lambda millionths: round_quantity(millionths / 10**6)),
)
STOCK = st.lists(QUANTITIES, max_size=8).map(
    lambda each: [LotQuantity(number, quantity) for number, quantity in enumerate(each)]
)


def there(portions):
    return total(portion.quantity for portion in portions)


@given(STOCK, QUANTITIES)
def test_allocation_is_complete_or_refused_with_the_available_quantity(stock, wanted):
    if there(stock) < wanted:
        with pytest.raises(InsufficientStock) as refused:
            allocate(stock, wanted)
        facts = {"available": there(stock), "requested": wanted}
        assert refused.value.details == facts
    else:
        assert there(allocate(stock, wanted)) == wanted


@given(STOCK, QUANTITIES)
def test_partial_allocation_takes_what_is_available(stock, wanted):
    taken = allocate(stock, wanted, allow_partial=True)
    assert there(taken) == min(wanted, there(stock))


@given(STOCK, QUANTITIES)
def test_lots_are_used_in_order_and_only_up_to_their_quantity(stock, wanted):
    taken = allocate(stock, wanted, allow_partial=True)
    has = dict(stock)
    assert all(0 < part <= has[lot] for lot, part in taken)
    ahead = [portion for portion in stock if portion.quantity]
    assert [lot for lot, _ in taken] == [lot for lot, _ in ahead[: len(taken)]]
    assert all(part == has[lot] for lot, part in taken[:-1])


@given(STOCK, QUANTITIES, QUANTITIES)
def test_split_return_loses_nothing(stock, wanted, less):
    held = allocate(stock, wanted, allow_partial=True)
    kept, back = split_return(held, less)
    assert there(back) == min(less, there(held))
    assert dict(merge_by_lot([*kept, *back])) == dict(held)
    assert all(part > 0 for _, part in [*kept, *back])


@given(STOCK, QUANTITIES, QUANTITIES)
def test_last_allocation_is_returned_first(stock, wanted, less):
    held = allocate(stock, wanted, allow_partial=True)
    kept, back = split_return(held, less)
    assert [lot for lot, _ in kept] == [lot for lot, _ in held[: len(kept)]]
    assert [lot for lot, _ in back] == [lot for lot, _ in held[::-1][: len(back)]]
    assert kept[:-1] == held[: len(kept[:-1])]


@given(STOCK, st.lists(QUANTITIES, max_size=5))
def test_allocating_in_parts_equals_allocating_at_once(stock, parts):
    left, taken = stock, []
    for part in parts:
        new = allocate(left, part, allow_partial=True)
        gone = dict(new)
        left = [
            LotQuantity(lot, round_quantity(has - gone.get(lot, 0)))
            for lot, has in left
        ]
        taken += new
    assert merge_by_lot(taken) == allocate(stock, total(parts), allow_partial=True)


@given(st.lists(QUANTITIES))
def test_sum_of_millionths_has_no_rounding_error(quantities):
    millionths = sum(round(quantity * 10**6) for quantity in quantities)
    assert total(quantities) == round_quantity(millionths / 10**6)


def test_ten_tenths_equal_one_and_whole_numbers_are_integers():
    assert total([0.1] * 10) == 1
    assert repr(round_quantity(3.0)) == "3"
    assert round_quantity(0.1 + 0.2) == 0.3
    assert round_quantity(LARGEST - 0.000001) == LARGEST - 0.000001


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_infinite_quantities_are_refused(odd):
    with pytest.raises((ValueError, OverflowError)):
        round_quantity(odd)


def test_stock_is_low_below_the_reorder_point_and_not_at_it():
    assert [is_low(quantity, 5) for quantity in (6, 5, 4.999999)] == [
        False,
        False,
        True,
    ]
