"""Billing: what a customer owes for a delivery, until the accounts have an invoice for it."""

from enum import StrEnum


class BillingStatus(StrEnum):
    """Whether the accounts have an invoice for an entry; void: its charge was taken back."""

    OPEN = "open"
    BILLED = "billed"
    VOID = "void"
