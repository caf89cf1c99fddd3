"""Pending counts: the panes that wait to be scanned, by order and request."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.domain.orders import CLOSED_ORDERS, CLOSED_REQUESTS
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request


def pending_counts(*, station: ObjectId | None) -> list[dict[str, Any]]:
    """Count pending panes by order and request, at one station or everywhere.

    Panes whose order or request is completed or cancelled are left out, and so are the
    dormant parents of laminated units. Returns `[{order, request, count}]`, the largest
    count first.
    """
    rows = list(Pane.collection().aggregate(_pipeline(station)))
    counts = [
        {
            "order": row["_id"].get("order"),
            "request": row["_id"].get("request"),
            "count": row["count"],
        }
        for row in rows
    ]
    closed_orders = _closed(Order, {one["order"] for one in counts}, CLOSED_ORDERS)
    requests = {one["request"] for one in counts}
    closed_requests = _closed(Request, requests, CLOSED_REQUESTS)
    return [
        one
        for one in counts
        if one["order"] not in closed_orders and one["request"] not in closed_requests
    ]


def _pipeline(station: ObjectId | None) -> list[Mapping[str, Any]]:
    pending: dict[str, Any] = {
        "currentStatus": str(Status.PENDING),
        "laminateRole": {"$ne": str(LaminateRole.PARENT)},
    }
    at_station = {"currentStation": station} if station else {}
    by_work = {"order": "$order", "request": "$request"}
    return [
        {"$match": {**at_station, **pending}},
        {"$group": {"_id": by_work, "count": {"$sum": 1}}},
        {"$sort": {"count": -1, "_id": 1}},
    ]


def _closed(
    model: type[Record], ids: set[ObjectId | None], statuses: frozenset[Any]
) -> set[ObjectId]:
    """Return which of these orders or requests are closed."""
    wanted = [one for one in ids if one is not None]
    if not wanted:
        return set()
    query = {"_id": {"$in": wanted}, "status": {"$in": sorted(map(str, statuses))}}
    return {row["_id"] for row in model.collection().find(query, {"_id": 1})}
