"""What was agreed for the panes of requests, in baht before VAT: `Pane.agreed_price`.

A pane gets its price once: its part of a quote that is accepted, its share of a price that
is agreed for its request, or the price of the list when it is handed over. The price goes
where the pane goes: to its remake, to the pane that it is laminated to, to another request.

The agreed price of a request (`details.estimatedPrice`) is what billing entries charge of
it, the prices of its live panes that none has charged, and `unshared_price`. That is agreed
and waits for panes: a price may be agreed before the panes are entered.

A pane that is added to a request with an agreed price gets its own, and a pane that is
changed keeps its price and what the change costs: by the terms of the quote, else by those
of today. Where nothing was agreed, panes have no price before they are handed over. `note`
keeps each such change with the request.

Whoever changes which panes count calls `recount`, inside the same unit of work. Two units
of work that change the sum of one request both write it, so one of them repeats and sees
what the other has stored.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core import actor as actors
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.domain import agreed_prices as rules
from glassflow.domain import texts
from glassflow.domain.agreed_prices import ChangeKind
from glassflow.domain.aliases import May, Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.errors import Conflict, FieldFault, Invalid
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.domain.quotes import QuoteKind
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.models.worker import Worker
from glassflow.services import discount_limit, pricing, records
from glassflow.services.pricing import Terms
from glassflow.services.records.restricted_fields import may_read

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
# What tells people what a pane is, and what the note of a change says of it.
DESCRIBED_BY = ("dimensions", "rawGlass", "glassTypeLabel", "glassType", "jobType")
CHANGED_BY = (
    *PRICED_BY, "mark", "cornerSpec", "dimensionTolerance", "material", "notes",
)  # fmt: skip


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
    panes: Sequence[Raw],
    *,
    customer: ObjectId | None,
    request: ObjectId | None = None,
    by_quantity: bool = False,
    listed: bool = False,
) -> dict[ObjectId, Decimal | None]:
    """Return what each of some stored panes would cost, None where that is not known.

    In baht before VAT, with the discount. Panes of a quote, which its request tells, are
    priced by its terms, rush and discount, others by the terms of today. With
    `by_quantity`, equal panes have the price of so many. With `listed`, no discount is
    taken.
    """
    quote = quote_of(request) if request else None
    of_quote: dict[str, Any] = {}
    if quote and quote.terms:
        terms = Terms.from_stored(quote.terms)
        of_quote = {"is_rush": quote.is_rush, "discount": quote.discount_percent}
    else:
        terms = pricing.terms_for(customer)
    if listed:
        of_quote["discount"] = 0
    shapes = {one["_id"]: _shape(one) for one in panes}
    keys = {one: encode(shape) for one, shape in shapes.items()}
    counts = Counter(keys.values())
    distinct = {keys[one]: shape for one, shape in shapes.items()}
    if by_quantity:
        distinct = {
            key: {**shape, "quantity": counts[key]} for key, shape in distinct.items()
        }
    priced = pricing.net_prices(list(distinct.values()), terms=terms, **of_quote)
    known = dict(zip(distinct, priced, strict=True))
    return {one: known[key] for one, key in keys.items()}


def quote_of(request: ObjectId) -> Quote | None:
    """Return the quote whose acceptance has created a request, None without one."""
    of_request = {"request": request, "kind": {"$ne": str(QuoteKind.CONFIRMATION)}}
    return Quote.find_one(of_request)


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


def find_charged(panes: Iterable[Pane]) -> set[ObjectId]:
    """Return the ids of the panes that a billing entry charges.

    One query for each request or order whose panes have a price.
    """
    known: dict[tuple[str, Any], Charged] = {}
    rows = [pane.stored_form() for pane in panes if pane.agreed_price != 0]
    return {row["_id"] for row in rows if _of_job(row, known).has(row)}


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


def agree_on_new(
    request: Request, made: Sequence[Pane], *, actor: Identity | None
) -> None:
    """Share out the agreed price of a new request among its new panes, all not stored yet.

    Panes that have a price, which is that of their quote, keep it. Without panes the price
    waits for them. Raises `Invalid` for a price that the actor may not give.
    """
    amount = _agreed(request)
    units = _units(made)
    if not amount or any(one.agreed_price is not None for one in units):
        return
    _require_granted(request, amount, units, actor)
    _share(request, amount, units)
    _set_sum(request, amount)


def agree(
    request: Request, amount: Decimal, *, before: Decimal, actor: Identity
) -> None:
    """Agree on another price of a stored request, which the caller stores.

    Raises `Invalid` for one that is lower than `before`, and lower than the actor may give.

    It is shared out among the live panes that are not handed over, and waits for panes
    where there are none. What was charged or handed over stays, so the price is never
    less. The remarks of the request say what was done.
    """
    done = charged("request", request.pk)
    live = [
        one
        for one in Pane.find_many({"request": request.pk})
        if _is_open(one.stored_form(), done)
    ]
    noted = [as_decimal(one.agreed_price) for one in live if one.delivered_at]
    fixed = sum(noted, done.net)
    rest = max(rounded(amount) - fixed, Decimal(0))
    panes = [one for one in live if not one.delivered_at]
    if amount < before or not before:
        _require_granted(request, rest, panes, actor, fixed=fixed)
    _share(request, rest, panes)
    records.store(*panes)
    _set_sum(request, fixed + rest)
    request.remarks = [*request.remarks, *_remarks(fixed, rest, len(panes))]


def _require_granted(
    request: Request,
    amount: Decimal,
    panes: Sequence[Pane],
    actor: Identity | None,
    *,
    fixed: Decimal = Decimal(0),
) -> None:
    """Raise `Invalid` for a price of open panes that is lower than the actor may give.

    It is compared with what the list has for them, which says nothing of panes without a
    price in the list, nor before there are panes. `fixed` is what the price of the
    request has besides. An `actor` of None is the service.
    """
    if actor is None or actor.may(discount_limit.KEY) or not panes:
        return
    customer = Customer.find_one({"_id": request.customer})
    of_customer = float(customer.discount or 0) if customer else 0.0
    rows = [one.stored_form() for one in panes]
    prices = calculated(
        rows,
        customer=request.customer,
        request=request.pk,
        by_quantity=True,
        listed=True,
    )
    listed = sum((one for one in prices.values() if one is not None), Decimal(0))
    most = discount_limit.most_percent(of_customer)
    least = discount_limit.lowest(listed, most)
    if faults := list(
        discount_limit.faults_of_price(FIELD, amount + fixed, least + fixed)
    ):
        raise Invalid(faults)


def price_added(panes: Sequence[Pane], *, may: May | None = None) -> None:
    """Give panes that are added to stored requests their prices; the caller stores them.

    Where nothing was agreed they get none. What they add to an agreed price is noted with
    the request; for a caller who `may` be shown prices the remarks say it. One query, unless a price was agreed
    for one of the requests; of two that add panes at once to such a request the second one
    conflicts.
    """
    added: dict[ObjectId, list[Pane]] = defaultdict(list)
    for one in _units(panes):
        if one.request and one.agreed_price is None:
            added[one.request].append(one)
    if not added:
        return
    query = {"_id": {"$in": list(added)}, "details.estimatedPrice": {"$gt": 0}}
    for request in Request.find_many(query):
        before, made = _agreed(request), added[request.pk]
        lines = price_new(request, made)
        if _agreed(request) != before:
            note(request, lines, before=before)
        if may and may_read("Pane", may):
            said = remarks_of(before, _agreed(request))
            made[0].remarks = [*made[0].remarks, *said]
        records.store(request, even_unchanged=True)


def price_new(request: Request, panes: Sequence[Pane]) -> list[Raw]:
    """Give new panes of a request their prices, and add what they cost to its price.

    A price that waits for panes is shared out first, by the quantity of the request: the
    first of three panes takes a third, the last one the rest. Returns the lines that `note`
    takes. The caller stores the request.
    """
    new = [one for one in _units(panes) if one.agreed_price is None]
    if not _agreed(request) or not new:
        return [line(ChangeKind.ADDED, one, None) for one in _units(panes)]
    waiting = as_decimal(request.unshared_price)
    if waiting > 0:
        _take(request, new, waiting)
        return [line(ChangeKind.ADDED, one, None) for one in _units(panes)]
    rows = [one.stored_form() for one in new]
    prices = calculated(
        rows, customer=request.customer, request=request.pk, by_quantity=True
    )
    lines, total = [], Decimal(0)
    for one in new:
        price = prices[one.pk]
        if price is not None:
            one.agreed_price = float(rounded(price))
            total += rounded(price)
        lines.append(line(ChangeKind.ADDED, one, price and rounded(price)))
    _set_sum(request, _agreed(request) + total)
    return lines


def _take(request: Request, new: Sequence[Pane], waiting: Decimal) -> None:
    known = {one.pk for one in new}
    rows = Pane.collection().find({"request": request.pk}, dict.fromkeys(COUNTED, 1))
    live = sum(rules.is_live(row) for row in rows if row["_id"] not in known)
    expected = int((request.details or {}).get("quantity") or 0) - live
    part = rules.part_of_expected(waiting, len(new), expected)
    _share(request, part, new)
    request.unshared_price = float(waiting - part)


def reprice(
    panes: Sequence[Pane], before: Mapping[ObjectId, Raw]
) -> dict[ObjectId, Decimal | None]:
    """Add to the prices of changed panes of one request what the changes cost.

    `before` are the panes in stored form, by id. A price never falls below 0. Returns the
    difference of each pane with a price in baht, None where its price before or after is
    not known. The caller stores the panes.
    """
    priced = [
        one
        for one in panes
        if one.request
        and one.agreed_price is not None
        and not one.changed_fields().isdisjoint(PRICED_BY)
        and rules.is_live(one.stored_form())
    ]
    if not priced:
        return {}
    request_id = priced[0].request
    assert request_id  # those without one are left out
    request = Request.find_one({"_id": request_id})
    done = charged("request", request_id)
    priced = [one for one in priced if not done.has(one.stored_form())]
    if not priced:
        return {}
    terms: dict[str, Any] = {
        "customer": request.customer if request else None,
        "request": request_id,
        "by_quantity": True,
    }
    old = calculated([before[one.pk] for one in priced], **terms)
    new = calculated([one.stored_form() for one in priced], **terms)
    differences: dict[ObjectId, Decimal | None] = {}
    for one in priced:
        was, now = old[one.pk], new[one.pk]
        if was is None or now is None:
            differences[one.pk] = None
            continue
        agreed = as_decimal(one.agreed_price)
        price = max(agreed + rounded(now) - rounded(was), Decimal(0))
        one.agreed_price = float(price)
        differences[one.pk] = price - agreed
    return differences


def line(
    kind: ChangeKind,
    pane: Pane,
    difference: Decimal | None,
    *,
    before: Raw | None = None,
) -> Raw:
    """Return what happened to a pane as `note` takes it; `before` is its stored form.

    An added pane is told by what it is, a changed one by its fields before and after.
    """
    now = pane.stored_form()
    names = {
        ChangeKind.ADDED: DESCRIBED_BY,
        ChangeKind.CHANGED: CHANGED_BY,
    }.get(kind, ())
    was = before or {}
    fields = [
        {"field": name, "from": _told(was.get(name)), "to": _told(now.get(name))}
        for name in names
        if (was.get(name) or None) != (now.get(name) or None)
    ]
    amount = float(difference) if difference else 0
    return {
        "kind": str(kind),
        "panes": [pane.pane_number],
        "fields": fields,
        "difference": amount,
    }


def _told(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: v for k, v in value.items() if k != "area" and v not in (None, "")}
    return value or None


def note(
    request: Request,
    lines: Iterable[Raw],
    *,
    before: Decimal,
    reason: str = "",
    begun: Sequence[str] = (),
) -> Raw:
    """Keep a change of panes with their request, which the caller stores; return it.

    `before` is what was agreed before, in baht. Panes to which the same happened share a
    line. `begun` are the numbers of the panes that were begun.
    """
    merged: dict[bytes, dict[str, Any]] = {}
    for one in lines:
        key = encode([one["kind"], one["fields"]])
        known = merged.setdefault(key, {**one, "panes": [], "difference": 0})
        known["panes"] = [*known["panes"], *one["panes"]]
        total = as_decimal(known["difference"]) + as_decimal(one["difference"])
        known["difference"] = float(total)
    worker = actors.current().by
    found = Worker.find_one({"_id": worker}) if worker else None
    kept = {
        "number": len(request.changes) + 1,
        "at": clock.now(),
        "by": found.name if found else "",
        "reason": reason,
        "before": float(before),
        "after": float(_agreed(request)),
        "lines": list(merged.values()),
        "begun": list(begun),
    }
    request.changes = [*request.changes, kept]
    return kept


def note_of_pane(
    pane: Pane,
    stored: Raw,
    differences: Mapping[ObjectId, Decimal | None],
    *,
    reason: str,
    may: May,
) -> None:
    """Set the sum of the request of a changed pane, which is stored, and note the change.

    `stored` is the pane before, `differences` are those of `reprice`. The remarks of the
    pane say what it costs, to a caller who is shown prices. Nothing is read for a pane
    whose price does not change, and goes on to count or not.
    """
    was, now = stored["currentStatus"], pane.current_status
    if pane.agreed_price is None or (was == now and not differences):
        return
    request = Request.find_one({"_id": pane.request}) if pane.request else None
    if request is None:
        return
    before = _agreed(request)
    set_sum(request)
    total = _agreed(request) - before
    lines = []
    for one in differences.values():
        lines.append(line(ChangeKind.CHANGED, pane, one, before=stored))
        total -= one or 0
    if was != now and Status.CANCELLED in (was, now):
        is_cancelled = now == Status.CANCELLED
        kind = ChangeKind.CANCELLED if is_cancelled else ChangeKind.RESTORED
        lines.append(line(kind, pane, total))
    if lines:
        note(request, lines, before=before, reason=reason)
    records.store(request)
    if may_read("Pane", may):
        pane.remarks = [*pane.remarks, *remarks_of(before, _agreed(request))]


def remarks_of(before: Decimal, after: Decimal) -> list[FieldFault]:
    """Say by how much the agreed price of a request has changed."""
    if before == after:
        return []
    difference = f"{after - before:+,.2f}".replace("-", "\u2212")
    text = texts.AGREED_PRICE_CHANGED.format(
        difference=difference, amount=f"{after:,.2f}"
    )
    return [{"field": FIELD, "message": text}]


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
    records.store(*found)


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
