"""Billing: what a customer owes for a delivery, until the accounts have an invoice for it."""

from decimal import Decimal
from enum import StrEnum

from glassflow.domain.money import rounded


class BillingStatus(StrEnum):
    """Whether the accounts have an invoice for an entry; void: its charge was taken back."""

    OPEN = "open"
    BILLED = "billed"
    VOID = "void"


def vat_of(net: Decimal, percent: Decimal) -> Decimal:
    """Return the VAT on a net amount in baht."""
    return rounded(net * percent / 100)
