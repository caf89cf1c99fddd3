"""Cancel orders and requests with the work in them, and take that back.

A cancellation notes on each order and pane that it changes by what it was cancelled and
where it was (`cancelled_from`). Taking it back restores exactly those.
"""

from collections.abc import Collection, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain.orders import CLOSED_ORDERS, OrderStatus
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import open_work, progress, records
from glassflow.services.panes import cancellation


def cancel_order(order: Order, *, actor: Identity) -> None:
    """Cancel an order and its unfinished panes; the caller counts and saves it."""
    progress.mark_cancelled(order, by=order.pk)
    panes = cancellation.find_unfinished({"order": order.pk})
    cancellation.cancel_all(panes, by=order.pk, actor=actor)


def restore_order(order: Order, *, requested: str, actor: Identity) -> None:
    """Take the cancellation of an order back; the caller counts and saves it.

    With panes its status is the one before, else the requested one.
    """
    marked = order.cancelled_from or {"by": order.pk}
    panes = cancellation.find_cancelled_by(marked["by"], {"order": order.pk})
    _restore_panes(panes, reopened={order.pk, order.request}, actor=actor)
    before = _status_before(order, marked) if progress.has_panes(order) else requested
    order.cancelled_from, order.status = None, before


def _status_before(order: Order, marked: dict[str, Any]) -> str:
    if "status" in marked:
        return str(marked["status"])
    # cancelled by a release that did not note the status
    begun = progress.has_begun(order)
    return str(OrderStatus.IN_PROGRESS if begun else OrderStatus.PENDING)


def cancel_work_of(request: Request, *, actor: Identity) -> None:
    """Cancel the open orders and the unfinished panes of a request; finished ones stay.

    However many panes, the number of round trips is the same.
    """
    closed = sorted(map(str, CLOSED_ORDERS))
    orders = list(Order.objects(request=request.pk, status__nin=closed))
    panes = cancellation.find_unfinished(_panes_of(request, orders))
    cancellation.cancel_all(
        panes, by=request.pk, actor=actor, reason=request.cancel_reason or ""
    )
    for order in orders:
        progress.mark_cancelled(order, by=request.pk)
    _recount(orders, panes)


def restore_work_of(request: Request, *, actor: Identity) -> None:
    """Restore the orders and panes that were cancelled along with a request.

    What was cancelled before, or on its own, stays cancelled.
    """
    by = {"request": request.pk, "cancelledFrom.by": request.pk}
    orders = list(Order.objects(__raw__=by))
    panes = cancellation.find_cancelled_by(request.pk, _panes_of(request, orders))
    reopened = {request.pk, *(order.pk for order in orders)}
    _restore_panes(panes, reopened=reopened, actor=actor)
    for order in orders:
        order.status = order.cancelled_from["status"]
        order.cancelled_from = None
    _recount(orders, panes)


def _panes_of(request: Request, orders: Sequence[Order]) -> dict[str, Any]:
    in_orders = {"order": {"$in": [order.pk for order in orders]}}
    return {"$or": [{"request": request.pk}, in_orders]}


def _recount(orders: Sequence[Order], panes: Sequence[Pane]) -> None:
    """Count these orders again, and those of other requests that have one of the panes."""
    progress.recount_all(orders)
    records.save_all(orders)
    own = {order.pk for order in orders}
    progress.recount_orders(pane.order for pane in panes if pane.order not in own)


def _restore_panes(
    panes: Sequence[Pane], *, reopened: Collection[ObjectId], actor: Identity
) -> None:
    """Restore panes; one whose other order or request is cancelled waits for that.

    `reopened` are the order or request of which the cancellation is taken back.
    """
    orders = {pane.order for pane in panes}.difference(reopened)
    requests = {pane.request for pane in panes}.difference(reopened)
    cancelled_by = {
        **open_work.find_cancelled(Order, orders),
        **open_work.find_cancelled(Request, requests),
    }
    waiting, restored = [], []
    for pane in panes:
        other = cancelled_by.get(pane.order) or cancelled_by.get(pane.request)
        if other:
            pane.cancelled_from = {**pane.cancelled_from, "by": other}
            waiting.append(pane)
        else:
            restored.append(pane)
    records.save_all(waiting)
    cancellation.restore_all(restored, actor=actor)
