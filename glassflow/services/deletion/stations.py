"""Remove stations that are deleted from the routes of open panes and orders."""

from collections.abc import Collection, Sequence

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import order_figures, records
from glassflow.services.deletion.rules import OPEN_ORDER, OPEN_PANE
from glassflow.services.panes import gone_stations, logs


def remove_from_routes(stations: Collection[ObjectId], *, actor: Identity) -> None:
    """Remove stations from the routes of open panes and orders, before the delete.

    Each pane gets a correction log; where it goes says `gone_stations.leave_out`. Finished
    panes and orders keep their routes.
    """
    if not stations:
        return
    deleted = {"$in": list(stations)}
    panes = _panes_concerned(stations)
    _reroute_panes(panes, stations, actor)
    orders = list(Order.objects(__raw__={"stations": deleted, **OPEN_ORDER}))
    for order in orders:
        gone_stations.leave_out_of_order(order, stations)
    order_figures.recount_all(orders)
    order_figures.store(*orders)
    others = {pane.order for pane in panes} - {order.pk for order in orders}
    order_figures.recount_orders(others)


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
        for row in Pane.collection().find(query, ["_id"])
    ]
    return list(Pane.objects(pk__in=list(dict.fromkeys(ids)))) if ids else []


def _reroute_panes(
    panes: Sequence[Pane], stations: Collection[ObjectId], actor: Identity
) -> None:
    entries, left_stations = [], {}
    for pane in panes:
        before, left = logs.snapshot(pane), pane.current_station
        gone_stations.leave_out(pane, stations)
        left_stations[pane.pk] = [str(left)] if left else []
        if logs.snapshot(pane) != before:
            reason = texts.STATION_DELETED
            entries.append(logs.correction_log(pane, before, actor, reason=reason))
    records.store(*panes, stations=left_stations)
    logs.store(*entries)
