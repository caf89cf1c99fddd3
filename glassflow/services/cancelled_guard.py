"""Nothing is added to a cancelled order or request.

A use case that adds to them calls `require_open`, which also writes them: it conflicts
with a cancellation at the same time (see `core.store.locks`), so exactly one of the two happens.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services.records import lookup

CANCELLED = {
    Order: str(OrderStatus.CANCELLED),
    Request: str(RequestStatus.CANCELLED),
}


class OrderCancelled(Refusal):
    """The order is cancelled, so nothing can be added to it.

    `closed` are the ids for which this is refused, where the caller gave several.
    """

    code = "ORDER_CANCELLED"

    def __init__(self, closed: Collection[ObjectId] = ()) -> None:
        super().__init__(texts.ORDER_CANCELLED)
        self.closed = closed


class RequestCancelled(Refusal):
    """The request is cancelled, so nothing can be added to it or to its orders.

    `closed` are the ids of requests and orders for which this is refused.
    """

    code = "REQUEST_CANCELLED"

    def __init__(self, closed: Collection[ObjectId] = ()) -> None:
        super().__init__(texts.REQUEST_CANCELLED)
        self.closed = closed


def require_open(
    *,
    orders: Iterable[ObjectId | None] = (),
    requests: Iterable[ObjectId | None] = (),
) -> None:
    """Raise the refusal if one of these, or the request of an order, is cancelled.

    Ids of None are left out. Three round trips at most, one without orders.
    """
    order_ids, request_ids = set(orders) - {None}, set(requests) - {None}
    request_of = _requests_of(order_ids) if order_ids else {}
    request_ids |= set(request_of.values()) - {None}
    if not _all_open(Order, order_ids):
        raise OrderCancelled(_cancelled(Order, order_ids))
    if not _all_open(Request, request_ids):
        closed = _cancelled(Request, request_ids)
        theirs = {order for order, one in request_of.items() if one in closed}
        raise RequestCancelled(closed | theirs)


def _requests_of(
    order_ids: set[ObjectId | None],
) -> dict[ObjectId, ObjectId | None]:
    return lookup.field_of(Order, "request", order_ids)


def _all_open(model: type[Record], ids: set[ObjectId | None]) -> bool:
    wanted = [one for one in ids if one is not None]
    condition = {"status": {"$ne": CANCELLED[model]}}
    return locks.touch(model, wanted, condition) == len(wanted)


def _cancelled(model: type[Record], ids: set[ObjectId | None]) -> set[ObjectId]:
    query = {"_id": {"$in": list(ids)}, "status": CANCELLED[model]}
    return {row["_id"] for row in model.collection().find(query, {"_id": 1})}


def find_cancelled(
    model: type[Record], ids: Iterable[ObjectId | None]
) -> dict[ObjectId, ObjectId]:
    """Return which of these orders or requests are cancelled; writes them too.

    By id: what each was cancelled by, its own id or that of its request.
    """
    wanted = [one for one in set(ids) if one is not None]
    if not wanted:
        return {}
    locks.touch(model, wanted)
    query = {"_id": {"$in": wanted}, "status": CANCELLED[model]}
    found: dict[ObjectId, ObjectId] = {}
    for row in model.collection().find(query, {"cancelledFrom": 1}):
        kept: Mapping[str, Any] = row.get("cancelledFrom") or {}
        found[row["_id"]] = kept.get("by", row["_id"])
    return found
