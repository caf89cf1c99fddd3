"""An order's figures: counted from its panes in one place, whenever they change."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bson import ObjectId

from glassflow.domain.progress import Unit, order_figures
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import records

# A pane's place in the figures; panes that share it are counted by the store.
_GROUP = {
    "status": "$currentStatus",
    "station": "$currentStation",
    "role": "$laminateRole",
    "writtenOff": "$writtenOff",
}


def units(order_id: ObjectId) -> Iterator[Unit]:
    """Read an order's panes as its progress sees them."""
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"order": order_id}},
        {"$group": {"_id": _GROUP, "count": {"$sum": 1}}},
    ]
    for row in Pane._get_collection().aggregate(pipeline):
        place = row["_id"]
        station = place.get("station")
        unit = Unit(
            status=place["status"],
            station=str(station) if station else None,
            role=place.get("role") or "single",
            written_off=bool(place.get("writtenOff")),
        )
        yield from (unit for _ in range(row["count"]))


def recount(order: Order, *, started: bool = False) -> None:
    """Set an order's figures and status from its stored panes; the caller saves.

    `started` says that one of its panes is scanned now. Call it after the panes are
    written, in the same unit of work: two that change panes of one order both write
    the order, so one of them repeats with the other's panes in sight.
    """
    figures = order_figures(
        units(order.pk), quantity=order.quantity, status=order.status, started=started
    )
    order.pane_count = figures.pane_count
    order.panes_completed = figures.panes_completed
    order.progress_percent = figures.progress_percent
    order.station_breakdown = figures.station_breakdown
    order.status = figures.status


def recount_orders(order_ids: Iterable[ObjectId | None]) -> None:
    """Bring the figures of stored orders up to date with their panes; None is none."""
    for order_id in dict.fromkeys(order_ids):
        if order_id is not None:
            order = records.get(Order, order_id)
            recount(order)
            order.save()
