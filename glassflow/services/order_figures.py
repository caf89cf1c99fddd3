"""Order progress: the figures are counted from the panes whenever these change."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain import texts
from glassflow.domain.errors import NotFound
from glassflow.domain.orders import CountedPane, Figures, OrderStatus, order_figures
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import cancelled_guard, records

# What the figures depend on; the store counts the panes that have all of it in common.
_GROUP = {
    "order": "$order",
    "status": "$currentStatus",
    "station": "$currentStation",
    "role": "$laminateRole",
    "begun": {"$gt": ["$startedAt", None]},
    "delivered": {"$gt": ["$deliveredAt", None]},
    "writtenOff": "$writtenOff",
    "remade": "$remade",
    "cancelledBy": "$cancelledFrom.by",
}


def counted_panes(
    order_ids: Sequence[ObjectId],
) -> Mapping[ObjectId, Sequence[CountedPane]]:
    """Read what the figures of orders depend on, by order id."""
    counted: dict[ObjectId, list[CountedPane]] = defaultdict(list)
    for row in _groups(order_ids):
        group = row["_id"]
        station = group.get("station")
        pane = CountedPane(
            status=group["status"],
            station=str(station) if station else None,
            role=group.get("role") or LaminateRole.SINGLE,
            begun=bool(group.get("begun")),
            written_off=bool(group.get("writtenOff")),
            remade=bool(group.get("remade")),
            cancelled_with_work=group.get("cancelledBy") is not None,
            delivered=bool(group.get("delivered")),
            completed_at=row.get("completedAt"),
        )
        counted[group["order"]].extend([pane] * row["count"])
    return counted


def _groups(order_ids: Sequence[ObjectId]) -> Iterable[Mapping[str, Any]]:
    """Count the panes of orders by `_GROUP`."""
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"order": {"$in": list(order_ids)}}},
        {
            "$group": {
                "_id": _GROUP,
                "count": {"$sum": 1},
                "completedAt": {"$max": "$completedAt"},
            }
        },
    ]
    return Pane.collection().aggregate(pipeline) if order_ids else ()


def has_panes(order: Order) -> bool:
    """Return whether an order has panes, retired ones included."""
    return Pane.collection().find_one({"order": order.pk}, {"_id": 1}) is not None


def recount(order: Order, *, closed: bool = False) -> None:
    """Set an order's figures and status from its stored panes; the caller calls `store`.

    `closed` means that people complete it. Call it after the panes are written, in the
    same unit of work: two transactions that change panes of one order both write the
    order, so one of them repeats and sees the panes of the other. An order that is no
    longer complete is cancelled if its request is, as in `recount_all`.
    """
    panes = counted_panes([order.pk]).get(order.pk, ())
    if _set_figures(order, panes, closed=closed):
        _cancel_with_requests([order])


def recount_all(orders: Sequence[Order], *, had_panes: bool = False) -> None:
    """Set the figures and status of several orders; the caller calls `store`.

    `had_panes` means that panes of these orders have been deleted or moved away. Orders
    that are no longer complete are cancelled if their request is: two round trips more,
    only for such orders.
    """
    if not orders:
        return
    counted = counted_panes([order.pk for order in orders])
    reopened = [
        order
        for order in orders
        if _set_figures(order, counted.get(order.pk, ()), had_panes=had_panes)
    ]
    _cancel_with_requests(reopened)


def recount_orders(order_ids: Iterable[ObjectId | None]) -> None:
    """Set the figures of orders that got or lost panes; an id of None is left out.

    Three round trips for up to 20 orders. Raises `NotFound` if one is unknown.
    """
    ids = [one for one in dict.fromkeys(order_ids) if one is not None]
    if not ids:
        return
    orders = list(Order.objects(pk__in=ids))
    if len(orders) < len(ids):
        raise NotFound(texts.NOT_FOUND.format(label=Order.label))
    recount_all(orders, had_panes=True)
    store(*orders)


def store(*orders: Order) -> None:
    """Store orders that were counted again, also with the figures that they had.

    So two transactions that change panes of one order conflict, see `recount`.
    """
    records.store(*orders, even_unchanged=True)


def counted(pane: Pane) -> CountedPane:
    """Return what the figures of its order depend on, of a pane."""
    return CountedPane(
        status=pane.current_status,
        station=str(pane.current_station) if pane.current_station else None,
        role=pane.laminate_role,
        begun=pane.started_at is not None,
        written_off=bool(pane.written_off),
        remade=bool(pane.remade),
        cancelled_with_work=bool((pane.cancelled_from or {}).get("by")),
        delivered=pane.delivered_at is not None,
        completed_at=pane.completed_at,
    )


def figures_of(
    order: Order,
    panes: Sequence[CountedPane],
    *,
    had_panes: bool = False,
    closed: bool = False,
) -> Figures:
    """Derive the figures and status of an order from these panes; nothing is changed."""
    return order_figures(
        panes,
        order.quantity,
        order.status,
        had_panes=had_panes or bool(order.lost_panes),
        closed=closed or order.pane_count == 0,
    )


def _set_figures(
    order: Order,
    panes: Sequence[CountedPane],
    *,
    had_panes: bool = False,
    closed: bool = False,
) -> bool:
    """Set the figures and status; returns whether a completed order is open again."""
    figures = figures_of(order, panes, had_panes=had_panes, closed=closed)
    before = order.status
    order.lost_panes = not panes and (had_panes or bool(order.lost_panes))
    order.pane_count = figures.pane_count
    order.panes_completed = figures.panes_completed
    order.panes_delivered = figures.panes_delivered
    order.progress_percent = figures.progress_percent
    order.station_breakdown = figures.station_breakdown
    order.status = str(figures.status)
    if figures.status != OrderStatus.COMPLETED:
        order.completed_at = None
    else:
        order.completed_at = figures.completed_at or order.completed_at or clock.now()
    return reopens(before, figures)


def reopens(before: str, figures: Figures) -> bool:
    """Return whether these figures make a completed order an open one again."""
    return OrderStatus.COMPLETED == before != figures.status


def _cancel_with_requests(orders: Sequence[Order]) -> None:
    """Cancel those of these orders whose request is cancelled; they are restored with it.

    Writes the requests: a cancellation at the same time, which has left these orders out
    because they were completed, conflicts.
    """
    cancelled = cancelled_guard.find_cancelled(
        Request, [order.request for order in orders]
    )
    for order in orders:
        if order.request in cancelled:
            mark_cancelled(order, by=order.request)


def mark_cancelled(order: Order, *, by: ObjectId) -> None:
    """Cancel an order and note by what (its own id or its request's); the caller saves."""
    order.cancelled_from = {"by": by, "status": order.status}
    order.status = str(OrderStatus.CANCELLED)
