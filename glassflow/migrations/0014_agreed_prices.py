"""Panes keep what was agreed for them, which earlier releases shared out at each hand-over."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId
from pymongo import UpdateOne

from glassflow.domain.agreed_prices import is_live, share_out
from glassflow.domain.billing import BillingStatus
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.orders import RequestStatus
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import agreed_prices, prepare

Raw = Mapping[str, Any]
OWNERS = {"request": Request, "order": Order}
FIELDS = dict.fromkeys(
    (
        *agreed_prices.PRICED_BY,
        *agreed_prices.COUNTED,
        "remakeOf",
        "parentPane",
        "cancelledFrom",
    ),
    1,
)


def up(db: Any) -> None:
    """Share out what entries charge, and what requests are agreed at and not charged yet.

    By the rules of the releases before: panes by their calculated prices, by their areas
    where one has none; remakes of delivered panes are free. Each entry keeps its amount. A
    request that was agreed at more, or less, than its panes can take keeps the rest as
    `unsharedPrice`. The records keep their versions, and no event is sent.
    """
    prepare.drop(db["billing_entries"], "delivery_1")  # it was unique
    entries = BillingEntry.collection()
    shared = {"parts.panes": {"$exists": True}}
    open_entries = {"status": {"$ne": str(BillingStatus.VOID)}, "$nor": [shared]}
    for entry in list(entries.find(open_entries).sort("deliveredAt", 1)):
        parts = [_with_panes(part, entry) for part in entry["parts"]]
        entries.update_one({"_id": entry["_id"]}, {"$set": {"parts": parts}})
    requests = Request.collection()
    fields = {"details": 1, "status": 1}
    for row in list(requests.find({"unsharedPrice": {"$exists": False}}, fields)):
        changed = _share_rest(row)
        requests.update_one({"_id": row["_id"]}, {"$set": changed})


def _with_panes(part: Raw, entry: Raw) -> dict[str, Any]:
    """Return a part of an entry with its panes, whose prices are stored."""
    owner = "request" if part["request"] else "order"
    panes = _panes_of(owner, part[owner])
    before = agreed_prices.charged(owner, part[owner]).panes
    delivery = Delivery.collection().find_one({"_id": entry["delivery"]}) or {}
    delivered = [panes[one] for one in delivery.get("panes", ()) if one in panes]
    paid = [one for one in delivered if not _is_free(one, panes, before)]
    prices = _shares(as_decimal(part["net"]), paid, owner, part[owner])
    charged = {*before, *(one["_id"] for one in delivered)}
    free = [
        one["_id"]
        for one in panes.values()
        if one["_id"] not in prices and _is_free(one, panes, charged)
    ]
    _store({**dict.fromkeys(free, Decimal(0)), **prices})
    lines = [
        {"pane": one["_id"], "net": float(prices.get(one["_id"], 0))}
        for one in delivered
    ]
    return {**part, "panes": lines}


def _share_rest(request: Raw) -> dict[str, Any]:
    """Store the prices of the panes that no entry charges; return what the request keeps."""
    charged = agreed_prices.charged("request", request["_id"])
    details = request.get("details") or {}
    agreed = rounded(as_decimal(details.get("estimatedPrice")))
    if not agreed:  # the sum of what was charged
        net = float(charged.net)
        return {"unsharedPrice": 0, "details": {**details, "estimatedPrice": net}}
    panes = _panes_of("request", request["_id"])
    is_cancelled = request.get("status") == RequestStatus.CANCELLED
    paid = [
        one
        for one in panes.values()
        if _is_open(one, is_cancelled=is_cancelled)
        and one["_id"] not in charged.panes
        and not _is_free(one, panes, charged.panes)
    ]
    rest = agreed - charged.net
    prices = _shares(max(rest, Decimal(0)), paid, "request", request["_id"])
    _store(prices)
    waiting = rest - sum(prices.values())
    live = [prices[one["_id"]] for one in paid if is_live(one)]
    total = charged.net + sum(live, waiting)  # cancelled ones return with their prices
    kept = {**details, "estimatedPrice": float(total)}
    return {"unsharedPrice": float(waiting), "details": kept}


def _panes_of(owner: str, record_id: ObjectId) -> dict[ObjectId, Raw]:
    rows = Pane.collection().find({owner: record_id}, FIELDS)
    return {row["_id"]: row for row in rows}


def _is_open(pane: Raw, *, is_cancelled: bool) -> bool:
    """Return whether a pane is a live unit, or will be when its request is restored."""
    if is_cancelled and pane.get("cancelledFrom"):
        return pane.get("laminateRole") != LaminateRole.SHEET
    return is_live(pane)


def _is_free(pane: Raw, panes: Mapping[Any, Raw], charged: Collection[Any]) -> bool:
    """Return whether a pane is the remake of a charged one; a laminated pane as its unit."""
    replaced = _replaced(pane, panes)
    while replaced is not None and replaced not in charged:
        replaced = _replaced(panes.get(replaced, {}), panes)
    return replaced is not None


def _replaced(pane: Raw, panes: Mapping[Any, Raw]) -> Any:
    unit = panes.get(pane.get("parentPane"), {})
    return pane.get("remakeOf") or unit.get("remakeOf")


def _shares(
    amount: Decimal, panes: Sequence[Raw], owner: str, job: ObjectId
) -> dict[ObjectId, Decimal]:
    if not panes:
        return {}
    shares = share_out(amount, _weights(panes, owner, job))
    return {one["_id"]: n for one, n in zip(panes, shares, strict=True)}


def _weights(panes: Sequence[Raw], owner: str, job: ObjectId) -> list[Decimal]:
    record = OWNERS[owner].collection().find_one({"_id": job}, {"customer": 1}) or {}
    prices = agreed_prices.calculated(
        panes,
        customer=record.get("customer"),
        request=job if owner == "request" else None,
    )
    known = [price for price in prices.values() if price is not None]
    if len(known) == len(panes):
        return known
    return [as_decimal((one.get("dimensions") or {}).get("area")) for one in panes]


def _store(prices: Mapping[ObjectId, Decimal]) -> None:
    writes = [
        UpdateOne({"_id": pane}, {"$set": {"agreedPrice": float(price)}})
        for pane, price in prices.items()
    ]
    if writes:
        Pane.collection().bulk_write(writes)
