"""Stations that no longer exist, on routes of work that is continued or made again.

Finished and cancelled work does not keep a station from being deleted. When such work is
restored, reopened or made again, the stations that are gone are left out of its routes.
"""

from collections.abc import Collection, Iterable

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.panes.refusals import StationGone
from glassflow.domain.panes.status import OPEN, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.station import Station
from glassflow.services import history
from glassflow.services.records import references


def find(stations: Iterable[ObjectId | None]) -> set[ObjectId]:
    """Return which of these stations are gone; the others are protected from deletion.

    Ids of None are left out. Call it inside the unit of work that continues the work.
    """
    ids = {one for one in stations if one is not None}
    return ids - references.find_existing(Station, ids)


def require_left(stations: Iterable[ObjectId | None]) -> None:
    """Raise `StationGone` if one of these stations is gone."""
    gone = find(stations)
    if gone:
        raise refusal(gone)


def refusal(gone: Collection[ObjectId]) -> StationGone:
    """Return the refusal that names stations that are gone."""
    return StationGone(names(gone))


def names(gone: Collection[ObjectId]) -> dict[str, str]:
    """Return the last names of deleted stations by id; the id where none is kept."""
    return {str(one): history.name_of(Station, one) or str(one) for one in sorted(gone)}


def leave_out(pane: Pane, gone: Collection[ObjectId]) -> None:
    """Remove stations from the route of a pane; the caller stores the pane.

    A pane at one of them moves to its next step as pending, or is completed after its
    last step; one without any step left has no station. For a claimed pane this is where
    the claim releases it to.
    """
    route, held = list(pane.routing), pane.held_from
    current = held["station"] if held else pane.current_station
    index = max(pane.route_index, 0)
    pane.routing = [step for step in route if step not in gone]
    # the steps before the current one that stay; -1, before the first step, stays -1
    kept_before = sum(step not in gone for step in route[:index])
    pane.route_index = kept_before if pane.route_index >= 0 else -1
    if current not in gone:
        return
    status, station = _next_place(pane, bool(route or pane.laminate_merged_at))
    if held:
        if held["status"] in OPEN:
            place = {"status": str(status), "station": station, "arrivedAt": None}
            pane.held_from = {**held, **place}
        return
    pane.current_status = str(status)
    pane.move_to(station)
    if status == Status.COMPLETED:
        pane.completed_at = clock.now()


def _next_place(pane: Pane, had_route: bool) -> tuple[Status, ObjectId | None]:
    """Return the status and station of a pane whose station is gone."""
    if pane.route_index < 0:  # just laminated: it continues as after a scan_out
        pane.route_index = 0
    if pane.route_index < len(pane.routing):
        return Status.PENDING, pane.routing[pane.route_index]
    if had_route and (pane.routing or pane.started_at):
        return Status.COMPLETED, None
    return Status.PENDING, None


def leave_out_of_order(order: Order, gone: Collection[ObjectId]) -> None:
    """Remove stations from the route of an order; the caller recounts and stores it."""
    index = order.current_station_index
    kept_before = sum(step not in gone for step in order.stations[:index])
    order.stations = [step for step in order.stations if step not in gone]
    order.current_station_index = min(kept_before, max(len(order.stations) - 1, 0))
