"""The figures of the dashboard, counted by the store over the whole workshop."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from glassflow.core import clock
from glassflow.core.json import iso
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.models.withdrawal import Withdrawal
from glassflow.services.queues import WAITING

# How long a chart reaches back, and how long each of its steps is.
RANGES: Mapping[str, tuple[timedelta, timedelta]] = {
    "1d": (timedelta(days=1), timedelta(hours=1)),
    "7d": (timedelta(days=7), timedelta(days=1)),
    "30d": (timedelta(days=30), timedelta(days=1)),
}


def stats(*, chart_range: str) -> dict[str, Any]:
    """Count the workshop: by status, by station, over time, and what runs low.

    `chart_range` is a key of `RANGES`.
    """
    return {
        "requests": _by_status(Request, "status"),
        "orders": _by_status(Order, "status"),
        "panes": _by_status(Pane, "currentStatus"),
        "claims": _by_status(Claim, "status"),
        "withdrawals": _by_status(Withdrawal, "status"),
        "stations": _stations(),
        "lowStock": _low_stock(),
        "chartRange": chart_range,
        "chart": _chart(*RANGES[chart_range]),
    }


def _grouped(model: type[Record], match: Mapping[str, Any], by: Any) -> dict[Any, int]:
    pipeline: list[Mapping[str, Any]] = [
        {"$match": match},
        {"$group": {"_id": by, "count": {"$sum": 1}}},
    ]
    found = model._get_collection().aggregate(pipeline)
    return {row["_id"]: row["count"] for row in found}


def _by_status(model: type[Record], field: str) -> dict[str, Any]:
    counts = _grouped(model, {}, f"${field}")
    named = {str(status): count for status, count in counts.items()}
    return {"total": sum(counts.values()), "byStatus": named}


def _stations() -> list[dict[str, Any]]:
    """What stands at each station, by its name."""
    match = {"currentStation": {"$ne": None}, "currentStatus": {"$in": WAITING}}
    counts = _grouped(Pane, match, "$currentStation")
    found = Station._get_collection().find({}, {"name": 1, "status": 1}).sort("name")
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
    """Materials of which all active lots together hold less than the reorder point."""
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"isActive": True}},
        {"$group": {"_id": "$material", "quantity": {"$sum": "$quantity"}}},
    ]
    found = Inventory._get_collection().aggregate(pipeline)
    stock = {row["_id"]: row["quantity"] for row in found}
    kept = {"isActive": {"$ne": False}}
    materials = Material._get_collection().find(kept, {"name": 1, "reorderPoint": 1})
    return [
        {
            "material": row["_id"],
            "name": row["name"],
            "quantity": stock.get(row["_id"], 0),
            "reorderPoint": row["reorderPoint"],
        }
        for row in materials.sort("name")
        if stock.get(row["_id"], 0) < row["reorderPoint"]
    ]


def _chart(reach: timedelta, step: timedelta) -> list[dict[str, Any]]:
    """Requests made and panes made and finished, in each step up to now (UTC)."""
    first = _floor(clock.now() - reach + step, step)
    count = int(reach / step)
    series = {
        "requestsCreated": _over_time(Request, "createdAt", first, step),
        "panesCreated": _over_time(Pane, "createdAt", first, step),
        "panesCompleted": _over_time(Pane, "completedAt", first, step),
    }
    return [
        {
            "from": iso(moment),
            **{name: counts.get(moment, 0) for name, counts in series.items()},
        }
        for moment in (first + index * step for index in range(count))
    ]


def _floor(moment: datetime, step: timedelta) -> datetime:
    whole = moment.replace(minute=0, second=0, microsecond=0)
    return whole if step < timedelta(days=1) else whole.replace(hour=0)


def _over_time(
    model: type[Record], field: str, first: datetime, step: timedelta
) -> dict[datetime, int]:
    unit = "hour" if step < timedelta(days=1) else "day"
    by = {"$dateTrunc": {"date": f"${field}", "unit": unit}}
    return _grouped(model, {field: {"$gte": first}}, by)
