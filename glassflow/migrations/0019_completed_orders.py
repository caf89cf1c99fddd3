"""Complete orders have the time at which their last pane was finished."""

from typing import Any

from bson import ObjectId
from pymongo import UpdateOne

from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes.status import Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane

ORDERS_PER_WRITE = 500


def up(db: Any) -> None:
    """Set `completedAt` of complete orders; of those without panes, to their last change.

    They keep their versions, and no event is sent.
    """
    complete = {"status": str(OrderStatus.COMPLETED), "completedAt": None}
    rows = list(Order.collection().find(complete, {"updatedAt": 1}))
    ended = _ended() if rows else {}
    for start in range(0, len(rows), ORDERS_PER_WRITE):
        writes = [
            UpdateOne(
                {"_id": row["_id"], **complete},
                {"$set": {"completedAt": ended.get(row["_id"], row["updatedAt"])}},
            )
            for row in rows[start : start + ORDERS_PER_WRITE]
        ]
        Order.collection().bulk_write(writes, ordered=False)


def _ended() -> dict[ObjectId, Any]:
    """Return when the last finished pane of each order was, in one pass over the panes."""
    finished = {"currentStatus": str(Status.COMPLETED)}
    shown = {"order": 1, "completedAt": 1, "_id": 0}
    ended: dict[ObjectId, Any] = {}
    for row in Pane.collection().find(finished, shown):
        order, at = row.get("order"), row.get("completedAt")
        if order and at:
            ended[order] = max(at, ended.get(order, at))
    return ended
