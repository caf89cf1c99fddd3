"""Open orders by the deadlines of their requests, nearest first."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.orders import CLOSED_ORDERS, OrderStatus
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services import lists

SOON = timedelta(days=2)
OPEN = sorted(set(map(str, OrderStatus)) - set(map(str, CLOSED_ORDERS)))


class Due(StrEnum):
    """Which open orders: past their deadline, due within `SOON`, or all of them."""

    LATE = "late"
    SOON = "soon"
    OPEN = "open"


class DuePage(NamedTuple):
    """The stored orders of a page, and how many open orders each `Due` has."""

    rows: list[dict[str, Any]]
    counts: Mapping[str, int]


def read_due_orders(
    condition: dict[str, Any], due: Due, *, skip: int, limit: int
) -> DuePage:
    """Return a page of the open orders that meet a further condition of the store.

    Orders without a deadline come last. Three round trips: the open orders with their
    requests only, the deadlines, and the page.
    """
    by_due, moment = _open_orders(condition), clock.now()
    counts = Counter(_due(deadline, moment) for deadline in by_due.values())
    listed = sorted(
        _chosen(by_due, due, moment),
        key=lambda order: (by_due[order] is None, by_due[order] or moment, order),
    )
    ids = listed[skip : skip + limit]
    orders = Order._get_collection()
    found = {row["_id"]: row for row in orders.find({"_id": {"$in": ids}})}
    rows = [found[order] for order in ids if order in found]  # not deleted meanwhile
    return DuePage(rows, {**{one: counts[one] for one in Due}, Due.OPEN: len(by_due)})


def condition(due: Due) -> dict[str, Any]:
    """Return the condition of the store that only these orders meet."""
    if due == Due.OPEN:
        return {"status": {"$in": OPEN}}
    return {"_id": {"$in": list(_chosen(_open_orders({}), due, clock.now()))}}


def _open_orders(condition: dict[str, Any]) -> dict[ObjectId, datetime | None]:
    """Return the deadlines of open orders, in two round trips."""
    query = lists.all_of([condition, {"status": {"$in": OPEN}}])
    found = Order._get_collection().find(query, {"request": 1})
    requests = {row["_id"]: row.get("request") for row in found}
    deadlines = _deadlines({one for one in requests.values() if one})
    return {
        order: deadlines.get(request) if request else None
        for order, request in requests.items()
    }


def _chosen(
    by_due: Mapping[ObjectId, datetime | None], due: Due, moment: datetime
) -> Iterator[ObjectId]:
    for order, deadline in by_due.items():
        if due in (Due.OPEN, _due(deadline, moment)):
            yield order


def _deadlines(requests: set[ObjectId]) -> dict[ObjectId, datetime | None]:
    query = {"_id": {"$in": list(requests)}, "deadline": {"$ne": None}}
    found = Request._get_collection().find(query, {"deadline": 1})
    return {row["_id"]: row["deadline"] for row in found}


def _due(deadline: datetime | None, moment: datetime) -> Due:
    if deadline is None or deadline >= moment + SOON:
        return Due.OPEN
    return Due.LATE if deadline < moment else Due.SOON
