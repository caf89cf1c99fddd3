"""Orders: made from requests, adopting their panes, moved along their stations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Refusal
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import announcements, order_progress, records, references
from glassflow.services.identity import Identity

Entry = Mapping[str, Any]


def create(*, model: type[Order], values: Mapping[str, Any], actor: Identity) -> Order:
    """Make an order; one from a request adopts the request's panes without an order.

    Raises `Refusal` for a cancelled request or a `currentStationIndex` outside the
    route, `UnknownReference`.
    """
    number = records.next_numbers(Order)[0]
    return _create({**values, "order_number": number})


@unit_of_work
def _create(values: Mapping[str, Any]) -> Order:
    references.check(references.mentions(Order, values))
    order = Order(**{k: v for k, v in values.items() if v is not None})
    _check_index(order)
    _check_request(order)
    order.pk = ObjectId()
    for pane in _adoptable(order):
        pane.order = order.pk
        pane.material = pane.material or order.material
        pane.save()
    order_progress.recount(order)
    order.save()
    if order.stations:
        current = order.stations[order.current_station_index]
        announcements.order_arrived(order, current, new=True)
    return order


def _adoptable(order: Order) -> Sequence[Pane]:
    """An order adopts the panes of its request that no other order has."""
    if not order.request:
        return []
    query = {
        "request": order.request,
        "order": None,
        "currentStatus": {"$ne": "cancelled"},
    }
    return list(Pane.objects(__raw__=query))


def _check_request(order: Order) -> None:
    if order.request:
        request = records.get(Request, order.request)
        if request.status == "cancelled":
            raise Refusal("The request is cancelled", code="REQUEST_CANCELLED")


def _check_index(order: Order) -> None:
    last = max(len(order.stations) - 1, 0)
    if not 0 <= order.current_station_index <= last:
        raise Refusal(
            "currentStationIndex is outside the order's route",
            code="INDEX_OUTSIDE_ROUTE",
            facts={"currentStationIndex": order.current_station_index, "last": last},
        )


@unit_of_work
def update(
    *,
    model: type[Order],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Order:
    """Change an order; stations that it enters or leaves are told.

    Raises `Refusal` where the route position or the status contradicts the panes.
    """
    order = records.get(Order, record_id)
    references.check(references.mentions(Order, values))
    before = Order._from_son(order.to_mongo())
    records.assign(order, values)
    _check_index(order)
    if order.request != before.request:
        _check_request(order)
    asked = order.status
    order_progress.recount(order)
    if values.get("status") and order.status != asked:
        raise Refusal(
            f"The order's panes say {order.status}, not {asked}",
            code="STATUS_FOLLOWS_PANES",
            facts={"status": order.status},
        )
    order.save()
    _tell_stations(before, order)
    return order


def _tell_stations(before: Order, after: Order) -> None:
    """One check-in a station concerned, and the arrival at a new present station."""
    old, new = _present(before), _present(after)
    moved = before.current_station_index != after.current_station_index or old != new
    entered = dict.fromkeys(_opened(before.station_history, after.station_history))
    exited = dict.fromkeys(_closed(before.station_history, after.station_history))
    if moved and old is not None:
        exited[str(old)] = None
    if moved and new is not None:
        entered[str(new)] = None
    for station in exited:
        announcements.order_checked_in(after, station, "exited")
    for station in entered:
        announcements.order_checked_in(after, station, "entered")
    if moved and new is not None:
        announcements.order_arrived(after, new, new=False)


def _present(order: Order) -> ObjectId | None:
    index = order.current_station_index
    station: ObjectId | None = (
        order.stations[index] if index < len(order.stations) else None
    )
    return station


def _opened(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Stations whose history entry is open now and was not there, or was closed."""
    for index, entry in enumerate(new):
        was_open = index < len(old) and not old[index].get("exitedAt")
        same = index < len(old) and old[index]["station"] == entry["station"]
        if not entry.get("exitedAt") and not (was_open and same):
            yield str(entry["station"])


def _closed(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Stations whose history entry is closed now and was open, or was not there."""
    for index, entry in enumerate(new):
        was_closed = index < len(old) and bool(old[index].get("exitedAt"))
        same = index < len(old) and old[index]["station"] == entry["station"]
        if entry.get("exitedAt") and not (was_closed and same):
            yield str(entry["station"])
