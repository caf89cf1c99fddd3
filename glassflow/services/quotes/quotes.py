"""Quotes: drafts with their prices, sent and revised; `answers` has how they are answered.

A quote keeps the prices that it was made with (`Quote.terms`), and so do its revisions. A
draft gets those of today when its customer changes, and when that is asked for.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bson import ObjectId

from glassflow import runtime
from glassflow.core import actor as actors
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import calendar, quotes, texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import FieldFault, Forbidden, Invalid
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.models.quote import Quote
from glassflow.services import discount_limit, makeability, pricing, records, workshop
from glassflow.services.makeability import NotMakeable
from glassflow.services.orders import new_customer, requests
from glassflow.services.pricing import PricedPanes, Terms
from glassflow.services.quotes import paper, row_references
from glassflow.services.quotes.refusals import (
    NotDraft,
    NotRevisable,
    require_priced,
)
from glassflow.services.records import references

# What the price of a quote depends on, besides its terms.
PRICED_BY = frozenset({"customer", "panes", "is_rush", "discount_percent"})
# What a revision takes over from the quote that it revises.
REVISED = (
    "customer",
    "project",
    "reference_id",
    "panes",
    "is_rush",
    "discount_percent",
    "deposit_percent",
    "price",
    "amount",
    "terms",
    "priced_at",
    "deadline",
    "expected_delivery_date",
    "delivery_address",
    "lead_time",
    "notes",
    "conditions",
    "language",
)


def create(*, model: type[Quote], values: Raw, actor: Identity) -> Quote:
    """Create a draft with the prices of today.

    It is valid for the `quoteDays` of the workshop and asks for its `depositPercent`,
    where it says nothing else. Raises
    `UnknownReference`, and `Invalid` for more than MAX_ARRAY_LENGTH panes and for a
    discount or an agreed price that the actor may not give.
    """
    return _create(records.next_numbers(Quote)[0], values, actor)


@unit_of_work
def _create(number: str, values: Raw, actor: Identity) -> Quote:
    deposit = workshop.settings().deposit_percent
    quote = Quote(quote_number=number, deposit_percent=deposit)
    _change(quote, values, actor)
    records.store(quote)
    return quote


@unit_of_work
def update(
    *, model: type[Quote], record_id: ObjectId, values: Raw, actor: Identity
) -> Quote:
    """Change a draft; raises what `create` raises, `NotFound`, `NotDraft`, `CustomerFixed`.

    With `current_prices` it is priced by the prices of today.
    """
    quote = _load_draft(record_id)
    customer = quote.customer
    _change(quote, values, actor)
    if quote.customer != customer:
        new_customer.require_no_payments(quote.pk)
    records.store(quote)
    return quote


def price(
    *,
    panes: Sequence[Raw],
    customer: ObjectId | None,
    quote_id: ObjectId | None,
    is_rush: bool,
    discount: float | None,
) -> PricedPanes:
    """Return what panes in wire form cost in a new quote, or in one that exists.

    The latter by the prices that it was made with, unless the customer is another one.
    Raises `NotFound`, `UnknownReference`, and what `pricing.require_printable` raises.
    """
    quote = records.load(Quote, quote_id) if quote_id else None
    if quote and quote.terms and customer in (None, quote.customer):
        terms = Terms.from_stored(quote.terms)
    else:
        terms = pricing.terms_for(customer)
    priced = pricing.price_panes(panes, terms=terms, is_rush=is_rush, discount=discount)
    pricing.require_printable(priced, panes)
    return priced


@unit_of_work
def send(*, record_id: ObjectId, override_reason: str, actor: Identity) -> Quote:
    """Mark a draft as sent; it does not change from then on.

    The quote that it revises is superseded. Panes that cannot be made need
    `override_reason`, and an actor who manages panes. Raises `NotFound`, `NotDraft`,
    `NotPriced`, `NotMakeable`, `Forbidden`, `NotRevisable` if the quote that it revises was
    accepted, and `Invalid` without panes, for more than MAX_ARRAY_LENGTH, for a last day in
    the past, and for what no request could be made of. The remarks name a deadline that is
    over.
    """
    quote = _load_draft(record_id)
    _require_sendable(quote)
    if refused := _refused_rows(quote):
        if not override_reason:
            raise NotMakeable("row", refused)
        if not actor.may("panes:manage"):
            raise Forbidden()
        quote.override_reason, quote.overridden_by = override_reason, actor.worker_id
    quote.conditions = quote.conditions or paper.conditions(quote.language)
    quote.parties = {**paper.parties(quote), "named": row_references.names(quote)}
    _supersede(quote.revises)
    quote.status = QuoteStatus.SENT
    quote.sent_at, quote.sent_by = clock.now(), actor.worker_id
    records.store(quote)
    quote.remarks = [*quote.remarks, *requests.remarks_of_deadline(quote.deadline)]
    return quote


def _supersede(record_id: ObjectId | None) -> None:
    """Supersede the quote that a sent one revises, if it does and that exists."""
    revised = Quote.find_one({"_id": record_id}) if record_id else None
    if revised is None:
        return
    if revised.status == QuoteStatus.ACCEPTED:
        raise NotRevisable(revised)
    revised.status = QuoteStatus.SUPERSEDED
    records.store(revised)


@unit_of_work
def revise(*, record_id: ObjectId) -> Quote:
    """Create the next revision of a quote, a draft; the quote stays until that is sent.

    It has the prices of the quote. Raises `NotFound`, and `NotRevisable` for a draft, an
    accepted quote, and one that has a later revision.
    """
    quote = records.load(Quote, record_id)
    locks.touch(Quote, [quote.pk])  # of two revisions at once the second one conflicts
    is_offer = quote.kind == QuoteKind.QUOTE and quote.status in quotes.REVISABLE
    if not is_offer or Quote.find_one({"revises": quote.pk}):
        raise NotRevisable(quote)
    revision = quote.revision + 1
    made = Quote(
        quote_number=quotes.revision_number(quote.quote_number or "", revision),
        revision=revision,
        revises=quote.pk,
        valid_until=default_end(),
        **{name: quote[name] for name in REVISED},
    )
    records.store(made)
    return made


def expire_overdue() -> None:
    """Let the sent quotes expire whose last day is over; `jobs.overdue` calls it.

    `accept` looks at the day itself, so a quote that has not expired yet is not accepted.
    """
    begin = calendar.day_start(clock.now(), _zone())
    overdue = {"status": str(QuoteStatus.SENT), "validUntil": {"$lt": begin}}
    if Quote.collection().find_one(overdue, {"_id": 1}):
        with actors.acting(actors.SERVICE):
            _expire(overdue)


@unit_of_work
def _expire(overdue: Raw) -> None:
    expired = Quote.find_many(overdue)
    for quote in expired:
        quote.status = QuoteStatus.EXPIRED
    records.store(*expired)


def _zone() -> ZoneInfo:
    return runtime.current().policy.timezone


def default_end() -> datetime:
    """Return the last day of a new quote, as the workshop has it."""
    days = workshop.settings().quote_days
    return calendar.day_start(clock.now(), _zone(), days)


def _load_draft(record_id: ObjectId) -> Quote:
    quote = records.load(Quote, record_id)
    if quote.status != QuoteStatus.DRAFT:
        raise NotDraft(quote)
    return quote


def _change(quote: Quote, values: Raw, actor: Identity) -> None:
    """Set values of a draft, and its findings and price where these depend on them."""
    values = dict(values)
    is_renewed = bool(values.pop("current_prices", None)) or not quote.terms
    is_repriced = is_renewed or not PRICED_BY.isdisjoint(values)
    before = {name: quote[name] for name in PRICED_BY}
    before["taken"] = quote.price.get("discount") or 0
    has_panes = "panes" in values
    inputs = values.pop("panes", None) or ()
    stored = quote if quote.version else None
    references.require_exist(
        [
            *references.references_in(Quote, values, stored=stored),
            *requests.references_of(inputs),
        ]
    )
    records.apply_changes(quote, values)
    quote.conditions = paper.in_its_language(quote)
    quote.valid_until = quote.valid_until or default_end()
    if has_panes:
        requests.require_count(map(quotes.quantity, inputs))
        judged = makeability.judge_inputs(inputs, "panes.{}.")
        quote.panes = [
            {name: value for name, value in one.values.items() if value is not None}
            for one in judged
        ]
        quote.remarks = [fault for one in judged for fault in one.remarks]
    if is_repriced:
        if is_renewed or quote.customer != before["customer"]:
            terms = pricing.terms_for(quote.customer)
            quote.terms, quote.priced_at = terms.stored_form(), terms.at
        _require_granted(quote, before, actor)
        set_price(quote)


def _require_granted(quote: Quote, before: Raw, actor: Identity) -> None:
    """Raise `Invalid` for a discount or an agreed price that the actor may not give.

    Those that the quote had for the same customer stay, whoever changes it. `before` are
    the fields of `PRICED_BY`, and the discount that was taken.
    """
    if actor.may(discount_limit.KEY):
        return
    of_customer: float = (quote.terms or {})["discount"]
    most = discount_limit.most_percent(of_customer)
    is_same = quote.customer == before["customer"]
    given = quote.discount_percent
    if is_same and given == before["discount_percent"]:
        most = max(most, given or 0)
    faults = [
        *discount_limit.faults_of_discount("discountPercent", given or 0, most=most),
        *_faults_of_agreed_prices(
            quote,
            before["panes"] if is_same else (),
            most=most,
            taken=before["taken"],
        ),
    ]
    if faults:
        raise Invalid(faults)


def _faults_of_agreed_prices(
    quote: Quote, before: Sequence[Raw], *, most: float, taken: float
) -> Iterator[FieldFault]:
    """Yield the rows whose agreed price, with the discount, is too low.

    A row that was there `before` may cost what it did with the discount `taken` then. One
    that the list has no price for needs the key.
    """
    agreed = [n for n, row in enumerate(quote.panes) if "unitPrice" in row]
    if not agreed:
        return
    terms = Terms.from_stored(quote.terms or {})
    listed = pricing.net_prices(
        [_without(quote.panes[n], "unitPrice") for n in agreed], terms=terms, discount=0
    )
    given = quote.discount_percent
    share = 1 - as_decimal(terms.discount if given is None else given) / 100
    known = [_without(row, "makeability") for row in before]
    for index, price in zip(agreed, listed, strict=True):
        row = quote.panes[index]
        unit = as_decimal(row["unitPrice"])
        lowest = [] if price is None else [discount_limit.lowest(price, most)]
        plain = _without(row, "makeability")
        if plain in known:
            known.remove(plain)  # a second one of the same is new
            lowest.append(unit * (1 - as_decimal(taken) / 100))
        field = f"panes.{index}.unitPrice"
        if not lowest or not share:
            yield {"field": field, "message": texts.AGREED_PRICE_NEEDS_KEY}
        else:
            least = rounded(min(lowest) / share)
            yield from discount_limit.faults_of_price(field, unit, least)


def _without(row: Raw, member: str) -> Raw:
    return {name: value for name, value in row.items() if name != member}


def set_price(quote: Quote) -> None:
    """Set the price of a quote by its terms; raises what `require_printable` raises."""
    priced = pricing.price_panes(
        quote.panes,
        terms=Terms.from_stored(quote.terms or {}),
        is_rush=quote.is_rush,
        discount=quote.discount_percent,
    )
    pricing.require_printable(priced, quote.panes)
    quote.price, quote.amount = priced.wire_form(), float(priced.total.net)


def _require_sendable(quote: Quote) -> None:
    require_priced(quote)
    requests.require_count(map(quotes.quantity, quote.panes))
    row_references.require_buildable(quote.panes)
    if quote.valid_until and quotes.has_expired(
        quote.valid_until, clock.now(), _zone()
    ):
        raise Invalid([{"field": "validUntil", "message": texts.DAY_IS_OVER}])


def _refused_rows(quote: Quote) -> dict[str, list[Raw]]:
    """Judge the panes by the limits of today; return the refusals by row, from 1."""
    judged = makeability.judge_inputs(quote.panes, "panes.{}.")
    found = [one.values["makeability"] for one in judged]
    if found != [row.get("makeability") for row in quote.panes]:
        quote.panes = [
            {**row, "makeability": one}
            for row, one in zip(quote.panes, found, strict=True)
        ]
    quote.remarks = [fault for one in judged for fault in one.remarks]
    refused = {str(n): makeability.refusals(one) for n, one in enumerate(found, 1)}
    return {number: one for number, one in refused.items() if one}
