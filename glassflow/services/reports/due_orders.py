"""Open orders by the deadlines of their requests, nearest first."""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.orders import OPEN_ORDERS
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services import lists

SOON = timedelta(days=2)
OPEN = sorted(map(str, OPEN_ORDERS))


class Due(StrEnum):
    """Which open orders: late, due until the end of today, within `SOON`, or all of them.

    Those of today are also due within `SOON`.
    """

    LATE = "late"
    TODAY = "today"
    SOON = "soon"
    OPEN = "open"


class DuePage(NamedTuple):
    """The stored orders of a page, how many open orders each `Due` has, and `all` orders."""

    rows: list[dict[str, Any]]
    counts: Mapping[str, int]


class OpenOrders(NamedTuple):
    """Open orders with their deadlines, and the estimated price of their requests in baht."""

    deadlines: Mapping[ObjectId, datetime | None]
    value: float

    def of(self, due: Due) -> list[ObjectId]:
        """Return the ids of those that a `Due` has."""
        if due == Due.OPEN:
            return list(self.deadlines)
        span = _span(due)
        return [
            order
            for order, deadline in self.deadlines.items()
            if deadline is not None and span.start <= deadline < span.end
        ]

    def counts(self) -> dict[Due, int]:
        """Return how many each `Due` has."""
        return {due: len(self.of(due)) for due in Due}


def read_due_orders(
    condition: dict[str, Any], due: Due, *, skip: int, limit: int
) -> DuePage:
    """Return a page of the open orders that meet a further condition of the store.

    Orders without a deadline come last. Four round trips: the open orders with their
    requests only, the deadlines, the page, and the count of all orders.
    """
    found = read_open_orders(condition)
    listed = sorted(
        found.of(due),
        key=lambda order: (found.deadlines[order] or datetime.max, order),
    )
    ids = listed[skip : skip + limit]
    orders = Order.collection()
    stored = {row["_id"]: row for row in orders.find({"_id": {"$in": ids}})}
    rows = [stored[order] for order in ids if order in stored]  # not deleted meanwhile
    counts = {str(due): count for due, count in found.counts().items()}
    counts["all"] = orders.count_documents(condition)
    return DuePage(rows, counts)


def condition(due: Due) -> dict[str, Any]:
    """Return the condition of the store that only these orders meet."""
    if due == Due.OPEN:
        return {"status": {"$in": OPEN}}
    return {"_id": {"$in": read_open_orders({}).of(due)}}


def read_open_orders(condition: dict[str, Any]) -> OpenOrders:
    """Return the open orders that meet a further condition, in two round trips."""
    query = lists.all_of([condition, {"status": {"$in": OPEN}}])
    found = Order.collection().find(query, {"request": 1})
    request_of = {row["_id"]: row.get("request") for row in found}
    wanted = {"_id": {"$in": list({one for one in request_of.values() if one})}}
    shown = {"deadline": 1, "details.estimatedPrice": 1}
    requests = {row["_id"]: row for row in Request.collection().find(wanted, shown)}
    prices = (
        request.get("details", {}).get("estimatedPrice")
        for request in requests.values()
    )
    return OpenOrders(
        deadlines={
            order: requests.get(request, {}).get("deadline")
            for order, request in request_of.items()
        },
        value=round(math.fsum(price or 0 for price in prices), 2),
    )


def _span(due: Due) -> calendar.Span:
    """Return when the deadlines of a `Due` lie; those of `OPEN` lie anywhere."""
    now = clock.now()
    if due == Due.LATE:
        return calendar.Span(datetime.min, now)
    if due == Due.TODAY:
        zone = runtime.current().policy.timezone
        return calendar.Span(now, calendar.day_start(now, zone, 1))
    return calendar.Span(now, now + SOON)
