"""Which orders were complete by their deadlines, by the time in which these lay."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from glassflow.domain import calendar
from glassflow.domain.aliases import Raw
from glassflow.domain.orders import OrderStatus
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services.reports.period import Period


class Due(NamedTuple):
    """An order by the deadline of its request: a part of an order is late as a whole."""

    deadline: datetime
    was_on_time: bool


def due_orders(since: datetime, until: datetime) -> Iterator[Due]:
    """Yield the orders whose deadlines lay between two moments; cancelled ones are left out.

    Read from the records, as a deadline may be changed afterwards. Two queries.
    """
    within = {"$gte": since, "$lt": until}
    found = Request.collection().find({"deadline": within}, {"deadline": 1})
    deadlines = {row["_id"]: row["deadline"] for row in found}
    made: Raw = {
        "request": {"$in": list(deadlines)},
        "status": {"$ne": str(OrderStatus.CANCELLED)},
    }
    orders = Order.collection().find(made, {"request": 1, "completedAt": 1, "_id": 0})
    for row in orders:
        deadline, end = deadlines[row["request"]], row.get("completedAt")
        yield Due(deadline, end is not None and end <= deadline)


def read(days: int) -> dict[str, Any]:
    """Count the orders of the last days that were on time, and those of each week."""
    period = Period.of_last(days)
    weeks: dict[str, list[bool]] = {week: [] for week in period.weeks}
    of_period = []
    since = calendar.day_span(period.monday, period.zone).start
    for deadline, was_on_time in due_orders(since, period.now):
        day = calendar.in_zone(deadline, period.zone).date()
        weeks[period.week_of(day)].append(was_on_time)
        if day >= period.first:
            of_period.append(was_on_time)
    return {
        **period.named(),
        **_counts(of_period),
        "weeks": [{"week": week, **_counts(found)} for week, found in weeks.items()],
    }


def _counts(on_time: Collection[bool]) -> dict[str, int]:
    return {"orders": len(on_time), "onTime": sum(on_time)}
