"""Billing entries: made by hand-overs, and billed once by an invoice of the accounts.

glassflow makes no tax invoices: their numbers belong to the accounting program.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import listed
from glassflow.domain.billing import BillingStatus
from glassflow.domain.errors import Conflict, NotFound, Refusal
from glassflow.domain.money import as_decimal, part_of, rounded
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import agreed_prices, pricing, records
from glassflow.services.agreed_prices import Charged
from glassflow.services.panes import remakes
from glassflow.services.records import lookup


class AlreadyBilled(Conflict):
    """Billing entries are on an invoice already; `invoices` are their numbers."""

    code = "ALREADY_BILLED"

    def __init__(self, entries: Sequence[BillingEntry]) -> None:
        numbers = sorted({one.invoice_number for one in entries})
        super().__init__(
            texts.ALREADY_BILLED.format(
                entries=", ".join(one.entry_number or "" for one in entries),
                invoices=", ".join(numbers),
            ),
            details={"invoices": numbers},
        )


class EntryVoid(Conflict):
    """The hand-over of the entry was undone, so nothing is owed for it."""

    code = "ENTRY_VOID"

    def __init__(self, entry: BillingEntry) -> None:
        super().__init__(texts.ENTRY_VOID.format(entry=entry.entry_number))


class SeveralCustomers(Refusal):
    """An invoice has one customer."""

    code = "SEVERAL_CUSTOMERS"

    def __init__(self) -> None:
        super().__init__(texts.SEVERAL_CUSTOMERS)


class EntryOfDelivery(Conflict):
    """The entry belongs to a delivery, whose hand-over can be undone."""

    code = "ENTRY_OF_DELIVERY"

    def __init__(self, entry: BillingEntry) -> None:
        super().__init__(texts.ENTRY_OF_DELIVERY.format(entry=entry.entry_number))


class InvoiceOfOtherCustomer(Conflict):
    """The number of an invoice is on billing entries of another customer."""

    code = "INVOICE_OF_OTHER_CUSTOMER"

    def __init__(self, invoice: str, entries: Sequence[BillingEntry]) -> None:
        numbers = sorted(one.entry_number or "" for one in entries)
        super().__init__(
            texts.INVOICE_OF_OTHER_CUSTOMER.format(
                invoice=invoice, entries=", ".join(numbers)
            ),
            details={"customer": str(entries[0].customer), "entries": numbers},
        )


class EntryCredited(Conflict):
    """Entries stay on their invoices as long as credits of them count."""

    code = "ENTRY_CREDITED"

    def __init__(self, credits: Sequence[BillingEntry]) -> None:
        numbers = sorted(one.entry_number or "" for one in credits)
        super().__init__(
            texts.ENTRY_CREDITED.format(credits=", ".join(numbers)),
            details={"credits": numbers},
        )


class NothingWaits(Conflict):
    """The whole agreed price of a request belongs to panes."""

    code = "NOTHING_WAITS"

    def __init__(self, request: Request) -> None:
        super().__init__(texts.NOTHING_WAITS.format(request=request.request_number))


class NotChargeable(Conflict):
    """Panes are not charged without a delivery; `reasons` are by their numbers."""

    code = "NOT_CHARGEABLE"

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__(
            texts.PANES_NOT_CHARGEABLE.format(
                panes=listed(
                    texts.NOT_CHARGEABLE[reason].format(number=number)
                    for number, reason in reasons.items()
                )
            ),
            details={
                "panes": [
                    {"paneNumber": number, "reason": reason}
                    for number, reason in reasons.items()
                ]
            },
        )


def charge(
    delivery: Delivery,
    panes: Sequence[Pane],
    number: str,
    *,
    hand_over: int,
    at: datetime,
) -> None:
    """Store what a customer owes for panes that are handed over with a delivery.

    Each hand-over of it, by its number, has an entry of its own; `at` is its time.

    A pane is charged its agreed price. One without is charged the price of the list, which
    is its agreed price from then on, and nothing where the list has none. Panes that were noted as
    delivered by hand are charged with the next delivery of their request or order. Where
    nothing is owed, such as for free remakes, no entry is made.

    `number` is a new entry number, used unless an undone hand-over left a void entry. Call
    it inside the unit of work of the hand-over, before it stores the panes. The requests
    are touched: of two hand-overs of one at once the second conflicts, and sees what the
    first has charged.
    """
    parts = [
        _part(kind, job, of, customer=delivery.customer)
        for (kind, job), of in _jobs(panes).items()
    ]
    if all(line["net"] == 0 for part in parts for line in part["panes"]):
        return
    unused = {"delivery": delivery.pk, "status": str(BillingStatus.VOID)}
    entry = BillingEntry.find_one(unused) or BillingEntry(
        entry_number=number, delivery=delivery.pk
    )
    entry.status = BillingStatus.OPEN
    entry.customer = delivery.customer
    entry.hand_over = hand_over
    entry.delivered_at = at
    _set_parts(entry, parts)


def _set_parts(entry: BillingEntry, parts: list[dict[str, Any]]) -> None:
    """Store what an entry charges, with the VAT of today."""
    lines = [line for part in parts for line in part["panes"]]
    entry.parts = parts
    entry.pane_count = len(lines)
    entry.unpriced_panes = sum(line["net"] is None for line in lines)
    entry.vat_percent = pricing.settings().vat_percent
    add_up(entry)
    records.store(entry)


def charge_lost(
    *, pane_ids: Sequence[ObjectId], reason: str, actor: Identity
) -> BillingEntry:
    """Charge panes that will not be delivered their agreed prices, all or none.

    They were cancelled, or lost without a remake. Raises `NotFound`, `SeveralCustomers`,
    and `NotChargeable`.
    """
    return charge_cancelled(records.next_numbers(BillingEntry)[0], pane_ids, reason)


@unit_of_work
def charge_cancelled(
    number: str, pane_ids: Sequence[ObjectId], reason: str
) -> BillingEntry:
    """Charge panes as `charge_lost` does, by an entry that has its number."""
    ids = list(dict.fromkeys(pane_ids))
    locks.touch(Pane, ids)
    panes = Pane.find_many({"_id": {"$in": ids}})
    if len(panes) < len(ids):
        raise NotFound(texts.NOT_FOUND.format(label=Pane.label))
    customers = lookup.customers_of_panes([one.stored_form() for one in panes])
    owners = {customers.get(one.order) or customers.get(one.request) for one in panes}
    if len(owners) > 1:
        raise SeveralCustomers
    entry = BillingEntry(entry_number=number, customer=owners.pop(), reason=reason)
    entry.delivered_at = clock.now()
    parts = []
    for (kind, job), of in _jobs(panes).items():
        if kind == "request":
            locks.touch_and_read(Request, job)
        _require_lost(of, agreed_prices.charged(kind, job))
        parts.append(_part_of(kind, job, of))
    _set_parts(entry, parts)
    agreed_prices.recount(one.request for one in panes)
    return entry


def charge_waiting(
    *, request_id: ObjectId, reason: str, actor: Identity
) -> BillingEntry:
    """Charge what is agreed for a request and is the price of no pane.

    Such as a price that was raised after the last delivery. Raises `NotFound` and
    `NothingWaits`.
    """
    return _charge_waiting(records.next_numbers(BillingEntry)[0], request_id, reason)


@unit_of_work
def _charge_waiting(number: str, request_id: ObjectId, reason: str) -> BillingEntry:
    request = records.load(Request, request_id)
    waiting = as_decimal(request.unshared_price)
    if waiting <= 0:
        raise NothingWaits(request)
    entry = BillingEntry(entry_number=number, customer=request.customer, reason=reason)
    entry.delivered_at = clock.now()
    part: dict[str, Any] = {
        "request": request_id,
        "order": None,
        "net": float(waiting),
        "panes": [],
    }
    _set_parts(entry, [part])
    request.unshared_price = 0
    records.store(request)
    return entry


def _let_wait(parts: Iterable[Raw]) -> None:
    """Let what was charged for no pane wait with its request again."""
    for part in parts:
        if not part["panes"] and part["request"]:
            request = records.load(Request, part["request"])
            request.unshared_price = float(
                as_decimal(request.unshared_price) + as_decimal(part["net"])
            )
            records.store(request)


def _require_lost(panes: Sequence[Pane], charged: Charged) -> None:
    ids = [one.pk for one in panes]
    rows = Pane.collection().find({"remakeOf": {"$in": ids}}, {"remakeOf": 1})
    replaced = {row["remakeOf"] for row in rows}
    refused = {}
    for one in panes:
        if charged.has(one.stored_form()):
            refused[one.pane_number] = "charged"
        elif is_live(one.stored_form()):
            refused[one.pane_number] = "live"
        elif one.pk in replaced or one.remade:
            refused[one.pane_number] = "replaced"
        elif not one.agreed_price:
            refused[one.pane_number] = "no_price"
    if refused:
        raise NotChargeable(refused)


@unit_of_work
def void(*, record_id: ObjectId) -> BillingEntry:
    """Take back a credit, or what was charged without a delivery.

    Raises `NotFound`, `AlreadyBilled`, `EntryVoid`, `EntryOfDelivery`, and
    `RemakeDelivered` for a pane that was wanted after all, failed, and was made again.
    """
    entry = records.load(BillingEntry, record_id)
    _require_open([entry])
    if entry.delivery:
        raise EntryOfDelivery(entry)
    requests = [part["request"] for part in entry.parts]
    if not entry.credit_of:
        lines = [line["pane"] for part in entry.parts for line in part["panes"]]
        remakes.give_back_prices(Pane.find_many({"_id": {"$in": lines}}))
        _let_wait(entry.parts)
    _make_void(entry)
    agreed_prices.recount(requests)
    return entry


def withdraw(delivery: ObjectId, *, hand_over: int) -> None:
    """Make the entry of a hand-over void that is undone. Raises `AlreadyBilled`.

    Call it inside the unit of work of that.
    """
    charged = {"delivery": delivery, "handOver": hand_over}
    entry = BillingEntry.find_one(
        {**charged, "status": {"$ne": str(BillingStatus.VOID)}}
    )
    if entry is None:
        return
    if entry.status == BillingStatus.BILLED:
        raise AlreadyBilled([entry])
    _make_void(entry)


def _make_void(entry: BillingEntry) -> None:
    entry.status = BillingStatus.VOID
    entry.adjustment = 0
    _set_parts(entry, [])


@unit_of_work
def update(
    *, model: type[BillingEntry], record_id: ObjectId, values: Raw, actor: Identity
) -> BillingEntry:
    """Change the adjustment or the notes of an open entry.

    Raises `NotFound`, `AlreadyBilled` and `EntryVoid`.
    """
    entry = records.load(BillingEntry, record_id)
    _require_open([entry])
    records.apply_changes(entry, values)
    add_up(entry)
    records.store(entry)
    return entry


@unit_of_work
def bill(
    *, ids: Sequence[ObjectId], invoice_number: str, actor: Identity
) -> list[BillingEntry]:
    """Note the invoice of entries, of all or none.

    Raises `NotFound`, `AlreadyBilled`, `EntryVoid`, `SeveralCustomers`, and
    `InvoiceOfOtherCustomer`.
    """
    entries = _load_all(ids)
    _require_open(entries)
    if len({one.customer for one in entries}) > 1:
        raise SeveralCustomers
    _require_own_invoice(invoice_number, entries[0].customer)
    for entry in entries:
        entry.status = BillingStatus.BILLED
        entry.invoice_number = invoice_number
        entry.billed_at, entry.billed_by = clock.now(), actor.worker_id
    records.store(*entries)
    return entries


@unit_of_work
def unbill(*, ids: Sequence[ObjectId]) -> list[BillingEntry]:
    """Take entries off their invoice, for one that was mistaken; others stay as they are.

    Raises `NotFound` and `EntryCredited`.
    """
    entries = _load_all(ids)
    if credits := credits_of(ids):
        raise EntryCredited(credits)
    billed = [one for one in entries if one.status == BillingStatus.BILLED]
    for entry in billed:
        entry.status = BillingStatus.OPEN
        entry.invoice_number = ""
        entry.billed_at = entry.billed_by = None
    records.store(*billed)
    return entries


def credits_of(ids: Sequence[ObjectId]) -> list[BillingEntry]:
    """Return the credits of billing entries that count. One query."""
    query = {"creditOf": {"$in": [*ids]}, "status": {"$ne": str(BillingStatus.VOID)}}
    return BillingEntry.find_many(query)


def _require_own_invoice(invoice_number: str, customer: ObjectId) -> None:
    # of two that bill different customers at once, the second one sees what the first stored
    locks.touch_named(locks.INVOICES)
    of_others = {"invoiceNumber": invoice_number, "customer": {"$ne": customer}}
    if others := BillingEntry.find_many(of_others):
        raise InvoiceOfOtherCustomer(invoice_number, others)


def _require_open(entries: Sequence[BillingEntry]) -> None:
    if billed := [one for one in entries if one.status == BillingStatus.BILLED]:
        raise AlreadyBilled(billed)
    for entry in entries:
        if entry.status == BillingStatus.VOID:
            raise EntryVoid(entry)


def _load_all(ids: Sequence[ObjectId]) -> list[BillingEntry]:
    wanted = list(dict.fromkeys(ids))
    found = BillingEntry.find_many({"_id": {"$in": wanted}})
    if len(found) < len(wanted):
        raise NotFound(texts.NOT_FOUND.format(label=BillingEntry.label))
    return found


def add_up(entry: BillingEntry) -> None:
    """Set the amounts of an entry from its parts, its adjustment and its VAT."""
    parts = sum((as_decimal(one["net"]) for one in entry.parts), Decimal(0))
    net = rounded(parts + as_decimal(entry.adjustment))
    vat = part_of(net, as_decimal(entry.vat_percent))
    entry.net, entry.vat, entry.gross = float(net), float(vat), float(net + vat)


def _jobs(panes: Iterable[Pane]) -> dict[tuple[str, ObjectId], list[Pane]]:
    """Group panes by what they are charged by: requests, and orders without one.

    Each has one of them, which tells whose it is.
    """
    jobs: dict[tuple[str, ObjectId], list[Pane]] = defaultdict(list)
    for one in panes:
        kind = "request" if one.request else "order"
        jobs[kind, one[kind]].append(one)
    return jobs


def _part(
    kind: str, job: ObjectId, panes: Sequence[Pane], *, customer: ObjectId
) -> dict[str, Any]:
    """Return what has to be charged of a request or order whose panes are handed over."""
    if kind == "request":
        locks.touch_and_read(Request, job)
    charged = agreed_prices.charged(kind, job)
    noted = _noted(kind, job, panes)
    due = [one for one in (*panes, *noted) if not charged.has(one.stored_form())]
    _price_by_list(due, customer=customer, request=job if kind == "request" else None)
    records.store(*noted)
    return _part_of(kind, job, due)


def _noted(kind: str, job: ObjectId, panes: Sequence[Pane]) -> list[Pane]:
    """Return the other panes that are noted as delivered, and not free."""
    known = {one.pk for one in panes}
    delivered = Pane.find_many({kind: job, "deliveredAt": {"$ne": None}})
    return [
        one
        for one in delivered
        if one.pk not in known and is_live(one.stored_form()) and one.agreed_price != 0
    ]


def _price_by_list(
    panes: Sequence[Pane], *, customer: ObjectId, request: ObjectId | None
) -> None:
    """Set the agreed prices of panes without one, as far as the price list has them."""
    rows = [one.stored_form() for one in panes if one.agreed_price is None]
    if not rows:
        return
    prices = agreed_prices.calculated(rows, customer=customer, request=request)
    for one in panes:
        price = prices.get(one.pk)
        if price is not None:
            one.agreed_price = float(rounded(price))


def _part_of(kind: str, job: ObjectId, panes: Sequence[Pane]) -> dict[str, Any]:
    """Return the part of an entry that charges panes of a request or an order."""
    net = sum((as_decimal(one.agreed_price) for one in panes), Decimal(0))
    owner = {"request": None, "order": None, kind: job}
    lines = [{"pane": one.pk, "net": one.agreed_price} for one in panes]
    return {**owner, "net": float(net), "panes": lines}
