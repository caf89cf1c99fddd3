"""Where work stands: from the quote to the payment, for each job that a record names.

A job is a request, an order without one, or a quote that no customer has accepted yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.domain.agreed_prices import is_live
from glassflow.domain.aliases import May, Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.money import as_decimal, as_text, part_of
from glassflow.domain.panes.status import Status
from glassflow.domain.quotes import QuoteKind
from glassflow.models.base import Record
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.services import agreed_prices, pricing, settlements
from glassflow.services.deliveries import deliveries
from glassflow.services.records import lookup
from glassflow.services.settlements import Settlement

MOST_JOBS = 10
ZERO = Decimal(0)

# What is shown of records, by their names on the wire.
_OF_REQUEST = ("requestNumber", "status", "referenceId", "createdAt")
_OF_QUOTE = ("quoteNumber", "revision", "status", "kind")
_OF_ORDER = ("orderNumber", "status", "paneCount", "panesCompleted", "panesDelivered")
_OF_DELIVERY = ("deliveryNumber", "status", "plannedFor", "deliveredAt")
_OF_ENTRY = ("entryNumber", "status", "invoiceNumber", "creditOf")
_OF_PAYMENT = (
    "paymentNumber", "paidAt", "amount", "way", "quote", "request", "invoiceNumber",
)  # fmt: skip


class _Job(NamedTuple):
    """A request, an order without one, or the last revision of a quote, in stored form."""

    kind: str
    raw: Raw

    @property
    def id(self) -> ObjectId:
        found: ObjectId = self.raw["_id"]
        return found


def read(kind: str, raw: Raw, *, may: May) -> dict[str, Any]:
    """Return the jobs that a stored quote, request, order, delivery or entry is part of.

    Those of the first `MOST_JOBS`; `more` is how many there are besides. A part whose key
    the caller does not hold is None. Up to ten queries for a job, and four for its
    customer, however large both are.
    """
    jobs = list(_JOBS[kind](raw))
    shown = jobs[:MOST_JOBS]
    settled: Mapping[ObjectId, Settlement] = {}
    if may("pricing:view"):
        customers = {one.raw["customer"] for one in shown}
        settled = {one: settlements.read(one) for one in customers}
    return {
        "jobs": [_shown(one, settled.get(one.raw["customer"]), may) for one in shown],
        "more": len(jobs) - len(shown),
    }


def _of_quote(raw: Raw) -> Iterator[_Job]:
    [last] = settlements.jobs_of_quotes([raw["_id"]]).values()
    request = Request.collection().find_one({"_id": last})
    if request:
        yield _Job("request", request)
    else:
        yield _Job("quote", Quote.collection().find_one({"_id": last}) or raw)


def _of_order(raw: Raw) -> Iterator[_Job]:
    request = raw.get("request")
    found = Request.collection().find_one({"_id": request}) if request else None
    yield _Job("request", found) if found else _Job("order", raw)


def _of_delivery(raw: Raw) -> Iterator[_Job]:
    ids = [*raw.get("panes", ()), *raw.get("missingPanes", ())]
    panes = lookup.by_id(Pane, ids, ("request", "order")).values()
    yield from _of_owners(
        [one.get("request") for one in panes],
        [one.get("order") for one in panes if not one.get("request")],
    )


def _of_entry(raw: Raw) -> Iterator[_Job]:
    parts = raw.get("parts") or ()
    yield from _of_owners(
        [one.get("request") for one in parts], [one.get("order") for one in parts]
    )


def _of_owners(requests: Iterable[Any], orders: Iterable[Any]) -> Iterator[_Job]:
    for kind, model, ids in (("request", Request, requests), ("order", Order, orders)):
        found = lookup.by_id(model, ids)
        for one in sorted(found):
            yield _Job(kind, found[one])


_JOBS: Mapping[str, Callable[[Raw], Iterator[_Job]]] = {
    "quote": _of_quote,
    "request": lambda raw: iter([_Job("request", raw)]),
    "order": _of_order,
    "delivery": _of_delivery,
    "entry": _of_entry,
}


def _shown(job: _Job, settlement: Settlement | None, may: May) -> dict[str, Any]:
    is_quote = job.kind == "quote"
    panes = [] if is_quote else _panes(job)
    live = [one for one in panes if is_live(one)]
    quotes = _quotes(job) if settlement else []
    entries = [] if is_quote or not settlement else _entries(job)
    sees_orders, sees_requests = may("orders:view"), may("requests:view")
    is_request = job.kind == "request"
    return {
        "request": _fields(job.raw, _OF_REQUEST)
        if is_request and sees_requests
        else None,
        "quotes": [_fields(one, _OF_QUOTE) for one in quotes] if settlement else None,
        "orders": [_fields(one, _OF_ORDER) for one in _orders(job)]
        if sees_orders
        else None,
        "deliveries": [_fields(one, _OF_DELIVERY) for one in _deliveries(panes)]
        if sees_orders
        else None,
        "panes": {
            "count": len(live),
            "finished": sum(one["currentStatus"] == Status.COMPLETED for one in live),
            "delivered": sum(bool(one.get("deliveredAt")) for one in live),
        }
        if sees_orders or sees_requests
        else None,
        "entries": [_entry(one, job) for one in entries] if settlement else None,
        "payments": _payments(job, settlement) if settlement else None,
        "money": _money(job, settlement, quotes, panes) if settlement else None,
    }


def _fields(raw: Raw, names: Sequence[str]) -> dict[str, Any]:
    return {name: raw.get(name) for name in ("_id", *names)}


def _panes(job: _Job) -> list[Raw]:
    shown = dict.fromkeys(agreed_prices.COUNTED, 1)
    return list(Pane.collection().find({job.kind: job.id}, shown))


def _quotes(job: _Job) -> list[Raw]:
    """Return the quote and the confirmations of a request, the oldest first."""
    if job.kind == "quote":
        return [job.raw]
    of_request = {"request": job.id}
    names = (*_OF_QUOTE, "price", "depositPercent")
    return _oldest(Quote, of_request, names) if job.kind == "request" else []


def _orders(job: _Job) -> list[Raw]:
    if job.kind == "order":
        return [job.raw]
    return (
        _oldest(Order, {"request": job.id}, _OF_ORDER) if job.kind == "request" else []
    )


def _deliveries(panes: Sequence[Raw]) -> list[Raw]:
    """Return the deliveries on which panes are, or from which they came back."""
    ids = [one["_id"] for one in panes]
    return _oldest(Delivery, deliveries.of_panes(ids), _OF_DELIVERY) if ids else []


def _entries(job: _Job) -> list[Raw]:
    query = {f"parts.{job.kind}": job.id, "status": {"$ne": str(BillingStatus.VOID)}}
    return _oldest(BillingEntry, query, (*_OF_ENTRY, "parts"))


def _oldest(
    model: type[Record], query: Mapping[str, Any], names: Sequence[str]
) -> list[Raw]:
    found = model.collection().find(query, dict.fromkeys(names, 1))
    return sorted(found, key=lambda row: row["_id"])


def _entry(raw: Raw, job: _Job) -> dict[str, Any]:
    nets = [as_decimal(one["net"]) for one in raw["parts"] if one[job.kind] == job.id]
    return {**_fields(raw, _OF_ENTRY), "net": as_text(sum(nets, ZERO))}


def _payments(job: _Job, settlement: Settlement) -> list[dict[str, Any]]:
    invoices = {one.invoice for one in settlement.of_job(job.id)} - {""}
    return [
        _fields(row, _OF_PAYMENT)
        for row in settlement.payments
        if settlement.job_of_payment.get(row["_id"]) == job.id
        or row.get("invoiceNumber") in invoices
    ]


def _money(
    job: _Job, settlement: Settlement, quotes: Sequence[Raw], panes: Sequence[Raw]
) -> dict[str, Any]:
    """Return the amounts of a job, texts in baht; all but `net` with VAT.

    What is not charged yet has the VAT of its quote, else that of today.
    """
    offers = [one for one in quotes if one.get("kind") != QuoteKind.CONFIRMATION]
    price: Raw = offers[0].get("price") or {} if offers else {}
    charged = settlement.of_job(job.id)
    waiting = _waiting(job, price, panes)
    percent = price.get("vatPercent", pricing.settings().vat_percent)
    gross = sum((one.gross for one in charged), ZERO)
    whole = gross + waiting + part_of(waiting, as_decimal(percent))
    paid = settlement.paid_for(job.id)
    return {
        "net": as_text(sum((one.net for one in charged), waiting)),
        "gross": as_text(whole),
        "charged": as_text(gross),
        "billed": as_text(sum((one.gross for one in charged if one.invoice), ZERO)),
        "paid": as_text(paid),
        "open": as_text(whole - paid),
        "deposit": _deposit(offers, price, job, settlement),
    }


def _waiting(job: _Job, price: Raw, panes: Sequence[Raw]) -> Decimal:
    """Return what is agreed and not charged yet, in baht before VAT."""
    if job.kind == "quote":
        return Decimal(price.get("total", "0"))
    charged = agreed_prices.charged(job.kind, job.id)
    if job.kind == "request":
        details = job.raw.get("details") or {}
        return as_decimal(details.get("estimatedPrice")) - charged.net
    rest = [one for one in panes if is_live(one) and not charged.has(one)]
    return sum((as_decimal(one.get("agreedPrice")) for one in rest), ZERO)


def _deposit(
    offers: Sequence[Raw], price: Raw, job: _Job, settlement: Settlement
) -> dict[str, Any] | None:
    """Return the deposit that a quote asks for, and what of it is there."""
    percent = as_decimal(offers[0].get("depositPercent")) if offers else ZERO
    if not percent:
        return None
    asked = part_of(Decimal(price.get("totalWithVat", "0")), percent)
    paid = sum(
        (
            as_decimal(row["amount"])
            for row in settlement.payments
            if settlement.job_of_payment.get(row["_id"]) == job.id
        ),
        ZERO,
    )
    return {
        "percent": float(percent),
        "asked": as_text(asked),
        "paid": as_text(paid),
        "open": as_text(max(asked - paid, ZERO)),
    }
