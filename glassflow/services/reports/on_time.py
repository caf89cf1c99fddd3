"""Which orders were complete by their deadlines, by the time in which these lay."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from glassflow.domain.aliases import Raw
from glassflow.domain.orders import OrderStatus
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services.reports.weeks import Weeks


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
    weeks = Weeks.of_last(days)
    orders = dict.fromkeys(weeks.mondays, 0)
    on_time = dict.fromkeys(weeks.mondays, 0)
    counted, counted_on_time = 0, 0
    for deadline, was_on_time in due_orders(weeks.start, weeks.now):
        week = weeks.of(deadline)
        orders[week] += 1
        on_time[week] += was_on_time
        if deadline >= weeks.period_start:
            counted += 1
            counted_on_time += was_on_time
    return {
        "days": days,
        "from": weeks.first.isoformat(),
        "orders": counted,
        "onTime": counted_on_time,
        "weeks": [
            {"week": week, "orders": orders[week], "onTime": on_time[week]}
            for week in weeks.mondays
        ],
    }
