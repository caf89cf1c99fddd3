"""Which orders were complete by their deadlines, by the time in which these lay."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from glassflow.domain import calendar
from glassflow.domain.aliases import Raw
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services.reports import due_orders
from glassflow.services.reports.period import Period

LONG = timedelta(days=30)  # most requests are not older when they are due


OF_ORDER = ("request", "completedAt", "panesCompleted", "panesDelivered")


class Due(NamedTuple):
    """An order by the deadline of its request: a part of an order is late as a whole."""

    deadline: datetime
    was_on_time: bool


def completed_since(moment: datetime) -> list[Raw]:
    """Read the orders that have been complete since a moment, with what is made of them."""
    return list(Order.collection().find({"completedAt": {"$gte": moment}}, OF_ORDER))


def of_deadlines(
    since: datetime, until: datetime, completed: Sequence[Raw] | None = None
) -> Iterator[Due]:
    """Yield the orders whose deadlines lay between two moments; cancelled ones are left out.

    Read from the records, as a deadline may be changed afterwards. Four queries, which read
    what the time has, however old the workshop is; three for a caller that has `completed`,
    the orders that have been complete since `LONG` before.
    """
    within = {"$gte": since, "$lt": until}
    shown = {"deadline": 1, "createdAt": 1}
    found = list(Request.collection().find({"deadline": within}, shown))
    deadlines = {row["_id"]: row["deadline"] for row in found}
    # The orders of many requests are read by when they were complete: by their requests
    # takes the embedded store three times as long.
    recent = since - LONG
    older = [row["_id"] for row in found if row["createdAt"] < recent]
    if completed is None:
        completed = completed_since(recent)
    others: list[Raw] = [{"status": {"$in": due_orders.OPEN}}]
    if older:
        earlier = {"request": {"$in": older}, "completedAt": {"$lt": recent}}
        others.append(earlier)
    find = partial(Order.collection().find, projection=OF_ORDER)
    for row in chain(completed, *map(find, others)):
        deadline, end = deadlines.get(row.get("request")), row.get("completedAt")
        if deadline is not None:
            yield Due(deadline, end is not None and end <= deadline)


def read(days: int) -> dict[str, Any]:
    """Count the orders of the last days that were on time, and those of each week."""
    period = Period.of_last(days)
    weeks: dict[str, list[bool]] = {week: [] for week in period.weeks}
    of_period = []
    since = calendar.day_span(period.monday, period.zone).start
    for deadline, was_on_time in of_deadlines(since, period.now):
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
