"""The answer to a quote: accepted or rejected, by the office or by the customer's link.

By the link the customer may also ask for a change, which is no answer.

The acceptance creates the request with its panes, once, in the transaction that stores it.
"""

from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import quotes, texts
from glassflow.domain.agreed_prices import share_out
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import THAI, Bilingual
from glassflow.domain.errors import Contention, FieldFault, Forbidden, Refusal
from glassflow.domain.money import as_decimal
from glassflow.domain.quotes import CustomerNoteKind, QuoteStatus
from glassflow.models.order import Order
from glassflow.models.quote import Quote
from glassflow.services import discount_limit, makeability, records
from glassflow.services.accepted_quotes import RUSH_PRIORITY
from glassflow.services.notices import announcements
from glassflow.services.orders import orders, requests
from glassflow.services.orders.requests import NewRequest
from glassflow.services.quotes import links, row_references
from glassflow.services.quotes.refusals import Expired, NotOpen


def accept(*, record_id: ObjectId, values: Raw, actor: Identity) -> Quote:
    """Accept a quote for its customer: its request, and its order if asked for, are created once.

    `values` may have the `order`, and the `deadline` and `reference_id` of the request.
    Raises `NotFound`, `NotOpen`, `Expired`, `Forbidden` for an order without its key, and
    what creating a request and an order raises.
    """
    offered = records.load(Quote, record_id)
    _require_acceptable(offered, may_be_late=actor.may(discount_limit.KEY))
    order = values.get("order")
    if order and not actor.may("orders:manage"):
        raise Forbidden()
    new = _prepare(offered, values)
    number = records.next_numbers(Order)[0] if order else None
    return _accept(record_id, new, order and {**order, "order_number": number}, actor)


@unit_of_work
def _accept(
    record_id: ObjectId, new: NewRequest, order: Raw | None, actor: Identity
) -> Quote:
    locks.reserve(Quote, [record_id])  # it is written last
    quote = records.load(Quote, record_id)
    _require_acceptable(quote, may_be_late=actor.may(discount_limit.KEY))
    remarks = _create_request(quote, new, actor)
    if order:
        of_request = {
            "request": quote.request,
            "customer": quote.customer,
            "quantity": len(new.inputs),
        }
        if quote.is_rush and order.get("priority") is None:  # it is not stored yet
            order = {**order, "priority": RUSH_PRIORITY}
        quote.order = orders.insert({**order, **of_request}, actor=actor).pk
    answer(quote, QuoteStatus.ACCEPTED, by=actor.worker_id)
    quote.remarks = [*new.remarks, *remarks]
    return quote


def accept_by_link(*, record_id: ObjectId, secret: str, values: Raw) -> Quote:
    """Let the customer accept a quote by its link: its request is created once.

    `values` have the `name` of the person who accepts, and may have a `note` and the
    `reference_id` of the request. The worker who sent the quote is notified, also of an
    acceptance that is refused. Raises `NotFound`, `NotOpen`, `Expired`, and what creating a
    request raises.
    """
    offered = links.find(record_id, secret)
    try:
        require_acceptable_by_link(offered)
        new = _prepare(offered, values)
        return _accept_by_link(record_id, secret, new, values["name"])
    except Contention:  # the customer tries again
        raise
    except Refusal as refusal:
        keep_refused(record_id, secret, values["name"], refusal.message)
        raise


@unit_of_work
def _accept_by_link(
    record_id: ObjectId, secret: str, new: NewRequest, name: str
) -> Quote:
    locks.reserve(Quote, [record_id])  # it is written last
    quote = links.find(record_id, secret)  # it may have been revoked meanwhile
    require_acceptable_by_link(quote)
    remarks = _create_request(quote, new, None)
    quote.accepted_name = name
    answer(quote, QuoteStatus.ACCEPTED, by=None)
    if quote.sent_by:
        said = [one["message"] for one in remarks]
        announcements.quote_accepted(quote, said, recipient=quote.sent_by)
    return quote


@unit_of_work
def keep_refused(
    record_id: ObjectId, secret: str, name: str, reason: Bilingual
) -> None:
    """Keep an acceptance that was refused, and notify the sender, once for each reason.

    Not of a quote that is accepted: the customer has pressed twice.
    """
    quote = links.find(record_id, secret)
    text = reason.in_language(THAI)  # as notifications are
    last = quote.customer_notes[-1] if quote.customer_notes else {}
    is_known = (last.get("kind"), last.get("text")) == (CustomerNoteKind.FAILED, text)
    if is_known or quote.status == QuoteStatus.ACCEPTED:
        return
    keep_note(quote, CustomerNoteKind.FAILED, name, text)
    records.store(quote)
    if quote.sent_by:
        announcements.acceptance_refused(quote, name, reason, recipient=quote.sent_by)


def keep_note(quote: Quote, kind: CustomerNoteKind, name: str, text: str) -> None:
    """Keep what a customer did by the link, the last `MOST_CUSTOMER_NOTES`.

    The caller stores the quote.
    """
    note = {"kind": str(kind), "at": clock.now(), "name": name, "text": text}
    quote.customer_notes = [*quote.customer_notes, note][-quotes.MOST_CUSTOMER_NOTES :]


def _prepare(quote: Quote, values: Raw) -> NewRequest:
    """Return the request that a quote becomes, whose panes have their prices.

    Each has its row's price, with its share of the rush, the discount and the minimum
    charge, so that they add up to the total of the quote. Raises what
    `requests.prepare` raises.
    """
    new = requests.prepare(_request_values(quote, values))
    weights = [
        as_decimal(price["total"])
        for price, row in zip(quote.price["panes"], quote.panes, strict=True)
        for _ in range(quotes.quantity(row))
    ]
    shares = share_out(as_decimal(quote.price["total"]), weights)
    reasons = [
        quote.override_reason
        if makeability.refusals(row.get("makeability", ()))
        else ""
        for row in quote.panes
        for _ in range(quotes.quantity(row))
    ]
    inputs = [
        {**one, "agreedPrice": float(share), "overrideReason": reason}
        for one, share, reason in zip(new.inputs, shares, reasons, strict=True)
    ]
    return new._replace(inputs=inputs)


def _create_request(
    quote: Quote, new: NewRequest, actor: Identity | None
) -> list[FieldFault]:
    """Create the request of an accepted quote; return what people have to know of it.

    Its panes name no station and no material that was deleted since the quote was sent,
    because the customer can do nothing about it.
    """
    inputs, left_out = row_references.without_deleted(quote, new.inputs)
    values = {
        **new.values,
        "customer": quote.customer,  # customers may have been merged meanwhile
        "left_out": left_out,
    }
    request, _ = requests.insert(
        new._replace(values=values, inputs=inputs), actor=actor
    )
    quote.request = request.pk
    remarks: list[FieldFault] = [
        {
            "field": "panes",
            "message": texts.LEFT_OUT_OF_PANES[one["kind"]].format(
                name=one["name"] or "–"
            ),
        }
        for one in left_out
    ]
    return [*remarks, *requests.remarks_of_deadline(request.deadline)]


@unit_of_work
def reject(*, record_id: ObjectId, reason: str, actor: Identity) -> Quote:
    """Record that the customer has rejected a quote. Raises `NotFound` and `NotOpen`."""
    quote = records.load(Quote, record_id)
    require_open(quote)
    quote.reject_reason = reason
    answer(quote, QuoteStatus.REJECTED, by=actor.worker_id)
    return quote


def require_open(quote: Quote) -> None:
    """Raise `NotOpen` for a quote that does not wait for an answer."""
    if quote.status not in quotes.OPEN:
        raise NotOpen(quote)


def _require_acceptable(quote: Quote, *, may_be_late: bool) -> None:
    require_open(quote)
    end = quote.valid_until
    is_over = end and quotes.has_expired(
        end, clock.now(), runtime.current().policy.timezone
    )
    if is_over and not may_be_late:
        raise Expired(quote)


def require_acceptable_by_link(quote: Quote) -> None:
    """Raise `NotOpen` or `Expired` for a quote that a customer cannot accept any more."""
    require_open(quote)
    if links.has_expired(quote):
        raise Expired(quote)


def answer(quote: Quote, status: QuoteStatus, *, by: ObjectId | None) -> None:
    """Store the answer to a quote; `by` is the worker who recorded it."""
    quote.status = status
    quote.answered_at, quote.answered_by = clock.now(), by
    records.store(quote)


def _still_to_come(moment: datetime | None) -> datetime | None:
    """Return a date that was said in a quote, unless it is over when that is accepted."""
    return moment if moment and moment > clock.now() else None


def _request_values(quote: Quote, values: Raw) -> dict[str, Any]:
    """Return the values of the request that a quote becomes."""
    return {
        "customer": quote.customer,
        "details": {
            "type": quote.project or quote.quote_number,
            "quantity": sum(map(quotes.quantity, quote.panes)),
            "estimatedPrice": quote.amount,
        },
        "deadline": values.get("deadline") or quote.deadline,
        "expected_delivery_date": _still_to_come(quote.expected_delivery_date),
        "delivery_location": quote.delivery_address,
        "reference_id": values.get("reference_id") or quote.reference_id,
        "notes": "\n".join(filter(None, (quote.notes, values.get("note")))),
        "panes": [
            {name: value for name, value in row.items() if name != "unitPrice"}
            for row in quote.panes
        ],
    }


@unit_of_work
def decline_by_link(*, record_id: ObjectId, secret: str, values: Raw) -> Quote:
    """Let the customer decline a quote by its link.

    `values` have the `name` of the person who declines, and may have a `note`, the reason.
    The worker who sent the quote is notified. Raises `NotFound`, `NotOpen` and `Expired`.
    """
    quote = links.find(record_id, secret)
    require_acceptable_by_link(quote)
    quote.declined_name = values["name"]
    quote.reject_reason = values.get("note") or ""
    answer(quote, QuoteStatus.REJECTED, by=None)
    if quote.sent_by:
        announcements.quote_declined(quote, recipient=quote.sent_by)
    return quote


@unit_of_work
def ask_change_by_link(*, record_id: ObjectId, secret: str, values: Raw) -> Quote:
    """Keep what the customer would like changed; the quote still waits for an answer.

    `values` have the `name` of the person and the `text`. The worker who sent the quote is
    notified. What was asked for last is not kept again. Raises `NotFound`, `NotOpen` and
    `Expired`.
    """
    quote = links.find(record_id, secret)
    require_acceptable_by_link(quote)
    name, text = values["name"], values["text"]
    last = quote.customer_notes[-1] if quote.customer_notes else {}
    before = (last.get("kind"), last.get("name"), last.get("text"))
    if before == (CustomerNoteKind.CHANGE, name, text):
        return quote
    keep_note(quote, CustomerNoteKind.CHANGE, name, text)
    records.store(quote)
    if quote.sent_by:
        announcements.quote_change_asked(
            quote, name=name, text=text, recipient=quote.sent_by
        )
    return quote
