"""Order confirmations: a request as it stands, for its customer to confirm.

A confirmation is a quote of its own kind: it has the paper, the link and the e-mail of a
quote, and the prices that were agreed. It names what has changed since the quote. A change
may wait in it: the request is changed when the customer confirms, in the same transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import quotes as rules
from glassflow.domain import texts
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import THAI
from glassflow.domain.errors import Conflict, Contention, FieldFault, Invalid, Refusal
from glassflow.domain.money import as_decimal, as_text, rounded
from glassflow.domain.quotes import CustomerNoteKind, QuoteKind, QuoteStatus
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.services import (
    agreed_prices,
    cancelled_guard,
    pricing,
    records,
    request_changes,
)
from glassflow.services.notices import announcements
from glassflow.services.pricing import Terms
from glassflow.services.quotes import answers, links, paper, quotes
from glassflow.services.quotes.refusals import require_priced

CONFIRMATION = {"kind": str(QuoteKind.CONFIRMATION)}
# What tells the panes of a row from others, and is printed of them.
SHOWN = (
    "mark", "dimensions", "jobType", "rawGlass", "glassType", "glassTypeLabel", "holes",
    "notches", "cornerSpec", "dimensionTolerance", "processes", "edgeTasks", "notes",
)  # fmt: skip
# What it takes over from the quote of the request, if there is one.
OF_QUOTE = ("project", "lead_time", "conditions")


class RequestChanged(Conflict):
    """The request is no longer as the confirmation shows it: make another one."""

    code = "REQUEST_CHANGED"

    def __init__(self, quote: Quote) -> None:
        super().__init__(texts.REQUEST_CHANGED.format(number=quote.quote_number))


class Snapshot(NamedTuple):
    """A request as it is to be confirmed: its rows, and what it is based on."""

    rows: Sequence[Raw]
    deadline: datetime | None
    changes: Sequence[Raw]


class Pending(NamedTuple):
    """A change that waits for the customer, and the request as it would be.

    It was tried on this version of the request.
    """

    change: Mapping[str, Any]
    shown: Snapshot
    version: int | None
    remarks: Sequence[FieldFault]


@unit_of_work
def create(
    *,
    request_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
    pending: Pending | None = None,
) -> Quote:
    """Make the confirmation of a request, which is sent at once; earlier ones end.

    `values` may have `language` and `notes`; `pending` is the change that waits for the
    customer. Raises `NotFound`, `RequestCancelled`, `NotPriced`, `Invalid` without panes,
    and `Contention` if the request has changed since the change was tried.
    """
    # which writes the request too: of two confirmations at once the second one conflicts
    cancelled_guard.require_open(requests=[request_id])
    request = records.load(Request, request_id)
    shown = pending.shown if pending else _snapshot(request)
    if pending and pending.version != request.version:
        raise Contention
    known = Quote.find_many({"request": request_id, **CONFIRMATION})
    for one in known:
        if one.status in rules.OPEN:
            one.status = QuoteStatus.SUPERSEDED
    records.store(*known)
    of_quote = agreed_prices.quote_of(request_id)
    taken = {name: of_quote[name] for name in OF_QUOTE} if of_quote else {}
    language = values.get("language") or (of_quote.language if of_quote else THAI)
    if of_quote is None or of_quote.language != language:
        taken["conditions"] = paper.conditions(language)
    made = Quote(
        kind=QuoteKind.CONFIRMATION,
        quote_number=f"{request.request_number}-C{len(known) + 1}",
        customer=request.customer,
        request=request_id,
        reference_id=request.reference_id,
        panes=[*shown.rows],
        terms=_terms(request, of_quote),
        priced_at=clock.now(),
        valid_until=quotes.default_end(),
        deadline=shown.deadline,
        expected_delivery_date=request.expected_delivery_date,
        delivery_address=request.delivery_location,
        notes=values.get("notes") or "",
        language=language,
        status=QuoteStatus.SENT,
        sent_at=clock.now(),
        sent_by=actor.worker_id,
        changes=[*shown.changes],
        pending_change=pending and pending.change,
        waits=pending is not None,
        basis=_basis(request),
        **taken,
    )
    quotes.set_price(made)
    require_priced(made)
    made.parties = {**paper.parties(made), "has_drawings": True}
    records.store(made)
    return made


def try_change(
    *, request_id: ObjectId, change: Mapping[str, Any], actor: Identity
) -> Pending:
    """Try a change that is to wait for the customer; nothing is stored.

    `change` is a body of `request_changes.make`. Raises what that raises.
    """
    if not (change.get("reason") or "").strip():
        raise Invalid([{"field": "reason", "message": texts.REQUIRED}])
    version = records.load(Request, request_id).version
    made = request_changes.preview(
        record_id=request_id, values=change, actor=actor, show=_snapshot
    )
    return Pending(change, made.shown, version, made.request.remarks)


def _basis(request: Request) -> dict[str, Any]:
    """Return what tells whether a request is still as a confirmation shows it."""
    price = as_decimal((request.details or {}).get("estimatedPrice"))
    return {
        "changes": len(request.changes),
        "price": as_text(price),
        "deadline": request.deadline,
        "place": request.delivery_location,
    }


def _terms(request: Request, of_quote: Quote | None) -> dict[str, Any]:
    """Return terms by which the rows cost what was agreed for them, and VAT."""
    terms = (
        Terms.from_stored(of_quote.terms)
        if of_quote and of_quote.terms
        else pricing.terms_for(request.customer)
    )
    base = {**terms.base, "minimumCharge": 0}
    return Terms(base, terms.price_list, 0.0, terms.at).stored_form()


def _snapshot(request: Request) -> Snapshot:
    """Return the rows of a request: equal panes with equal prices, and the rest of its price.

    A pane for which nothing was agreed has the price of the list.
    """
    panes = [
        row
        for one in Pane.find_many({"request": request.pk})
        if is_live(row := one.stored_form())
    ]
    # those that a change is to add come last: they have placeholders for numbers
    panes.sort(key=lambda row: (_is_unstored(row), str(row["paneNumber"])))
    listed = [row for row in panes if row.get("agreedPrice") is None]
    prices = agreed_prices.calculated(
        listed, customer=request.customer, request=request.pk, by_quantity=True
    )
    rows: dict[bytes, dict[str, Any]] = {}
    for pane in panes:
        price = pane.get("agreedPrice")
        if price is None and (found := prices[pane["_id"]]) is not None:
            price = float(rounded(found))
        row = {name: pane[name] for name in SHOWN if pane.get(name)}
        if price is not None:
            row["unitPrice"] = price
        known = rows.setdefault(encode(row), {**row, "quantity": 0})
        known["quantity"] += 1
    agreed = as_decimal((request.details or {}).get("estimatedPrice"))
    of_panes = sum((as_decimal(one.get("agreedPrice")) for one in panes), Decimal(0))
    rest = agreed - of_panes if agreed else Decimal(0)
    found_rows: list[Raw] = list(rows.values())
    if rest:
        # charged for cancelled panes, or agreed for panes that are to come
        name = texts.PAPER_OTHER_AGREED.in_language(THAI)
        found_rows.append(
            {"glassTypeLabel": name, "unitPrice": float(rest), "quantity": 1}
        )
    return Snapshot(found_rows, request.deadline, request.changes)


def _is_unstored(pane: Raw) -> bool:
    return str(pane["paneNumber"]).startswith(request_changes.UNSTORED)


def accept(*, record_id: ObjectId, values: Mapping[str, Any], actor: Identity) -> Quote:
    """Record that the customer has accepted: `answers.accept` for a quote.

    For a confirmation the change that waits is made. Raises `NotFound`, `NotOpen`,
    `RequestChanged`, and what `request_changes.apply` raises.
    """
    offered = records.load(Quote, record_id)
    if offered.kind != QuoteKind.CONFIRMATION:
        return answers.accept(record_id=record_id, values=values, actor=actor)
    answers.require_open(offered)
    prepared = _prepare(offered)
    return _confirm(record_id, prepared, actor)


@unit_of_work
def _confirm(
    record_id: ObjectId, prepared: request_changes.Prepared | None, actor: Identity
) -> Quote:
    quote = records.load(Quote, record_id)
    answers.require_open(quote)
    _change(quote, prepared, actor)
    answers.answer(quote, QuoteStatus.ACCEPTED, by=actor.worker_id)
    return quote


def accept_by_link(
    *, record_id: ObjectId, secret: str, values: Mapping[str, Any]
) -> Quote:
    """Let the customer accept by the link, a quote or a confirmation.

    A confirmation keeps their `note`. Raises what `answers.accept_by_link` and `accept` raise.
    """
    offered = links.find(record_id, secret)
    if offered.kind != QuoteKind.CONFIRMATION:
        return answers.accept_by_link(record_id=record_id, secret=secret, values=values)
    try:
        answers.require_acceptable_by_link(offered)
        prepared = _prepare(offered)
        return _confirm_by_link(record_id, secret, prepared, values)
    except Contention:  # the customer tries again
        raise
    except Refusal as refusal:
        answers.keep_refused(record_id, secret, values["name"], refusal.message)
        raise


@unit_of_work
def _confirm_by_link(
    record_id: ObjectId,
    secret: str,
    prepared: request_changes.Prepared | None,
    values: Mapping[str, Any],
) -> Quote:
    quote = links.find(record_id, secret)  # it may have been revoked meanwhile
    answers.require_acceptable_by_link(quote)
    _change(quote, prepared, _sender(quote))
    quote.accepted_name = values["name"]
    if note := values.get("note"):
        answers.keep_note(quote, CustomerNoteKind.NOTE, values["name"], note)
    answers.answer(quote, QuoteStatus.ACCEPTED, by=None)
    if quote.sent_by:
        announcements.quote_accepted(quote, (), recipient=quote.sent_by)
    return quote


def _prepare(quote: Quote) -> request_changes.Prepared | None:
    return request_changes.prepare(quote.pending_change) if quote.waits else None


def _change(
    quote: Quote, prepared: request_changes.Prepared | None, actor: Identity
) -> None:
    """Make the change that waits.

    Raises `RequestChanged` if the request is another one now, and `RequestCancelled`. A
    change of the request at the same time conflicts.
    """
    cancelled_guard.require_open(requests=[quote.request])
    request = Request.find_one({"_id": quote.request}) if quote.request else None
    is_same = request and _basis(request) == quote.basis
    # of merged customers both have the one that stays
    if request is None or not is_same or request.customer != quote.customer:
        raise RequestChanged(quote)
    if prepared:
        made = request_changes.apply(request.pk, prepared, actor)
        quote.remarks = made.request.remarks


def _sender(quote: Quote) -> Identity:
    """Return as whom a change is made that the customer has confirmed.

    Its sender, who had the keys for it when the confirmation was made.
    """
    return Identity(quote.sent_by or ObjectId(), "", ObjectId(), frozenset({"*"}))
