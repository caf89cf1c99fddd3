"""What was agreed for panes: an amount that is shared out among them, and what counts.

A pane has its agreed price from the day on which it was agreed. A change of other panes
does not change it: a cancelled pane takes its price with it, an added one brings its own.
0 is a price (the pane is free), None is none.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any

from glassflow.domain.money import rounded
from glassflow.domain.orders import RETIRED
from glassflow.domain.panes.status import LaminateRole


class ChangeKind(StrEnum):
    """What happened to panes of a request after a price was agreed for it."""

    ADDED = "added"
    CHANGED = "changed"
    CANCELLED = "cancelled"
    RESTORED = "restored"


def share_out(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Return the shares of an amount in baht by weights, alike where all weights are 0.

    The shares are rounded to the satang, one after the other, so that they add up to the
    amount. None of them is below 0 if the amount is not.
    """
    if not any(weights):
        weights = [Decimal(1)] * len(weights)
    whole = sum(weights, Decimal(0))
    shares, taken, so_far = [], Decimal(0), Decimal(0)
    for weight in weights:
        so_far += weight
        end = rounded(amount * so_far / whole)
        shares.append(end - taken)
        taken = end
    return shares


def part_of_expected(amount: Decimal, count: int, expected: int) -> Decimal:
    """Return what `count` new panes take of an amount that waits for `expected` panes.

    All of it, if no more are expected.
    """
    if count >= expected:
        return amount
    return rounded(amount * count / expected)


def is_live(pane: Mapping[str, Any]) -> bool:
    """Return whether a pane in stored form is a unit that is, or will be, delivered.

    A sheet is not: its unit has the price. A pane that is cancelled, scrapped or replaced
    has taken its price with it, or given it to its remake.
    """
    is_sheet = pane.get("laminateRole") == LaminateRole.SHEET
    return not (is_sheet or pane.get("writtenOff") or pane["currentStatus"] in RETIRED)
