"""Cancel orders and requests with the work in them, and take that back.

A cancellation notes on each order and pane that it changes by what it was cancelled and
where it was (`cancelled_from`). Taking it back restores exactly those, without stations
that are gone. It also rejects the pending claims of those panes and the pending
withdrawals of those orders, for good.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault
from glassflow.domain.money import as_decimal, as_text
from glassflow.domain.orders import CLOSED_ORDERS, OrderStatus
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import agreed_prices, cancelled_guard, order_figures, records
from glassflow.services.panes import cancellation, gone_stations
from glassflow.services.stock import withdrawals


def preview_order(order_id: ObjectId) -> dict[str, Any]:
    """Count what the cancellation of an order cancels and rejects; see `_count`."""
    return _count([order_id], {"order": order_id})


def preview_request(request_id: ObjectId) -> dict[str, Any]:
    """Count what the cancellation of a request cancels and rejects; see `_count`."""
    orders = [order.pk for order in _open_orders(request_id)]
    return _count(orders, _panes_of(request_id, orders))


def _count(orders: Sequence[ObjectId], panes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of open orders, unfinished units, pending claims and withdrawals.

    `price` is what was agreed for the panes and is not charged any more, a text in baht.
    `panes` is the query of the panes concerned.
    """
    query = {**panes, **cancellation.UNFINISHED}
    fields = {"laminateRole": 1, "heldFrom.claim": 1, "agreedPrice": 1}
    rows = list(Pane.collection().find(query, fields))
    pending = {"order": {"$in": list(orders)}, **withdrawals.PENDING}
    return {
        "orders": len(orders),
        "panes": sum(row.get("laminateRole") != LaminateRole.SHEET for row in rows),
        "claims": sum(bool(row.get("heldFrom")) for row in rows),
        "withdrawals": Withdrawal.collection().count_documents(pending),
        "price": as_text(sum((as_decimal(row.get("agreedPrice")) for row in rows), 0)),
    }


def cancel_order(order: Order, *, actor: Identity) -> None:
    """Cancel an order and its unfinished panes; the caller counts and saves it."""
    order_figures.mark_cancelled(order, by=order.pk)
    number = order.order_number or ""
    withdrawals.reject_pending([order.pk], number=number, actor=actor)
    panes = cancellation.find_unfinished({"order": order.pk})
    cancellation.cancel_all(panes, by=order.pk, number=number, actor=actor)
    agreed_prices.recount(agreed_prices.requests_of(panes))


def restore_order(order: Order, *, requested: str, actor: Identity) -> None:
    """Take the cancellation of an order back; the caller counts and saves it.

    With panes its status is the one before, else the requested one. What is left out is
    noted in its `remarks`.
    """
    marked = order.cancelled_from or {"by": order.pk}
    panes = cancellation.find_cancelled_by(marked["by"], {"order": order.pk})
    reopened = {order.pk, order.request}
    order.remarks = _restore([order], panes, reopened=reopened, actor=actor)
    agreed_prices.recount(agreed_prices.requests_of(panes))
    # a release that did not note the status: as far as its panes have come
    before = marked.get("status", str(OrderStatus.PENDING))
    order.status = before if order_figures.has_panes(order) else requested
    order.cancelled_from = None


def cancel_work_of(request: Request, *, actor: Identity) -> None:
    """Cancel the open orders and the unfinished panes of a request; finished ones stay.

    However many panes, the number of round trips is the same.
    """
    orders = _open_orders(request.pk)
    order_ids = [order.pk for order in orders]
    number = request.request_number or ""
    withdrawals.reject_pending(order_ids, number=number, actor=actor)
    panes = cancellation.find_unfinished(_panes_of(request.pk, order_ids))
    cancellation.cancel_all(
        panes,
        by=request.pk,
        number=number,
        actor=actor,
        reason=request.cancel_reason or "",
    )
    for order in orders:
        order_figures.mark_cancelled(order, by=request.pk)
    _recount(request, orders, panes)


def restore_work_of(request: Request, *, actor: Identity) -> None:
    """Restore the orders and panes that were cancelled along with a request.

    What was cancelled before, or on its own, stays cancelled. What is left out is noted in
    its `remarks`.
    """
    by = {"request": request.pk, "cancelledFrom.by": request.pk}
    orders = list(Order.objects(__raw__=by))
    order_ids = [order.pk for order in orders]
    panes = cancellation.find_cancelled_by(request.pk, _panes_of(request.pk, order_ids))
    reopened = {request.pk, *order_ids}
    left_out = _restore(orders, panes, reopened=reopened, actor=actor)
    request.remarks = [*request.remarks, *left_out]
    for order in orders:
        assert order.cancelled_from is not None  # they are found by it
        order.status = order.cancelled_from["status"]
        order.cancelled_from = None
    _recount(request, orders, panes)


def _open_orders(request_id: ObjectId) -> list[Order]:
    closed = sorted(map(str, CLOSED_ORDERS))
    return list(Order.objects(request=request_id, status__nin=closed))


def _panes_of(request_id: ObjectId, orders: Sequence[ObjectId]) -> dict[str, Any]:
    in_orders = {"order": {"$in": list(orders)}}
    return {"$or": [{"request": request_id}, in_orders]}


def _recount(request: Request, orders: Sequence[Order], panes: Sequence[Pane]) -> None:
    """Count these orders again, and those of other requests that have one of the panes.

    So are the agreed prices; the caller stores the request.
    """
    order_figures.recount_all(orders)
    order_figures.store(*orders)
    own = {order.pk for order in orders}
    order_figures.recount_orders(pane.order for pane in panes if pane.order not in own)
    priced = agreed_prices.requests_of(panes)
    if request.pk in priced:
        agreed_prices.set_sum(request)
    agreed_prices.recount(priced - {request.pk})


def _restore(
    orders: Sequence[Order],
    panes: Sequence[Pane],
    *,
    reopened: Collection[ObjectId | None],
    actor: Identity,
) -> list[FieldFault]:
    """Restore panes, and leave stations that are gone out of them and of the orders.

    A pane whose other order or request is cancelled waits for that; `reopened` are the
    order or request of which the cancellation is taken back. A unit that no station
    laminates any more stays cancelled, as if it was cancelled on its own. Returns what was
    left out, as warnings.
    """
    gone = gone_stations.find(
        [
            *(step for order in orders for step in order.stations),
            *(step for pane in panes for step in pane.routing),
            *(pane.laminate_station for pane in panes if _is_in_unit(pane)),
            *(one.get("station") for pane in panes if (one := pane.cancelled_from)),
        ]
    )
    for order in orders:
        gone_stations.leave_out_of_order(order, gone)
    lost: list[Pane] = []
    left: list[Pane] = []
    for pane in panes:
        loses = _is_in_unit(pane) and pane.laminate_station in gone
        (lost if loses else left).append(pane)
    for pane in lost:
        pane.cancelled_from = None
    records.store(*lost)
    _restore_panes(left, gone, reopened, actor)
    return _remarks(gone, lost)


def _is_in_unit(pane: Pane) -> bool:
    """Return whether a pane is part of a unit that is not laminated yet."""
    return pane.laminate_role != LaminateRole.SINGLE


def _remarks(gone: Set[ObjectId], lost: Sequence[Pane]) -> list[FieldFault]:
    if not gone:
        return []
    names = ", ".join(gone_stations.names(gone).values())
    text = texts.STATIONS_LEFT_OUT.format(stations=names)
    remarks: list[FieldFault] = [{"field": "status", "message": text}]
    units = sum(pane.laminate_role == LaminateRole.PARENT for pane in lost)
    if units:
        text = texts.UNITS_STAY_CANCELLED.format(count=units)
        remarks.append({"field": "status", "message": text})
    return remarks


def _restore_panes(
    panes: Sequence[Pane],
    gone: Set[ObjectId],
    reopened: Collection[ObjectId | None],
    actor: Identity,
) -> None:
    orders = {pane.order for pane in panes}.difference(reopened)
    requests = {pane.request for pane in panes}.difference(reopened)
    cancelled_by = {
        **cancelled_guard.find_cancelled(Order, orders),
        **cancelled_guard.find_cancelled(Request, requests),
    }
    waiting, restored = [], []
    for pane in panes:
        work = (pane.order, pane.request)
        other = next((cancelled_by[one] for one in work if one in cancelled_by), None)
        if other:
            pane.cancelled_from = {**(pane.cancelled_from or {}), "by": other}
            waiting.append(pane)
        else:
            restored.append(pane)
    records.store(*waiting)
    cancellation.restore_all(restored, gone=gone, actor=actor)
