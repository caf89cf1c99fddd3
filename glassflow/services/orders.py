"""Orders: made from requests, adopting their panes, moved along their stations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core import outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Refusal
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import announcements, order_progress, records, references
from glassflow.services.identity import Identity
from glassflow.services.representation import stored

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where an order stood before a change: what its stations are told by."""

    request: ObjectId | None
    index: int
    present: ObjectId | None
    history: Sequence[Entry]

    @classmethod
    def of(cls, order: Order) -> "_Stand":
        index, stations = order.current_station_index, order.stations
        return cls(
            request=order.request,
            index=index,
            present=stations[index] if index < len(stations) else None,
            history=[dict(entry) for entry in order.station_history],
        )


def create(*, model: type[Order], values: Mapping[str, Any], actor: Identity) -> Order:
    """Make an order; one from a request adopts the request's panes without an order.

    Raises `Refusal` for a cancelled request or a `currentStationIndex` outside the
    route, `UnknownReference`.
    """
    number = records.next_numbers(Order)[0]
    return _create({**values, "order_number": number})


@unit_of_work
def _create(values: Mapping[str, Any]) -> Order:
    references.check(_mentions(values))
    order = records.new(Order, values)
    _check_index(order)
    _check_request(order)
    order.pk = ObjectId()
    _adopt(order)
    order_progress.recount(order)
    order.save()
    if order.stations:
        current = order.stations[order.current_station_index]
        announcements.order_arrived(order, current, new=True)
    return order


def _adopt(order: Order) -> None:
    found = _adoptable(order)
    for pane in found:
        pane.order = order.pk
        pane.material = pane.material or order.material
        pane.stamp()
        outbox.record("Pane", stored(pane), "updated")
    records.replace_all(found)


def _mentions(values: Mapping[str, Any]) -> Iterator[references.Mention]:
    """List the references of an order, those inside its station history too."""
    yield from references.mentions(Order, values)
    history = values.get("station_history") or ()
    for name, model in (("station", "Station"), ("completedBy", "Worker")):
        ids = tuple(entry[name] for entry in history if entry.get(name))
        if ids:
            yield references.Mention(f"stationHistory.{name}", model, ids)


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
    references.check(_mentions(values))
    before = _Stand.of(order)
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


def _tell_stations(before: _Stand, order: Order) -> None:
    """One check-in a station concerned, and the arrival at a new present station."""
    after = _Stand.of(order)
    moved = (before.index, before.present) != (after.index, after.present)
    entered = dict.fromkeys(_opened(before.history, after.history))
    exited = dict.fromkeys(_closed(before.history, after.history))
    if moved and before.present is not None:
        exited[str(before.present)] = None
    if moved and after.present is not None:
        entered[str(after.present)] = None
    for station in exited:
        announcements.order_checked_in(order, station, "exited")
    for station in entered:
        announcements.order_checked_in(order, station, "entered")
    if moved and after.present is not None:
        announcements.order_arrived(order, after.present, new=False)


def _opened(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Stations whose history entry is open now, and was not there or was closed."""
    for then, entry in _paired(old, new):
        if not entry.get("exitedAt") and (then is None or then.get("exitedAt")):
            yield str(entry["station"])


def _closed(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Stations whose history entry is closed now, and was not there or was open."""
    for then, entry in _paired(old, new):
        if entry.get("exitedAt") and (then is None or not then.get("exitedAt")):
            yield str(entry["station"])


def _paired(
    old: Sequence[Entry], new: Sequence[Entry]
) -> Iterator[tuple[Entry | None, Entry]]:
    """Pair each entry with what it was before: at its place, of the same station."""
    for index, entry in enumerate(new):
        then = old[index] if index < len(old) else None
        same = then is not None and then["station"] == entry["station"]
        yield (then if same else None), entry
