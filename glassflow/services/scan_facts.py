"""What a scan is decided on besides the pane: its order, its request, the stations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow.domain import pane_flow
from glassflow.domain.errors import UnknownReference
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.services import policy
from glassflow.services.identity import Identity
from glassflow.services.pane_views import number_of


@dataclass(frozen=True, slots=True)
class Scan:
    """What a worker says by scanning; `station` None means where the pane is."""

    action: str
    station: ObjectId | None = None
    reason: str | None = None
    description: str | None = None
    operator: ObjectId | None = None
    remake_station: ObjectId | None = None
    survivor: str | None = None

    @classmethod
    def said(cls, values: Mapping[str, Any]) -> "Scan":
        """Take a scan from its body."""
        names = ("action", "station", "reason", "description", "operator")
        said: dict[str, Any] = {name: values.get(name) for name in names}
        said["remake_station"] = values.get("remake_station_id")
        survivor = values.get("laminate_survivor_pane_number")
        said["survivor"] = number_of(survivor) if survivor else None
        return cls(**said)

    def by(self, actor: Identity) -> ObjectId:
        """Tell who did it: another where one is named."""
        return self.operator or actor.worker_id


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The orders, stations (id text: name, status) and cancelled requests in play."""

    orders: Mapping[ObjectId, Order] = field(default_factory=dict)
    stations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cancelled_requests: frozenset[ObjectId] = frozenset()

    def order_of(self, pane: Pane) -> Order | None:
        """Give the pane's order, if it has one."""
        return self.orders.get(pane.order)

    def station_name(self, station: str) -> str:
        """Give a station's name, or its id where the station is gone."""
        return str(self.stations.get(station, {}).get("name", station))

    def facts(
        self, pane: Pane, view: pane_flow.PaneView, scan: Scan
    ) -> pane_flow.Facts:
        """Give the facts that the pane flow decides on."""
        given = str(scan.station) if scan.station else None
        at = self.stations.get(given or view.present_station or "", {})
        order = self.order_of(pane)
        cancelled = order is not None and order.status == "cancelled"
        return pane_flow.Facts(
            station=given,
            policy=policy.current().scan_policy,
            work_cancelled=cancelled or pane.request in self.cancelled_requests,
            maintenance=at.get("status") == "maintenance",
            reason=scan.reason,
            station_names={key: s["name"] for key, s in self.stations.items()},
        )


def look_around(scanned: Sequence[Pane], scan: Scan) -> Surroundings:
    """Read what surrounds these panes: one query a collection.

    Raises `UnknownReference` for a station that does not exist. The request is read
    only for panes without an order, as a cancelled request cancels its orders.
    """
    order_ids = {pane.order for pane in scanned if pane.order}
    alone = {p.request for p in scanned if p.request and not p.order}
    stations = _stations(scanned, scan)
    if scan.station and str(scan.station) not in stations:
        raise UnknownReference("Station not found")
    return Surroundings(
        orders={o.pk: o for o in Order.objects(pk__in=order_ids)} if order_ids else {},
        stations=stations,
        cancelled_requests=_cancelled(alone) if alone else frozenset(),
    )


def _stations(scanned: Sequence[Pane], scan: Scan) -> dict[str, Mapping[str, Any]]:
    """Read the stations where the panes are, where they go next, and the given one."""
    ids = {scan.station} if scan.station else set()
    for pane in scanned:
        step = max(pane.route_index, 0)
        ids.update(pane.routing[step : step + 2])
        ids.update((pane.current_station, pane.laminate_station))
    wanted = [one for one in ids if one]
    found = Station._get_collection().find(
        {"_id": {"$in": wanted}}, {"name": 1, "status": 1}
    )
    return {str(row["_id"]): row for row in found}


def _cancelled(request_ids: set[ObjectId]) -> frozenset[ObjectId]:
    found = Request._get_collection().find(
        {"_id": {"$in": list(request_ids)}}, {"status": 1}
    )
    return frozenset(row["_id"] for row in found if row.get("status") == "cancelled")
