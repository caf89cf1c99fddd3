"""What waits at a station: panes that have not been finished there, by order."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.models.pane import Pane

WAITING = ["pending", "in_progress", "awaiting_scan_out"]


def pending_counts(*, station: ObjectId | None) -> list[dict[str, Any]]:
    """Count open panes by order and request, at one station or at all of them.

    Gives `[{order, request, count}]`, the largest count first.
    """
    at = station if station else {"$ne": None}
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"currentStation": at, "currentStatus": {"$in": WAITING}}},
        {
            "$group": {
                "_id": {"order": "$order", "request": "$request"},
                "count": {"$sum": 1},
            }
        },
        {"$sort": {"count": -1, "_id": 1}},
    ]
    return [
        {
            "order": row["_id"].get("order"),
            "request": row["_id"].get("request"),
            "count": row["count"],
        }
        for row in Pane._get_collection().aggregate(pipeline)
    ]
