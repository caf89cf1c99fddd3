"""Requests of customers, and the panes that are made along with them."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Invalid, Refusal
from glassflow.domain.pane_flow import OPEN, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import (
    corrections,
    order_progress,
    pane_drafts,
    records,
    references,
)
from glassflow.services.identity import Identity


def create(
    *, model: type[Request], values: Mapping[str, Any], actor: Identity
) -> Request:
    """Make a request with all its panes, or nothing at all.

    Raises `UnknownReference`, and `Refusal` for a pane that stands off its route.
    """
    values = dict(values)
    drafts: Sequence[Mapping[str, Any]] = values.pop("panes", None) or ()
    values["request_number"] = records.next_numbers(Request)[0]
    numbers = records.next_numbers(Pane, len(drafts)) if drafts else []
    return _create(values, drafts, numbers)


@unit_of_work
def _create(
    values: Mapping[str, Any],
    drafts: Sequence[Mapping[str, Any]],
    numbers: Sequence[str],
) -> Request:
    request = records.new(Request, values)
    request.pk = ObjectId()
    laminating = pane_drafts.laminating_for(drafts)
    made = [
        pane
        for one, number in zip(drafts, numbers, strict=True)
        for pane in pane_drafts.draft(
            {**one, "request": request.pk}, number, laminating, in_request=True
        )
    ]
    references.check(
        [
            *references.mentions(Request, values),
            *(found for one in drafts for found in references.mentions(Pane, one)),
        ]
    )
    request.save()
    records.insert_all(made)
    return request


@unit_of_work
def update(
    *,
    model: type[Request],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Request:
    """Change a request. A changed deadline needs its reason; cancelling goes through.

    Cancelling cancels the open orders and unfinished panes, and leaves finished ones.
    Raises `Invalid` without `deadlineChangeReason`, `Refusal` for a cancelled request.
    """
    request = records.get(Request, record_id)
    references.check(references.mentions(Request, values))
    was, deadline = request.status, request.deadline
    records.assign(request, values)
    if was == "cancelled" and request.status != was:
        raise Refusal("The request is cancelled", code="REQUEST_CANCELLED")
    moved = deadline is not None and request.deadline != deadline
    if moved and not values.get("deadline_change_reason"):
        fault = "Required when the deadline changes"
        raise Invalid([{"field": "deadlineChangeReason", "message": fault}])
    if request.status == "cancelled" and was != "cancelled":
        request.cancelled_by = actor.worker_id
        _cancel_work(request, actor)
    request.save()
    return request


def _cancel_work(request: Request, actor: Identity) -> None:
    orders = list(Order.objects(request=request.pk, status__nin=("completed",)))
    query = {
        "$or": [
            {"request": request.pk},
            {"order": {"$in": [order.pk for order in orders]}},
        ],
        "currentStatus": {"$in": [str(status) for status in (*OPEN, Status.CLAIMED)]},
        "writtenOff": {"$ne": True},
    }
    found = list(Pane.objects(__raw__=query))
    corrections.cancel_all(found, actor=actor, reason=request.cancel_reason or "")
    for order in orders:
        order.status = "cancelled"
        order_progress.recount(order)
        order.save()
    # a pane may have been given to an order that is not this request's
    others = {pane.order for pane in found} - {order.pk for order in orders}
    order_progress.recount_orders(others)
