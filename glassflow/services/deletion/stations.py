"""Remove stations that are deleted from the routes of open panes and orders."""

from collections.abc import Collection, Sequence

from bson import ObjectId

from glassflow.core import clock
from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.panes.status import OPEN, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import progress, records
from glassflow.services.deletion.rules import OPEN_ORDER, OPEN_PANE
from glassflow.services.panes import correct


def remove_from_routes(stations: Collection[ObjectId], *, actor: Identity) -> None:
    """Remove stations from the routes of open panes and orders, before the delete.

    A pane at one of them moves to its next step as pending, or is completed after its
    last step; a new pane without any step left has no station. Each gets a correction
    log. Finished panes and orders keep their routes.
    """
    if not stations:
        return
    deleted = {"$in": list(stations)}
    panes = _panes_concerned(stations)
    _reroute_panes(panes, stations, actor)
    orders = list(Order.objects(__raw__={"stations": deleted, **OPEN_ORDER}))
    for order in orders:
        _reroute_order(order, stations)
    progress.recount_all(orders)
    records.save_all(orders)
    others = {pane.order for pane in panes} - {order.pk for order in orders}
    progress.recount_orders(others)


def _panes_concerned(stations: Collection[ObjectId]) -> list[Pane]:
    """Load the panes that are at these stations, or have them ahead or in a claim."""
    deleted = {"$in": list(stations)}
    queries = (
        {"routing": deleted, **OPEN_PANE},
        {"currentStation": deleted},
        {"heldFrom.station": deleted},
    )
    ids = [
        row["_id"]
        for query in queries
        for row in Pane._get_collection().find(query, ["_id"])
    ]
    return list(Pane.objects(pk__in=list(dict.fromkeys(ids)))) if ids else []


def _reroute_panes(
    panes: Sequence[Pane], stations: Collection[ObjectId], actor: Identity
) -> None:
    logs, left_stations = [], {}
    for pane in panes:
        before, left = correct.snapshot(pane), pane.current_station
        _reroute_pane(pane, stations)
        left_stations[pane.pk] = [str(left)] if left else []
        if correct.snapshot(pane) != before:
            reason = texts.STATION_DELETED
            logs.append(correct.correction_log(pane, before, actor, reason=reason))
    records.save_all(panes, stations=left_stations)
    records.insert_all(logs, announce=False)


def _reroute_pane(pane: Pane, stations: Collection[ObjectId]) -> None:
    route, held = list(pane.routing), pane.held_from
    current = held["station"] if held else pane.current_station
    index = max(pane.route_index, 0)
    pane.routing = [step for step in route if step not in stations]
    # the steps before the current one that stay; -1, before the first step, stays -1
    kept_before = sum(step not in stations for step in route[:index])
    pane.route_index = kept_before if pane.route_index >= 0 else -1
    if current not in stations:
        return
    status, station = _next_place(pane, bool(route or pane.laminate_merged_at))
    if held:  # the claim releases the pane to there
        if held["status"] in OPEN:
            place = {"status": str(status), "station": station, "arrivedAt": None}
            pane.held_from = {**held, **place}
        return
    pane.current_status = str(status)
    pane.move_to(station)
    if status == Status.COMPLETED:
        pane.completed_at = clock.now()


def _next_place(pane: Pane, had_route: bool) -> tuple[Status, ObjectId | None]:
    """Return the status and station of a pane whose station is deleted."""
    if pane.route_index < 0:  # just laminated: it continues as after a scan_out
        pane.route_index = 0
    if pane.route_index < len(pane.routing):
        return Status.PENDING, pane.routing[pane.route_index]
    if had_route and (pane.routing or pane.started_at):
        return Status.COMPLETED, None
    return Status.PENDING, None


def _reroute_order(order: Order, stations: Collection[ObjectId]) -> None:
    """Remove stations from an order's route; the caller recounts and stores it."""
    index = order.current_station_index
    kept_before = sum(step not in stations for step in order.stations[:index])
    order.stations = [step for step in order.stations if step not in stations]
    order.current_station_index = min(kept_before, max(len(order.stations) - 1, 0))
