"""The figures of the dashboard, counted by the store."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from glassflow.domain.panes.status import OPEN
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import IN_ORDER, Station
from glassflow.models.withdrawal import Withdrawal
from glassflow.services.reports import to_do
from glassflow.services.stock import low_stock

OPEN_STATUSES = sorted(map(str, OPEN))
# The steps of a chart: what they are, and how many.
RANGES: Mapping[str, tuple[Callable[..., list[datetime]], int]] = {
    "1d": (calendar.hour_starts, 24),
    "7d": (calendar.day_starts, 7),
    "30d": (calendar.day_starts, 30),
}


def stats(*, chart_range: str, may: Callable[[str], bool]) -> dict[str, Any]:
    """Return counts by status, by station and over time, and the low materials.

    `chart_range` is a key of `RANGES`. `may` tells whether the caller holds a key; what
    they could not read elsewhere is None.
    """
    sees_requests = may("requests:view")
    sees_withdrawals = may("withdrawals:view")
    sees_stock = may("materials:view") and may("inventory:view")
    return {
        "requests": by_status(Request, "status") if sees_requests else None,
        "orders": by_status(Order, "status"),
        "panes": by_status(Pane, "currentStatus"),
        "claims": by_status(Claim, "status") if may("claims:view") else None,
        "withdrawals": by_status(Withdrawal, "status") if sees_withdrawals else None,
        "stations": _stations(),
        "lowStock": _low_stock() if sees_stock else None,
        "toDo": to_do.read(may),
        "chartRange": chart_range,
        "chart": _chart(*RANGES[chart_range], requests=sees_requests),
    }


def _grouped(model: type[Record], match: Mapping[str, Any], by: Any) -> dict[Any, int]:
    pipeline: list[Mapping[str, Any]] = [
        {"$match": match},
        {"$group": {"_id": by, "count": {"$sum": 1}}},
    ]
    found = model._get_collection().aggregate(pipeline)
    return {row["_id"]: row["count"] for row in found}


def by_status(model: type[Record], field: str) -> dict[str, Any]:
    """Return `{total, byStatus}` of all records of a kind, without a status of none.

    A count for each status, which an index answers; a `$group` reads every record.
    """
    collection = model._get_collection()
    choices = next(f.choices for f in model._fields.values() if f.db_field == field)
    counts = {
        status: collection.count_documents({field: status})
        for status in map(str, choices)
    }
    found = {status: count for status, count in counts.items() if count}
    return {"total": sum(found.values()), "byStatus": found}


def _stations() -> list[dict[str, Any]]:
    """Count the open panes at each station, in the order of the stations."""
    # the status first, whose index leaves out the finished panes
    match = {"currentStatus": {"$in": OPEN_STATUSES}, "currentStation": {"$ne": None}}
    counts = _grouped(Pane, match, "$currentStation")
    found = Station._get_collection().find({}, {"name": 1, "status": 1}).sort(IN_ORDER)
    return [
        {
            "station": row["_id"],
            "name": row["name"],
            "status": row.get("status"),
            "panes": counts.get(row["_id"], 0),
        }
        for row in found
    ]


def _low_stock() -> list[dict[str, Any]]:
    return [
        {
            "material": row["_id"],
            "name": row["name"],
            "quantity": left,
            "reorderPoint": row["reorderPoint"],
        }
        for row, left in low_stock.shortages()
    ]


def _chart(
    steps_of: Callable[..., list[datetime]], count: int, *, requests: bool
) -> list[dict[str, Any]]:
    """Count created and finished panes, and with `requests` these too, in each step.

    Days and hours are those of the setting TIMEZONE.
    """
    steps = steps_of(clock.now(), runtime.current().policy.timezone, count)
    created = _over_time(Request, "createdAt", steps) if requests else {}
    series = {
        "panesCreated": _over_time(Pane, "createdAt", steps),
        "panesCompleted": _over_time(Pane, "completedAt", steps),
    }
    return [
        {
            "from": iso(moment),
            "requestsCreated": created.get(moment, 0) if requests else None,
            **{name: counts.get(moment, 0) for name, counts in series.items()},
        }
        for moment in steps
    ]


def _over_time(
    model: type[Record], field: str, steps: Sequence[datetime]
) -> dict[datetime, int]:
    """Count the records whose time lies in each step, by when the step begins."""
    end = steps[-1] + timedelta(days=2)
    bucket = {
        "groupBy": f"${field}",
        "boundaries": [*steps, end],
        "output": {"count": {"$sum": 1}},
    }
    match = {field: {"$gte": steps[0], "$lt": end}}
    rows = model._get_collection().aggregate([{"$match": match}, {"$bucket": bucket}])
    return {row["_id"]: row["count"] for row in rows}
