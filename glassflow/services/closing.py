"""Stations that close: what was still to pass them is led past."""

from collections.abc import Collection, Sequence

from bson import ObjectId

from glassflow.core import clock, outbox
from glassflow.domain.pane_flow import OPEN, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import corrections, order_progress, records
from glassflow.services.dependents import OPEN_ORDER, OPEN_PANE
from glassflow.services.identity import Identity
from glassflow.services.representation import stored


def close(stations: Collection[ObjectId], *, actor: Identity) -> None:
    """Take stations from the routes of open panes and orders, before they are deleted.

    A pane that is there waits at its next step; after its last one it is finished, and
    one that has no route left stands nowhere. Its log says so. What is finished keeps
    its route as it was.
    """
    if not stations:
        return
    among = {"$in": list(stations)}
    route = {"routing": among, **OPEN_PANE}
    ids = [
        row["_id"]
        for query in (route, {"currentStation": among}, {"heldFrom.station": among})
        for row in Pane._get_collection().find(query, ["_id"])
    ]
    panes = list(Pane.objects(pk__in=list(dict.fromkeys(ids)))) if ids else []
    _lead_panes_past(panes, stations, actor)
    orders = list(Order.objects(__raw__={"stations": among, **OPEN_ORDER}))
    for order in orders:
        _lead_order_past(order, stations)
    concerned = {pane.order for pane in panes} - {order.pk for order in orders}
    order_progress.recount_orders(concerned)


def _lead_panes_past(
    panes: Sequence[Pane], stations: Collection[ObjectId], actor: Identity
) -> None:
    logs = []
    for pane in panes:
        before, left = corrections.state(pane), pane.current_station
        _lead_pane_past(pane, stations)
        pane.stamp()
        heard = [str(left)] if left else []
        outbox.record("Pane", stored(pane), "updated", stations=heard)
        if corrections.state(pane) != before:
            reason = "station deleted"
            logs.append(corrections.log_of(pane, before, actor, reason=reason))
    records.replace_all(panes)
    records.insert_all(logs, announce=False)


def _lead_pane_past(pane: Pane, stations: Collection[ObjectId]) -> None:
    route, held = list(pane.routing), pane.held_from
    stands = held["station"] if held else pane.current_station
    ahead = max(pane.route_index, 0)
    pane.routing = [step for step in route if step not in stations]
    # those before its step that stay; -1 is before the first, and remains so
    passed = sum(step not in stations for step in route[:ahead])
    pane.route_index = passed if pane.route_index >= 0 else -1
    if stands not in stations:
        return
    status, station = _next_place(pane, bool(route or pane.laminate_merged_at))
    if held:  # a claim has it: it goes back there
        if held["status"] in OPEN:
            pane.held_from = {**held, "status": str(status), "station": station}
        return
    pane.current_status, pane.current_station = str(status), station
    if status == Status.COMPLETED:
        pane.completed_at = clock.now()


def _next_place(pane: Pane, routed: bool) -> tuple[Status, ObjectId | None]:
    """Give the status and station of a pane whose station closes under it."""
    if pane.route_index < 0:  # just laminated: it goes on as by a scan_out
        pane.route_index = 0
    if pane.route_index < len(pane.routing):
        return Status.PENDING, pane.routing[pane.route_index]
    if routed and (pane.routing or pane.started_at):
        return Status.COMPLETED, None
    return Status.PENDING, None


def _lead_order_past(order: Order, stations: Collection[ObjectId]) -> None:
    index = order.current_station_index
    passed = sum(step not in stations for step in order.stations[:index])
    order.stations = [step for step in order.stations if step not in stations]
    order.current_station_index = min(passed, max(len(order.stations) - 1, 0))
    order_progress.recount(order)
    order.save()
