"""What was agreed is shared out to the satang, and only pieces that are delivered count."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.agreed_prices import is_live, part_of_expected, share_out
from glassflow.domain.money import as_decimal, rounded

amounts = st.decimals(0, 10_000_000_000, places=2)
weights = st.lists(st.decimals(0, 10_000, places=2), min_size=1, max_size=12)


@given(amount=amounts, weights=weights)
def test_shares_add_up_to_the_amount_and_follow_the_weights(amount, weights):
    shares = share_out(amount, weights)
    assert sum(shares) == amount
    whole = sum(weights)
    for share, weight in zip(shares, weights, strict=True):
        assert share >= 0
        assert share == rounded(share)
        exact = amount * weight / whole if whole else amount / len(weights)
        assert abs(share - exact) <= Decimal("0.01")


@given(amount=amounts)
def test_an_amount_is_the_same_after_it_was_stored(amount):
    assert as_decimal(float(amount)) == amount


@given(
    amount=amounts,
    batches=st.lists(st.integers(1, 5), min_size=1, max_size=6),
    more=st.integers(0, 3),
)
def test_panes_that_are_entered_in_parts_take_what_waits_for_them(
    amount, batches, more
):
    expected, waiting = sum(batches) + more, amount
    for count in batches:
        part = part_of_expected(waiting, count, expected)
        assert 0 <= part <= waiting
        waiting, expected = waiting - part, expected - count
    assert bool(waiting) <= bool(more)  # nothing waits when all panes have come


@pytest.mark.parametrize(
    ("pane", "live"),
    [
        ({"currentStatus": "pending"}, True),
        ({"currentStatus": "claimed", "laminateRole": "parent"}, True),
        ({"currentStatus": "completed", "deliveredAt": 1}, True),
        ({"currentStatus": "pending", "laminateRole": "sheet"}, False),
        ({"currentStatus": "completed", "writtenOff": True}, False),
        ({"currentStatus": "cancelled"}, False),
        ({"currentStatus": "defected"}, False),
        ({"currentStatus": "merged_into", "laminateRole": "parent"}, False),
    ],
)
def test_a_unit_counts_until_it_is_cancelled_or_replaced(pane, live):
    assert is_live(pane) is live
