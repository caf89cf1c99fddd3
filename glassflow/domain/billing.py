"""Billing: what a customer owes for a delivery, until the accounts have an invoice for it."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from glassflow.domain.money import part_of


class BillingStatus(StrEnum):
    """Whether the accounts have an invoice for an entry; void: its charge was taken back."""

    OPEN = "open"
    BILLED = "billed"
    VOID = "void"


class ExportState(StrEnum):
    """Whether an entry is in an export for the accounts as it is now."""

    EXPORTED = "exported"
    CHANGED = "changed"


def export_state(
    exported: Mapping[str, Any] | None, *, net: float, invoice_number: str
) -> ExportState | None:
    """Return the state of an entry; `exported` is what the last export had, if any.

    An open entry that gets its invoice after the export is not changed: the export is what
    the invoice was made from.
    """
    if exported is None:
        return None
    had_invoice = exported["invoiceNumber"]
    is_same = net == exported["net"] and had_invoice in ("", invoice_number)
    return ExportState.EXPORTED if is_same else ExportState.CHANGED


def vat_shares(
    nets: Iterable[Decimal], percent: Decimal, *, before: Decimal = Decimal(0)
) -> list[Decimal]:
    """Share the VAT on a sum out among its net amounts, in baht.

    `before` are the net amounts of the same invoice before these. Each amount gets what the
    VAT on the sum grows by with it. So the shares add up to the VAT on the sum, each one is
    within a satang of the VAT on its own amount, and further amounts change none of them.
    """
    shares, total, vat = [], before, part_of(before, percent)
    for net in nets:
        total += net
        vat, earlier = part_of(total, percent), vat
        shares.append(vat - earlier)
    return shares
