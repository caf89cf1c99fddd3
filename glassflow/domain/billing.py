"""Billing: what a customer owes for a delivery, until the accounts have an invoice for it.

The agreed price of a request is shared out among its panes by their calculated prices. A
delivery is charged the share of all that has left the workshop, less what earlier
deliveries of the request were charged. So the parts add up to the agreed price, whatever
was rounded. A remake of a pane that was delivered before is not charged again.
"""

from collections.abc import Collection, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import TypeVar

Id = TypeVar("Id")

SATANG = Decimal("0.01")


class BillingStatus(StrEnum):
    """Whether the accounts have an invoice for a delivery; void: its hand-over was undone."""

    OPEN = "open"
    BILLED = "billed"
    VOID = "void"


def charge(
    agreed: Decimal,
    weights: Mapping[Id, Decimal],
    delivered: Collection[Id],
    charged: Decimal,
) -> Decimal:
    """Return what has to be charged now, in baht before VAT.

    `agreed` is the price of all panes of `weights`, `charged` what was charged before.
    Panes without any weight count the same.
    """
    whole = sum(weights.values(), Decimal(0))
    share = sum((weights[one] for one in delivered), Decimal(0))
    if not whole:
        whole, share = Decimal(len(weights) or 1), Decimal(len(delivered))
    return rounded(agreed * share / whole) - charged


def charged_panes(
    units: Sequence[Id], remake_of: Mapping[Id, Id], delivered: Collection[Id]
) -> set[Id]:
    """Return which units were delivered, or take the place of one that was."""
    found = set()
    for unit in units:
        pane: Id | None = unit
        while pane is not None and pane not in delivered:
            pane = remake_of.get(pane)
        if pane is not None:
            found.add(unit)
    return found


def vat_of(net: Decimal, percent: Decimal) -> Decimal:
    """Return the VAT on a net amount in baht."""
    return rounded(net * percent / 100)


def rounded(amount: Decimal) -> Decimal:
    """Return an amount in baht, rounded half up to the satang."""
    return amount.quantize(SATANG, ROUND_HALF_UP)
