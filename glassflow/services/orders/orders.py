"""Orders: created from requests, whose panes they adopt, and moved along stations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.errors import NotFound, Refusal
from glassflow.domain.orders import REOPENING, OrderStatus, RequestStatus
from glassflow.domain.panes.status import Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import (
    accepted_quotes,
    makeability,
    order_figures,
    records,
)
from glassflow.services.cancelled_guard import OrderCancelled, RequestCancelled
from glassflow.services.notices import announcements
from glassflow.services.orders import (
    assignment,
    cancellation,
    check_ins,
    new_customer,
    pane_materials,
)
from glassflow.services.orders.check_ins import RoutePosition
from glassflow.services.orders.pane_materials import Choice
from glassflow.services.panes import ownership
from glassflow.services.records import references


def create(*, model: type[Order], values: Mapping[str, Any], actor: Identity) -> Order:
    """Create an order; it adopts panes of its request that have no order.

    They are those that `panes` names, a laminated unit by any of its panes, else all.
    Without a `priority` it has that of the quote of its request.
    Those without a material get that of the order, or the one that `pane_materials` gives
    them. Panes that cannot be made need `override_reason`, and an actor who manages panes,
    unless they have a reason from their quote. Raises `Invalid` for a fault in one of these lists, `NoPanesLeft` for a request
    whose panes are all in orders or cancelled, `RequestCancelled`, `Refusal` for
    another customer than the request's, a `currentStationIndex` outside the route or an
    inactive assignee, `NotMakeable`, `Forbidden`, and `UnknownReference`.
    """
    number = records.next_numbers(Order)[0]
    return insert({**values, "order_number": number}, actor=actor)


@unit_of_work
def insert(values: Mapping[str, Any], *, actor: Identity) -> Order:
    """Store an order that has its number; raises what `create` raises."""
    values = dict(values)
    materials: Sequence[Choice] = values.pop("pane_materials", None) or ()
    chosen: Sequence[ObjectId] | None = values.pop("panes", None)
    reason: str = values.pop("override_reason", None) or ""
    if reason:
        actor.require("panes:manage")
    references.require_exist(_references(values))
    if values.get("priority") is None:
        values["priority"] = accepted_quotes.priority_of(values.get("request"))
    order = records.new(Order, values)
    _check_index(order)
    _check_request(order)
    order.pk = ObjectId()
    assignment.notify(order, actor=actor)
    _adopt(order, chosen, materials, reason)
    order_figures.recount(order)
    records.store(order)
    if order.stations:
        current = order.stations[order.current_station_index]
        announcements.order_arrived(order, current, new=True)
    return order


class NoPanesLeft(Refusal):
    """All panes of a request are in orders, or cancelled, so another order has none."""

    code = "NO_PANES_LEFT"

    def __init__(self) -> None:
        super().__init__(texts.NO_PANES_LEFT)


def _adopt(
    order: Order,
    chosen: Sequence[ObjectId] | None,
    materials: Sequence[Choice],
    reason: str,
) -> None:
    found = _adoptable(order)
    is_left = any(is_live(one.stored_form()) for one in found)
    if not is_left and order.status != OrderStatus.CANCELLED and _has_panes(order):
        raise NoPanesLeft
    if chosen is not None:
        found = pane_materials.chosen_of(found, chosen)
    order.remarks = makeability.remarks_of_order(found, reason=reason)
    pane_materials.give(found, materials)
    for pane in found:
        pane.order = order.pk
        pane.material = pane.material or order.material
    records.store(*found)


def _references(
    values: Mapping[str, Any], stored: Order | None = None
) -> Iterator[references.Reference]:
    """List the references of an order, including those in its station history.

    Those that the stored order has already are left out.
    """
    yield from references.references_in(Order, values, stored=stored)
    history = values.get("station_history") or ()
    known = stored.station_history if stored else ()
    for name, model in (("station", "Station"), ("completedBy", "Worker")):
        had = {entry.get(name) for entry in known} | {None}
        ids = tuple(id for entry in history if (id := entry.get(name)) not in had)
        if ids:
            yield references.Reference(f"stationHistory.{name}", model, ids)


def _adoptable(order: Order) -> Sequence[Pane]:
    """Return the panes of the order's request that have no order.

    There are none for a cancelled order.
    """
    if not order.request or order.status == OrderStatus.CANCELLED:
        return []
    query = {
        "request": order.request,
        "order": None,
        "currentStatus": {"$ne": str(Status.CANCELLED)},
    }
    return list(Pane.objects(__raw__=query))


def _has_panes(order: Order) -> bool:
    """Return whether the request of a new order has panes, whatever became of them."""
    query = {"request": order.request}
    return bool(order.request and Pane.collection().find_one(query, {"_id": 1}))


def _check_request(order: Order, *, customer: bool = True) -> None:
    """Refuse a cancelled request and, unless told otherwise, another customer than its.

    Touches the request, so that its cancellation at the same time conflicts.
    """
    if not order.request:
        return
    request = locks.touch_and_read(Request, order.request)
    if request is None:
        raise NotFound(texts.NOT_FOUND.format(label=Request.label))
    if request.get("status") == RequestStatus.CANCELLED:
        raise RequestCancelled
    if customer and request["customer"] != order.customer:
        raise Refusal(
            texts.OTHER_CUSTOMER,
            code="OTHER_CUSTOMER",
            details={"customer": str(request["customer"])},
        )


def _check_index(order: Order) -> None:
    last = max(len(order.stations) - 1, 0)
    if not 0 <= order.current_station_index <= last:
        raise Refusal(
            texts.INDEX_OUTSIDE_ROUTE,
            code="INDEX_OUTSIDE_ROUTE",
            details={"currentStationIndex": order.current_station_index, "last": last},
        )


@unit_of_work
def update(
    *,
    model: type[Order],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Order:
    """Change an order; the stations that it enters or leaves are notified.

    Cancelling it cancels its unfinished panes; `pending` or `in_progress` takes that
    back. Raises `OrderCancelled`, `RequestCancelled`, `CustomerFixed`, `PaneDelivered` for
    panes that would move to another request, and `Refusal` where the route
    position, the customer or the status contradicts the panes or the request, and for a
    new assignee who is inactive.
    """
    order = records.load(Order, record_id)
    references.require_exist(_references(values, order))
    before, status = RoutePosition.of(order), order.status
    links = (order.request, order.customer)
    _refuse_leaving_cancelled_request(order, values)
    # null would reset the status to its default, which contradicts the panes
    requested = values.get("status") or status
    records.apply_changes(order, {k: v for k, v in values.items() if k != "status"})
    _check_index(order)
    assignment.notify(order, actor=actor)
    _change_status(order, requested, actor)
    cancels = order.status == OrderStatus.CANCELLED
    closes = OrderStatus.COMPLETED == requested != status
    order_figures.recount(order, closed=closes)
    relinked = (order.request, order.customer) != links
    # counting cancels an order that would be open again in a cancelled request
    revived = order.status != status and not cancels
    if relinked or revived:
        _check_request(order, customer=relinked)
    if order.customer != links[1]:
        new_customer.require_possible("order", order.pk)
    if relinked:
        ownership.move_with_order(order, before=links[0])
    _refuse_other_status(order, status, requested)
    records.store(order)
    check_ins.announce_moves(before, order)
    return order


def _refuse_leaving_cancelled_request(order: Order, values: Mapping[str, Any]) -> None:
    """Keep an order that was cancelled with its request in this request.

    It is restored with the request only.
    """
    cancelled_by = (order.cancelled_from or {}).get("by")
    leaves = values.get("request", order.request) != order.request
    if leaves and order.request and cancelled_by == order.request:
        raise RequestCancelled


def _change_status(order: Order, requested: str, actor: Identity) -> None:
    """Set the requested status, or cancel the order, or take its cancellation back."""
    if requested == order.status:
        return
    if requested == OrderStatus.CANCELLED:
        cancellation.cancel_order(order, actor=actor)
    elif order.status != OrderStatus.CANCELLED:
        order.status = requested  # as far as the panes, which are counted next, agree
    elif requested in REOPENING:
        cancellation.restore_order(order, requested=requested, actor=actor)
    else:
        raise OrderCancelled


def _refuse_other_status(order: Order, before: str, requested: str) -> None:
    """Refuse a requested status that the panes contradict.

    Taking a cancellation back leaves it to the panes which of the open statuses it is.
    """
    if requested in (order.status, before) or before == OrderStatus.CANCELLED:
        return
    raise Refusal(
        texts.STATUS_FOLLOWS_PANES.format(status=order.status, requested=requested),
        code="STATUS_FOLLOWS_PANES",
        details={"status": order.status},
    )
