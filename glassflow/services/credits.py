"""Credits: what a customer need not pay of a billed entry, as a negative entry.

A billed entry does not change: the accounts have an invoice for it. A credit goes on the
next invoice of the customer, at the VAT of the credited entry. It belongs to the panes and
requests of that one, so that the agreed price of a request falls by what is credited of it.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.agreed_prices import share_out
from glassflow.domain.billing import BillingStatus
from glassflow.domain.errors import Conflict, FieldFault, Invalid
from glassflow.domain.money import as_decimal, rounded
from glassflow.models.billing_entry import BillingEntry
from glassflow.services import agreed_prices, billing, records


class NotBilled(Conflict):
    """The entry is on no invoice: it is changed, and needs no credit."""

    code = "NOT_BILLED"

    def __init__(self, entry: BillingEntry) -> None:
        super().__init__(texts.NOT_BILLED.format(entry=entry.entry_number))


class CreditOfCredit(Conflict):
    """A credit is taken back, or charged again, and not credited."""

    code = "CREDIT_OF_CREDIT"

    def __init__(self, entry: BillingEntry) -> None:
        super().__init__(texts.CREDIT_OF_CREDIT.format(entry=entry.entry_number))


def credit(
    *, record_id: ObjectId, values: Mapping[str, Any], actor: Identity
) -> BillingEntry:
    """Credit a part of a billed entry, or all of it; return the entry that does.

    `values` are `reason`, `panes`, each with its `net`, and an `amount` for no pane, all in
    baht before VAT. Raises `NotFound`, `NotBilled`, `CreditOfCredit`, and `Invalid` for
    nothing and for more than what is left of a pane or of the entry.
    """
    return _credit(records.next_numbers(BillingEntry)[0], record_id, values)


@unit_of_work
def _credit(
    number: str, record_id: ObjectId, values: Mapping[str, Any]
) -> BillingEntry:
    # of two credits at once, or a credit and its invoice taken off, the second one repeats
    locks.touch(BillingEntry, [record_id])
    entry = records.load(BillingEntry, record_id)
    if entry.credit_of:
        raise CreditOfCredit(entry)
    if entry.status != BillingStatus.BILLED:
        raise NotBilled(entry)
    wanted = [
        (one["pane"], rounded(as_decimal(one["net"])))
        for one in values.get("panes") or ()
    ]
    amount = rounded(as_decimal(values.get("amount")))
    if faults := list(_faults(entry, wanted, amount)):
        raise Invalid(faults)
    made = BillingEntry(
        entry_number=number,
        customer=entry.customer,
        credit_of=entry.pk,
        delivered_at=clock.now(),
        reason=values["reason"],
        vat_percent=entry.vat_percent,
    )
    made.parts = _parts(entry, {pane: net for pane, net in wanted if net}, amount)
    billing.add_up(made)
    records.store(made)
    agreed_prices.recount(part["request"] for part in made.parts)
    return made


def _faults(
    entry: BillingEntry, wanted: Sequence[tuple[ObjectId, Decimal]], amount: Decimal
) -> list[FieldFault]:
    left, of_pane = _left(entry)
    found: list[FieldFault] = []
    for index, (pane, net) in enumerate(wanted):
        place = f"panes.{index}"
        if pane not in of_pane:
            message = texts.CREDIT_OF_OTHER_PANE.format(entry=entry.entry_number)
            found.append({"field": f"{place}.pane", "message": message})
        elif net > of_pane[pane]:
            message = texts.CREDIT_TOO_HIGH.format(left=f"{of_pane[pane]:,.2f}")
            found.append({"field": f"{place}.net", "message": message})
        of_pane[pane] = Decimal(0)  # a pane is named once
    whole = sum((net for _, net in wanted), amount)
    if not found and whole > left:
        message = texts.CREDIT_TOO_HIGH.format(left=f"{max(left, Decimal(0)):,.2f}")
        found.append({"field": "amount", "message": message})
    if not found and not whole:
        found.append({"field": "amount", "message": texts.NOTHING_TO_CREDIT})
    return found


def _left(entry: BillingEntry) -> tuple[Decimal, dict[ObjectId, Decimal]]:
    """Return what is not credited yet: of the entry, and of each of its panes."""
    of_pane = {
        line["pane"]: as_decimal(line["net"])
        for part in entry.parts
        for line in part["panes"]
    }
    left = as_decimal(entry.net)
    for one in billing.credits_of([entry.pk]):
        left += as_decimal(one.net)
        for part in one.parts:
            for line in part["panes"]:
                of_pane[line["pane"]] += as_decimal(line["net"])
    return left, of_pane


def _parts(
    entry: BillingEntry, nets: Mapping[ObjectId, Decimal], amount: Decimal
) -> list[dict[str, Any]]:
    """Return the parts of a credit: those of the entry with what is credited of each.

    An amount for no pane is shared out among them by what they charge.
    """
    weights = [abs(as_decimal(part["net"])) for part in entry.parts]
    parts = []
    for part, share in zip(entry.parts, share_out(amount, weights), strict=True):
        lines = [line["pane"] for line in part["panes"] if line["pane"] in nets]
        net = sum((nets[one] for one in lines), share)
        if net:
            rows = [{"pane": one, "net": float(-nets[one])} for one in lines]
            parts.append({**part, "net": float(-net), "panes": rows})
    return parts
