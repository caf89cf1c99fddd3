"""What was agreed for the panes of requests, in baht before VAT: `Pane.agreed_price`.

A pane gets its price once: its part of a quote that is accepted, its share of a price that
is agreed for its request, or the price of the list when it is handed over. The price goes
where the pane goes: to its remake, to the pane that it is laminated to, to another request.

The agreed price of a request (`details.estimatedPrice`) is what billing entries charge of
it, the prices of its live panes that none has charged, and `unshared_price`. That is agreed
and waits for panes: a price may be agreed before the panes are entered.

Whoever changes which panes count calls `recount`, inside the same unit of work. Two units
of work that change the sum of one request both write it, so one of them repeats and sees
what the other has stored.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.process.json import encode
from glassflow.domain import agreed_prices as rules
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.errors import Conflict, FieldFault
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.panes.status import LaminateRole
from glassflow.domain.pricing import Price
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.services import pricing, records
from glassflow.services.pricing import Terms

# What the calculated price of a pane depends on.
PRICED_BY = (
    "dimensions", "rawGlass", "glassType", "glassTypeLabel", "jobType", "processes",
    "edgeTasks", "holes", "notches",
)  # fmt: skip
# What tells whether a pane counts, and its price.
COUNTED = (
    "currentStatus", "writtenOff", "laminateRole", "parentPane", "deliveredAt",
    "agreedPrice",
)  # fmt: skip
FIELD = "details.estimatedPrice"


@dataclass(frozen=True, slots=True)
class Charged:
    """What the billing entries of a request or an order charge: its panes, and the sum."""

    panes: Collection[ObjectId]
    net: Decimal

    def has(self, pane: Raw) -> bool:
        """Return whether a pane in stored form is charged.

        A laminated pane is, where its unit was charged when that was cancelled.
        """
        is_single = pane.get("laminateRole") == LaminateRole.SINGLE
        return pane["_id"] in self.panes or (
            is_single and pane.get("parentPane") in self.panes
        )


def calculated(
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


class PaneCharged(Conflict):
    """Panes that a billing entry charges stay in their request or order."""

    code = "PANE_CHARGED"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.PANE_CHARGED.format(panes=", ".join(numbers)),
            details={"panes": list(numbers)},
        )


def is_charged(pane: Pane) -> bool:
    """Return whether a billing entry charges a pane. One query, if it has a price."""
    row = pane.stored_form()
    return pane.agreed_price != 0 and _of_job(row, {}).has(row)


def _of_job(pane: Raw, known: dict[tuple[str, Any], Charged]) -> Charged:
    """Return what entries charge of the request of a pane, or of its order without one."""
    owner = "request" if pane.get("request") else "order"
    job: ObjectId | None = pane.get(owner)
    if (owner, job) not in known:
        known[owner, job] = charged(owner, job) if job else Charged((), Decimal(0))
    return known[owner, job]


def require_not_charged(panes: Iterable[Raw]) -> None:
    """Raise `PaneCharged` for panes, in stored form, that are to leave their work.

    They would be charged again there. One query for each request or order.
    """
    known: dict[tuple[str, Any], Charged] = {}
    found = [one["paneNumber"] for one in panes if _of_job(one, known).has(one)]
    if found:
        raise PaneCharged(found)


def charged(owner: str, record_id: ObjectId) -> Charged:
    """Return what entries charge of a request or an order; `owner` tells which it is."""
    query = {
        f"parts.{owner}": record_id,
        "status": {"$ne": str(BillingStatus.VOID)},
    }
    parts = [
        part
        for entry in BillingEntry.collection().find(query, {"parts": 1})
        for part in entry["parts"]
        if part[owner] == record_id
    ]
    return Charged(
        {line["pane"] for part in parts for line in part.get("panes", ())},
        sum((as_decimal(part["net"]) for part in parts), Decimal(0)),
    )


def agree_on_new(request: Request, made: Sequence[Pane]) -> None:
    """Share out the agreed price of a new request among its new panes, all not stored yet.

    Panes that have a price, which is that of their quote, keep it. Without panes the price
    waits for them.
    """
    amount = _agreed(request)
    units = _units(made)
    if not amount or any(one.agreed_price is not None for one in units):
        return
    _share(request, amount, units)
    _set_sum(request, amount)


def agree(request: Request, amount: Decimal) -> None:
    """Agree on another price of a stored request, which the caller stores.

    It is shared out among the live panes that are not handed over, and waits for panes
    where there are none. What was charged or handed over stays, so the price is never
    less. The remarks of the request say what was done.
    """
    before = charged("request", request.pk)
    live = [
        one
        for one in Pane.find_many({"request": request.pk})
        if _is_open(one.stored_form(), before)
    ]
    noted = [as_decimal(one.agreed_price) for one in live if one.delivered_at]
    fixed = sum(noted, before.net)
    rest = max(rounded(amount) - fixed, Decimal(0))
    panes = [one for one in live if not one.delivered_at]
    _share(request, rest, panes)
    records.save_all([one for one in panes if one.is_changed])
    _set_sum(request, fixed + rest)
    request.remarks = [*request.remarks, *_remarks(fixed, rest, len(panes))]


def take_waiting(panes: Sequence[Pane]) -> None:
    """Give new panes of stored requests, not stored yet, their part of what waits for them.

    By the quantity of the request: the first of three panes takes a third, the last one
    the rest. One query, unless a price waits; of two that add panes at once to such a
    request the second one conflicts.
    """
    added: dict[ObjectId, list[Pane]] = defaultdict(list)
    for one in _units(panes):
        if one.request and one.agreed_price is None:
            added[one.request].append(one)
    if not added:
        return
    query = {"_id": {"$in": list(added)}, "unsharedPrice": {"$gt": 0}}
    for request in Request.find_many(query):
        take(request, added[request.pk])
        records.save_all([request])


def take(request: Request, panes: Sequence[Pane]) -> None:
    """Give new panes of a request, not stored yet, their part of the price that waits.

    As `take_waiting`; the caller stores the request.
    """
    waiting = as_decimal(request.unshared_price)
    new = [one for one in _units(panes) if one.agreed_price is None]
    if waiting <= 0 or not new:
        return
    known = {one.pk for one in new}
    rows = Pane.collection().find({"request": request.pk}, dict.fromkeys(COUNTED, 1))
    live = sum(rules.is_live(row) for row in rows if row["_id"] not in known)
    expected = int((request.details or {}).get("quantity") or 0) - live
    part = rules.part_of_expected(waiting, len(new), expected)
    _share(request, part, new)
    request.unshared_price = float(waiting - part)


def recount(request_ids: Iterable[ObjectId | None]) -> None:
    """Set the agreed prices of requests from their stored panes and entries.

    Three round trips, and one if a price has changed; one for requests without a price.
    """
    ids = [one for one in dict.fromkeys(request_ids) if one]
    if not ids:
        return
    priced = {"request": {"$in": ids}, "agreedPrice": {"$ne": None}}
    named = Request.find_many({"_id": {"$in": ids}})
    rows = list(Pane.collection().find(priced, dict.fromkeys((*COUNTED, "request"), 1)))
    has_price = {row["request"] for row in rows}
    found = [one for one in named if one.pk in has_price or _agreed(one)]
    for request in found:
        set_sum(request, [row for row in rows if row["request"] == request.pk])
    records.save_all([one for one in found if one.is_changed])


def requests_of(panes: Iterable[Pane]) -> set[ObjectId | None]:
    """Return the requests whose agreed price may change with whether these panes count."""
    return {one.request for one in panes if one.agreed_price}


def set_sum(request: Request, rows: Sequence[Raw] | None = None) -> None:
    """Set the agreed price of a request, which the caller stores.

    `rows` are its priced panes in stored form, if the caller has read them.
    """
    if rows is None:
        query = {"request": request.pk, "agreedPrice": {"$ne": None}}
        rows = list(Pane.collection().find(query, dict.fromkeys(COUNTED, 1)))
    before = charged("request", request.pk)
    open_ones = [
        as_decimal(row.get("agreedPrice")) for row in rows if _is_open(row, before)
    ]
    waiting = as_decimal(request.unshared_price)
    _set_sum(request, before.net + sum(open_ones, waiting))


def _set_sum(request: Request, amount: Decimal) -> None:
    details = request.details or {}
    if as_decimal(details.get("estimatedPrice")) != amount:
        request.details = {**details, "estimatedPrice": float(amount)}


def _is_open(pane: Raw, before: Charged) -> bool:
    return rules.is_live(pane) and not before.has(pane)


def _agreed(request: Request) -> Decimal:
    return rounded(as_decimal((request.details or {}).get("estimatedPrice")))


def _units(panes: Iterable[Pane]) -> list[Pane]:
    return [one for one in panes if one.laminate_role != LaminateRole.SHEET]


def _share(request: Request, amount: Decimal, panes: Sequence[Pane]) -> None:
    """Set the prices of panes to their shares of an amount, which waits without panes."""
    request.unshared_price = 0 if panes else float(amount)
    if not panes:
        return
    weights = _weights([one.stored_form() for one in panes], request)
    for one, share in zip(panes, rules.share_out(amount, weights), strict=True):
        one.agreed_price = float(share)


def _weights(panes: Sequence[Raw], request: Request) -> list[Decimal]:
    """Return the calculated prices of panes, their areas if one of them has no price."""
    prices = calculated(panes, customer=request.customer, request=request.pk)
    known = [one for one in prices.values() if one is not None]
    if len(known) == len(panes):
        return known
    return [as_decimal((one.get("dimensions") or {}).get("area")) for one in panes]


def _remarks(before: Decimal, rest: Decimal, count: int) -> list[FieldFault]:
    """Say what became of another price of a request."""
    said = []
    if count:
        said.append(texts.PRICE_SHARED_OUT.format(amount=f"{rest:,.2f}", count=count))
    elif rest:
        said.append(texts.PRICE_WAITS.format(amount=f"{rest:,.2f}"))
    if before:
        said.append(texts.PRICE_CHARGED.format(amount=f"{before:,.2f}"))
    return [{"field": FIELD, "message": one} for one in said]
