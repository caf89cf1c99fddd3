"""Billing entries: made by hand-overs, and billed once by an invoice of the accounts.

glassflow makes no tax invoices: their numbers belong to the accounting program.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import billing as rules
from glassflow.domain import texts
from glassflow.domain.aliases import May, Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.calendar import in_zone
from glassflow.domain.errors import Conflict, NotFound, Refusal
from glassflow.domain.money import as_decimal, as_text
from glassflow.domain.orders import RETIRED
from glassflow.domain.panes.status import LaminateRole
from glassflow.domain.pricing import Price
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.services import pricing, records
from glassflow.services.pricing import Terms
from glassflow.services.records import lookup

# What the price of a pane depends on.
PRICED_BY = (
    "dimensions", "rawGlass", "glassType", "glassTypeLabel", "jobType", "processes",
    "edgeTasks", "holes", "notches",
)  # fmt: skip
_OF_UNIT = (
    "remakeOf", "parentPane", "deliveredAt", "currentStatus", "writtenOff", "laminateRole",
)  # fmt: skip


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


def charge(delivery: Delivery, panes: Sequence[Raw], number: str) -> BillingEntry:
    """Store the entry of a delivery, whose `panes` are stored as delivered already.

    `number` is a new entry number, used unless an undone hand-over left a void entry. Call
    it inside the unit of work of the hand-over. The requests are touched: of two hand-overs
    of one at once the second conflicts, and sees what the first has charged.
    """
    found = [
        _charge_job(kind, job, of, customer=delivery.customer)
        for (kind, job), of in _jobs(panes).items()
    ]
    entry = BillingEntry.find_one({"delivery": delivery.pk}) or BillingEntry(
        entry_number=number, delivery=delivery.pk
    )
    entry.status = BillingStatus.OPEN
    entry.customer = delivery.customer
    entry.delivered_at = delivery.delivered_at or clock.now()
    entry.pane_count = len(panes)
    entry.parts = [part for part, _ in found]
    entry.unpriced_panes = sum(unpriced for _, unpriced in found)
    entry.vat_percent = pricing.settings().vat_percent
    _add_up(entry)
    entry.save()
    return entry


def withdraw(delivery: ObjectId) -> None:
    """Make the entry of a hand-over void that is undone. Raises `AlreadyBilled`.

    Call it inside the unit of work of that.
    """
    entry = BillingEntry.find_one({"delivery": delivery})
    if entry is None:
        return
    if entry.status == BillingStatus.BILLED:
        raise AlreadyBilled([entry])
    entry.status = BillingStatus.VOID
    entry.pane_count = entry.unpriced_panes = entry.adjustment = 0
    entry.parts = []
    _add_up(entry)
    entry.save()


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
    _add_up(entry)
    entry.save()
    return entry


@unit_of_work
def bill(
    *, ids: Sequence[ObjectId], invoice_number: str, actor: Identity
) -> list[BillingEntry]:
    """Note the invoice of entries, of all or none.

    Raises `NotFound`, `AlreadyBilled`, `EntryVoid`, and `SeveralCustomers`.
    """
    entries = _load_all(ids)
    _require_open(entries)
    if len({one.customer for one in entries}) > 1:
        raise SeveralCustomers
    for entry in entries:
        entry.status = BillingStatus.BILLED
        entry.invoice_number = invoice_number
        entry.billed_at, entry.billed_by = clock.now(), actor.worker_id
    records.save_all(entries)
    return entries


@unit_of_work
def unbill(*, ids: Sequence[ObjectId]) -> list[BillingEntry]:
    """Take entries off their invoice, for one that was mistaken; others stay as they are.

    Raises `NotFound`.
    """
    entries = _load_all(ids)
    billed = [one for one in entries if one.status == BillingStatus.BILLED]
    for entry in billed:
        entry.status = BillingStatus.OPEN
        entry.invoice_number = ""
        entry.billed_at = entry.billed_by = None
    records.save_all(billed)
    return entries


def read_figures(*, may: May) -> dict[str, Any]:
    """Return the sums of what is not billed yet, by customer and month of the workshop.

    Amounts are texts in baht; the VAT is calculated on each sum. Names of customers need
    their key.
    """
    zone = runtime.current().policy.timezone
    open_ones = {"status": str(BillingStatus.OPEN)}
    shown = dict.fromkeys(("customer", "deliveredAt", "net", "vatPercent"), 1)
    groups: dict[tuple[ObjectId, str], list[Raw]] = defaultdict(list)
    for row in BillingEntry.collection().find(open_ones, shown):
        month = f"{in_zone(row['deliveredAt'], zone):%Y-%m}"
        groups[row["customer"], month].append(row)
    names = (
        lookup.field_of(Customer, "name", (one for one, _ in groups))
        if may("customers:view")
        else {}
    )
    rows = [
        {
            "customer": customer,
            "customerName": names.get(customer),
            "month": month,
            **sums(found),
        }
        for (customer, month), found in groups.items()
    ]
    rows.sort(key=lambda one: (one["month"], one["customerName"] or ""))
    return {"groups": rows, "total": sums([one for g in groups.values() for one in g])}


def sums(rows: Sequence[Raw]) -> dict[str, Any]:
    """Return the sums of stored entries, as texts in baht; the VAT is that of the sum."""
    by_percent: dict[Decimal, Decimal] = defaultdict(Decimal)
    for row in rows:
        by_percent[as_decimal(row["vatPercent"])] += as_decimal(row["net"])
    net = sum(by_percent.values(), Decimal(0))
    vat = sum((rules.vat_of(n, p) for p, n in by_percent.items()), Decimal(0))
    return {
        "count": len(rows),
        "net": as_text(net),
        "vat": as_text(vat),
        "gross": as_text(net + vat),
    }


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


def _add_up(entry: BillingEntry) -> None:
    parts = sum((as_decimal(one["net"]) for one in entry.parts), Decimal(0))
    net = rules.rounded(parts + as_decimal(entry.adjustment))
    vat = rules.vat_of(net, as_decimal(entry.vat_percent))
    entry.net, entry.vat, entry.gross = float(net), float(vat), float(net + vat)


def _jobs(panes: Iterable[Raw]) -> dict[tuple[str, ObjectId], set[ObjectId]]:
    """Group panes by what they are charged by: requests, and orders without one.

    Each has one of them, which tells whose it is.
    """
    jobs: dict[tuple[str, ObjectId], set[ObjectId]] = defaultdict(set)
    for one in panes:
        kind = "request" if one.get("request") else "order"
        jobs[kind, one[kind]].add(one["_id"])
    return jobs


def _charge_job(
    kind: str,
    job: ObjectId,
    delivered_now: Collection[ObjectId],
    *,
    customer: ObjectId,
) -> tuple[dict[str, Any], int]:
    """Return what has to be charged of a request or order, and how many panes lack a price.

    Without an agreed price it is what the panes cost that are delivered now.
    """
    row = locks.touch_and_read(Request, job) if kind == "request" else None
    request = Request.from_stored(row) if row else None
    fields = dict.fromkeys((*_OF_UNIT, *PRICED_BY), 1)
    panes = {row["_id"]: row for row in Pane.collection().find({kind: job}, fields)}
    remake_of = _remakes(panes)
    units = [one for one, row in panes.items() if _is_unit(row)]
    of_units = prices(
        [panes[one] for one in units],
        customer=customer,
        request=request.pk if request else None,
    )
    delivered = {one for one, row in panes.items() if row.get("deliveredAt")}
    agreed = as_decimal((request.details or {}).get("estimatedPrice") if request else 0)
    if agreed:
        weights = {one: price or Decimal(0) for one, price in of_units.items()}
        if None in of_units.values():  # no pane counts for nothing
            weights = {one: _area(panes[one]) for one in units}
        charged = rules.charged_panes(units, remake_of, delivered)
        net = rules.charge(agreed, weights, charged, _charged_before(kind, job))
        unpriced = 0
    else:
        earlier = rules.charged_panes(units, remake_of, delivered - set(delivered_now))
        new = [
            of_units[one]
            for one in units
            if one in delivered_now and one not in earlier
        ]
        net = rules.rounded(sum((one or Decimal(0) for one in new), Decimal(0)))
        unpriced = new.count(None)
    part = {"request": None, "order": None, kind: job, "net": float(net)}
    return part, unpriced


def _remakes(panes: Mapping[ObjectId, Raw]) -> dict[ObjectId, ObjectId]:
    """Return which pane each remake replaces; a laminated pane does what its unit does."""
    found = {}
    for one, row in panes.items():
        unit = panes.get(row["parentPane"], {}) if row.get("parentPane") else {}
        if replaced := row.get("remakeOf") or unit.get("remakeOf"):
            found[one] = replaced
    return found


def _charged_before(kind: str, job: ObjectId) -> Decimal:
    """Return what the entries of other deliveries charge of a request or an order."""
    return sum(
        (
            as_decimal(part["net"])
            for entry in BillingEntry.find_many({f"parts.{kind}": job})
            for part in entry.parts
            if part[kind] == job
        ),
        Decimal(0),
    )


def _is_unit(pane: Raw) -> bool:
    is_sheet = pane.get("laminateRole") == LaminateRole.SHEET
    return not (is_sheet or pane.get("writtenOff") or pane["currentStatus"] in RETIRED)


def prices(
    panes: Sequence[Raw], *, customer: ObjectId | None, request: ObjectId | None = None
) -> dict[ObjectId, Decimal | None]:
    """Return what each of some stored panes would cost, None where that is not known.

    In baht before VAT, with the discount. Panes of a quote, which its request tells, are
    priced by its terms, others by those of today.
    """
    quote = Quote.find_one({"request": request}) if request else None
    if quote and quote.terms:
        terms = Terms.from_stored(quote.terms)
    else:
        terms = pricing.terms_for(customer)
    shapes = {one["_id"]: _shape(one) for one in panes}
    distinct = {encode(shape): shape for shape in shapes.values()}
    priced = pricing.price_panes(list(distinct.values()), terms=terms)
    off = 1 - as_decimal(terms.discount) / 100
    known = {
        key: price.total * off if isinstance(price, Price) else None
        for key, price in zip(distinct, priced.prices, strict=True)
    }
    return {one: known[encode(shape)] for one, shape in shapes.items()}


def _shape(pane: Raw) -> dict[str, Any]:
    return {name: pane[name] for name in PRICED_BY if pane.get(name)}


def _area(pane: Raw) -> Decimal:
    return as_decimal((pane.get("dimensions") or {}).get("area"))
