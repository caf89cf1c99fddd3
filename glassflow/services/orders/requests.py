"""Requests of customers, and the panes that are created with them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import FieldFault, Invalid, Refusal
from glassflow.domain.money import as_decimal
from glassflow.domain.orders import REOPENING, RequestStatus
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import (
    agreed_prices,
    cancelled_guard,
    makeability,
    order_figures,
    records,
)
from glassflow.services.cancelled_guard import RequestCancelled
from glassflow.services.orders import assignment, cancellation, new_customer
from glassflow.services.panes import factory
from glassflow.services.records import references

MAX_QUANTITY = 2**63 - 1  # the largest integer of the store


class NewRequest(NamedTuple):
    """A request that is to be stored, its panes with their numbers, and the remarks."""

    values: dict[str, Any]
    inputs: Sequence[Mapping[str, Any]]
    numbers: Sequence[str]
    remarks: list[FieldFault]


def create(
    *, values: Mapping[str, Any], actor: Identity
) -> tuple[Request, Sequence[Pane]]:
    """Create a request with all its panes, or nothing; return it and the panes.

    Raises what `prepare` and `insert` raise.
    """
    return insert(prepare(values), actor=actor)


def prepare(values: Mapping[str, Any]) -> NewRequest:
    """Judge the panes of a new request and draw its numbers, outside any transaction.

    A pane with a `quantity` is made that many times. Raises `Invalid` for more than
    MAX_ARRAY_LENGTH in all, and `RequestCancelled` for a cancelled request with panes.
    """
    values = dict(values)
    judged = makeability.judge_inputs(values.pop("panes", None) or (), "panes.{}.")
    inputs = repeated([one.values for one in judged])
    if inputs and values.get("status") == RequestStatus.CANCELLED:
        raise RequestCancelled
    values["request_number"] = records.next_numbers(Request)[0]
    numbers = records.next_numbers(Pane, len(inputs)) if inputs else []
    remarks = [fault for one in judged for fault in one.remarks]
    return NewRequest(values, inputs, numbers, remarks)


def require_count(quantities: Iterable[int]) -> None:
    """Raise `Invalid` for more panes in all than the setting MAX_ARRAY_LENGTH."""
    most = runtime.current().policy.max_array_length
    if (count := sum(quantities)) > most:
        message = texts.TOO_MANY_PANES.format(count=count, maximum=most)
        raise Invalid([{"field": "panes", "message": message}])


def repeated(inputs: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return each pane as often as its quantity says; raises what `require_count` raises."""
    counts = [one.get("quantity") or 1 for one in inputs]
    require_count(counts)
    return [
        {name: value for name, value in one.items() if name != "quantity"}
        for one, count in zip(inputs, counts, strict=True)
        for _ in range(count)
    ]


@unit_of_work
def insert(
    new: NewRequest, *, actor: Identity | None
) -> tuple[Request, Sequence[Pane]]:
    """Store a request with its panes; return it and them. `actor` is None for the service.

    Raises `UnknownReference`, and `Refusal` for a pane whose station is not on its route
    or an inactive assignee.
    """
    request = records.new(Request, new.values)
    request.pk = ObjectId()
    made = _build(new.inputs, new.numbers, {"request": request.pk})
    references.require_exist(
        [
            *references.references_in(Request, new.values),
            *references_of(new.inputs),
        ]
    )
    assignment.notify(request, actor=actor)
    agreed_prices.agree_on_new(request, made, actor=actor)
    records.store(request)
    records.store(*made)
    request.remarks = new.remarks
    return request, made


def remarks_of_deadline(deadline: datetime | None) -> list[FieldFault]:
    """Return what people have to know of a request whose deadline is over; else nothing."""
    if deadline is None or deadline >= clock.now():
        return []
    return [{"field": "deadline", "message": texts.DEADLINE_OVER}]


def _build(
    inputs: Sequence[Mapping[str, Any]],
    numbers: Sequence[str],
    owners: Mapping[str, Any],
) -> list[Pane]:
    """Build the panes and units of a request; `owners` are what they belong to."""
    lamination_stations = factory.lamination_stations_of(inputs)
    return [
        pane
        for one, number in yielding(zip(inputs, numbers, strict=True))
        for pane in factory.build(
            {**one, **owners}, number, lamination_stations, in_request=True
        )
    ]


def references_of(
    inputs: Sequence[Mapping[str, Any]],
) -> Iterator[references.Reference]:
    """Yield the references in the values of new panes."""
    for one in yielding(inputs):
        yield from references.references_in(Pane, one)


def add_panes(
    *,
    record_id: ObjectId,
    inputs: Sequence[Mapping[str, Any]],
    order_id: ObjectId | None,
) -> tuple[Request, Sequence[Pane]]:
    """Add panes to a request, all or none; return it and them.

    An order of the request takes them, if one is named. The quantity of the request
    grows by as many panes or units. Raises `Invalid` for more than MAX_ARRAY_LENGTH in all,
    for a quantity above `MAX_QUANTITY` and for an order of another request,
    `UnknownReference`, `RequestCancelled`,
    `OrderCancelled`, `NotMakeable`, and what building a pane raises.
    """
    judged = makeability.judge_inputs(inputs, "panes.{}.")
    inputs = repeated([one.values for one in judged])
    numbers = records.next_numbers(Pane, len(inputs))
    request, made = _add_panes(record_id, inputs, numbers, order_id)
    judged_remarks = [fault for one in judged for fault in one.remarks]
    request.remarks = [*judged_remarks, *request.remarks]
    return request, made


@unit_of_work
def _add_panes(
    record_id: ObjectId,
    inputs: Sequence[Mapping[str, Any]],
    numbers: Sequence[str],
    order_id: ObjectId | None,
) -> tuple[Request, Sequence[Pane]]:
    request = records.load(Request, record_id)
    order = order_of(request, order_id)
    cancelled_guard.require_open(orders=[order_id], requests=[request.pk])
    before = as_decimal(request.details["estimatedPrice"])
    made, lines = append(request, inputs, numbers, order)
    after = as_decimal(request.details["estimatedPrice"])
    if before != after:
        agreed_prices.note(request, lines, before=before)
    records.store(request)
    request.remarks = agreed_prices.remarks_of(before, after)
    return request, made


def append(
    request: Request,
    inputs: Sequence[Mapping[str, Any]],
    numbers: Sequence[str],
    order: Order | None,
) -> tuple[Sequence[Pane], Sequence[Raw]]:
    """Store further panes of a request and its order; the caller stores the request.

    Returns them, and the lines that `agreed_prices.note` takes. Raises what `add_panes`
    raises, but for cancelled work.
    """
    references.require_exist(references_of(inputs))
    owners = {"request": request.pk, "order": order.pk if order else None}
    made = _build(inputs, numbers, owners)
    for pane in made:
        pane.material = pane.material or (order.material if order else None)
    if order:
        makeability.require_makeable(made)
    lines = agreed_prices.price_new(request, made)
    records.store(*made)
    order_figures.recount_orders([owners["order"]])
    _add_to_quantity(request, len(inputs))
    return made, lines


def _add_to_quantity(request: Request, count: int) -> None:
    quantity = (request.details.get("quantity") or 0) + count
    if quantity > MAX_QUANTITY:
        fault: FieldFault = {"field": "details.quantity", "message": texts.NUMBER_RANGE}
        raise Invalid([fault])
    request.details = {**request.details, "quantity": quantity}


def order_of(request: Request, order_id: ObjectId | None) -> Order | None:
    """Return the order that takes panes of a request, if one is named. Raises `Invalid`."""
    if order_id is None:
        return None
    order = Order.objects(pk=order_id).first()
    if order is None or order.request != request.pk:
        raise Invalid([{"field": "order", "message": texts.ORDER_OF_OTHER_REQUEST}])
    return order


@unit_of_work
def update(
    *,
    model: type[Request],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Request:
    """Change a request. A changed deadline needs `deadlineChangeReason`.

    Another agreed price is shared out among the panes that are not handed over.

    Cancelling it cancels its open orders and unfinished panes; `pending` or
    `in_progress` takes that back. Raises `Invalid` without `deadlineChangeReason`,
    `RequestCancelled`, `CustomerFixed`, and `Refusal` for another customer while there are
    orders or a new assignee who is inactive.
    """
    request = records.load(Request, record_id)
    references.require_exist(references.references_in(Request, values, stored=request))
    status, deadline, customer = request.status, request.deadline, request.customer
    agreed = request.details["estimatedPrice"]
    # null would reset the status to its default and take a cancellation back
    requested = values.get("status") or status
    records.apply_changes(request, {k: v for k, v in values.items() if k != "status"})
    moved = deadline is not None and request.deadline != deadline
    if moved and not values.get("deadline_change_reason"):
        raise Invalid(
            [{"field": "deadlineChangeReason", "message": texts.DEADLINE_NEEDS_REASON}],
            texts.DEADLINE_REASON_REQUIRED,
        )
    if request.customer != customer:
        if Order.objects(request=request.pk).first():
            raise Refusal(texts.CUSTOMER_HAS_ORDERS, code="CUSTOMER_HAS_ORDERS")
        new_customer.require_possible("request", request.pk)
    assignment.notify(request, actor=actor)
    if (amount := request.details["estimatedPrice"]) != agreed:
        agreed_prices.agree(
            request, as_decimal(amount), before=as_decimal(agreed), actor=actor
        )
    if requested != status:
        _change_status(request, requested, actor)
    records.store(request)
    return request


def _change_status(request: Request, requested: str, actor: Identity) -> None:
    """Set a new status; a cancellation, or taking it back, changes orders and panes."""
    was_cancelled = request.status == RequestStatus.CANCELLED
    if was_cancelled and requested not in REOPENING:
        raise RequestCancelled
    request.status = requested
    if was_cancelled:
        request.cancelled_by, request.cancel_reason = None, ""
        cancellation.restore_work_of(request, actor=actor)
    elif requested == RequestStatus.CANCELLED:
        request.cancelled_by = actor.worker_id
        cancellation.cancel_work_of(request, actor=actor)
