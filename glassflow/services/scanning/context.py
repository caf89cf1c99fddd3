"""What a scan is decided on besides the pane: the scan, its order and its stations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from bson import ObjectId
from cachetools import LRUCache

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, NotFound, Refusal, UnknownReference
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.domain.panes import scan_times
from glassflow.domain.panes.status import Action, PaneView, ScanFacts
from glassflow.domain.stations import StationStatus
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services.panes.mapping import parse_number
from glassflow.services.records import caches, references

# The orders that panes had when they were last read here, by pane number: hints only. The
# number without its last digit has the order of the neighbour that was read last, as the
# panes of an order are numbered one after the other.
_last_orders: LRUCache[str, ObjectId | None] = LRUCache(10_000)


class Cut(NamedTuple):
    """The lot that panes are cut from, and the withdrawal of its sheet."""

    inventory: ObjectId
    withdrawal: ObjectId


@dataclass(frozen=True, slots=True)
class Scan:
    """The body of a scan request; `station` None means the station of the pane.

    `operator` is the worker for whom another worker scans, `survivor` the number of
    the sheet that survives a lamination. `occurred_at` is when the scan happened, if that
    was before it was sent. `before_complete` is whether it applies to a pane whose work is
    not recorded as completed, too, `move_here` whether it takes in a pane that is recorded
    at another station. `photos` are the attachments of a failed check. `measured` is what was
    measured at a check, in mm, by the names of its members; None for nothing. `of_rack` is
    whether it is a scan of the rack that its panes stand on: they stay there. `cut` is set
    where the panes are cut from a sheet of a cutting plan.
    """

    action: Action
    station: ObjectId | None = None
    reason: str | None = None
    description: str | None = None
    operator: ObjectId | None = None
    remake_station: ObjectId | None = None
    survivor: str | None = None
    occurred_at: datetime | None = None
    before_complete: bool = False
    move_here: bool = False
    photos: tuple[ObjectId, ...] = ()
    measured: Mapping[str, Any] | None = None
    of_rack: bool = False
    cut: Cut | None = None

    @classmethod
    def from_body(cls, values: Mapping[str, Any]) -> "Scan":
        """Build a scan from a validated request body."""
        survivor = values.get("laminate_survivor_pane_number")
        return cls(
            action=Action(values["action"]),
            station=values.get("station"),
            reason=values.get("reason"),
            description=values.get("description"),
            operator=values.get("operator"),
            remake_station=values.get("remake_station_id"),
            survivor=parse_number(survivor) if survivor else None,
            occurred_at=values.get("occurred_at"),
            before_complete=bool(values.get("before_complete")),
            move_here=bool(values.get("move_here")),
            photos=tuple(values.get("photos") or ()),
            measured=values.get("measured"),
        )

    def authorize(self, actor: Identity) -> None:
        """Raise `Forbidden` for a scan for another worker without `workers:view`.

        Also for one with `move_here` without `panes:manage`, and for one that does not name the station of the shared device that it is made
        on, if that is bound to one.
        """
        if self.is_for_another(actor):
            actor.require("workers:view")  # as for a check-in for another worker
        if self.move_here:
            actor.require("panes:manage")  # as for any other correction
        if actor.device_station and self.station != actor.device_station:
            raise Forbidden(texts.DEVICE_OF_OTHER_STATION)

    def authorize_at(self, actor: Identity, panes: Iterable[Pane]) -> None:
        """Raise `Forbidden` at a station at which the actor's role may not scan."""
        if actor.scan_stations is None:
            return
        stations = {str(self.station or pane.current_station) for pane in panes}
        if not stations <= actor.scan_stations:
            raise Forbidden(texts.SCAN_AT_OTHER_STATION)

    def is_for_another(self, actor: Identity) -> bool:
        """Return whether the scan names another worker as its operator."""
        return self.operator is not None and self.operator != actor.worker_id

    def worker_for(self, actor: Identity) -> ObjectId:
        """Return the worker to log: the operator, if the scan names one."""
        return self.operator or actor.worker_id


@dataclass(frozen=True, slots=True)
class ScanContext:
    """A scan with the records that it depends on besides its panes.

    `stations` are stations in stored form by the text of the id; they are cached. `remake_numbers` are pane
    numbers for remakes, one for each pane of a `qc_fail`, drawn before the transaction.
    """

    scan: Scan
    actor: Identity
    orders: Mapping[ObjectId, Order]
    stations: Mapping[str, Mapping[str, Any]]
    cancelled_requests: frozenset[ObjectId]
    remake_numbers: Sequence[str] = ()

    @classmethod
    def load(
        cls,
        panes: Sequence[Pane],
        orders: Iterable[Order],
        scan: Scan,
        actor: Identity,
        remake_numbers: Sequence[str] = (),
    ) -> "ScanContext":
        """Check the references of a scan and read what its panes depend on.

        `orders` are the orders of the panes. Takes one query for each collection,
        however many panes. Raises `ScanTimeRefused`, and `UnknownReference` for an
        operator or a station that does not exist.
        """
        scan_times.require_plausible(scan.occurred_at, clock.now())
        _require_references(scan, actor)
        stations = _stations(panes, scan)
        if scan.station and str(scan.station) not in stations:
            raise UnknownReference(texts.STATION_NOT_FOUND)
        return cls(
            scan=scan,
            actor=actor,
            orders={order.pk: order for order in orders},
            stations=stations,
            cancelled_requests=_cancelled_requests(panes),
            remake_numbers=remake_numbers,
        )

    @property
    def worker(self) -> ObjectId:
        """The worker to log for this scan."""
        return self.scan.worker_for(self.actor)

    @property
    def occurred_at(self) -> datetime:
        """When the scan happened: now, unless it was kept by a device."""
        return self.scan.occurred_at or clock.now()

    def order_of(self, pane: Pane) -> Order | None:
        """Return the order of a pane, if it has one."""
        return self.orders.get(pane.order) if pane.order else None

    def station_name(self, station: str) -> str:
        """Return the name of a station, or its id if the station is deleted."""
        return str(self.stations.get(station, {}).get("name", station))

    def facts(self, pane: Pane, view: PaneView) -> ScanFacts:
        """Return the facts that the pane flow decides on."""
        given = str(self.scan.station) if self.scan.station else None
        station = self.stations.get(given or view.present_station or "", {})
        order = self.order_of(pane)
        cancelled = order is not None and order.status == OrderStatus.CANCELLED
        return ScanFacts(
            station=given,
            policy=runtime.current().policy.scan_policy,
            work_cancelled=cancelled or pane.request in self.cancelled_requests,
            maintenance=station.get("status") == StationStatus.MAINTENANCE,
            reason=self.scan.reason,
            before_complete=self.scan.before_complete,
            move_here=self.scan.move_here,
            station_names={key: row["name"] for key, row in self.stations.items()},
        )


def load_with_order(number: str) -> tuple[Pane, list[Order]]:
    """Load a pane by its number, and its order if it has one, in one round trip.

    Inside a unit of work, reserves the order. Raises `NotFound`.
    """
    _expect_orders([number])
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"paneNumber": number}},
        {
            "$lookup": {
                "from": Order.collection_name(),
                "localField": "order",
                "foreignField": "_id",
                "as": "orders",
            }
        },
    ]
    row = next(iter(Pane.collection().aggregate(pipeline)), None)
    if row is None:
        raise NotFound(texts.PANE_NOT_FOUND)
    orders = [Order.from_stored(order) for order in row.pop("orders")]
    pane = Pane.from_stored(row)
    _reserve_orders([pane])
    return pane, orders


def load_all_with_orders(
    numbers: Sequence[str],
) -> tuple[list[Pane], Sequence[Order]]:
    """Load panes by their numbers, and their orders, in two round trips.

    Inside a unit of work, reserves the orders. Raises `Refusal` with all unknown numbers.
    """
    _expect_orders(numbers)
    panes = load_all(numbers)
    ids = _reserve_orders(panes)
    return panes, Order.find_many({"_id": {"$in": list(ids)}}) if ids else []


def load_all(numbers: Sequence[str]) -> list[Pane]:
    """Load panes by their numbers, in this order; raises `Refusal` with all unknown ones."""
    query = {"paneNumber": {"$in": list(numbers)}}
    found = {pane.pane_number: pane for pane in Pane.find_many(query)}
    unknown = [number for number in numbers if number not in found]
    if unknown:
        raise Refusal(
            texts.UNKNOWN_PANES.format(numbers=", ".join(unknown)),
            code="UNKNOWN_PANES",
            details={"paneNumbers": unknown},
        )
    return [found[number] for number in numbers]


# The scans of one order run one after the other in a process. Most of them write the order.
# Without the wait they conflict, and the last of several scans waits for many repetitions
# of the others.


def _expect_orders(numbers: Sequence[str]) -> None:
    """Reserve the orders that these panes probably have, before they are read.

    A unit of work that finds an order reserved only when it has read its panes has begun
    its transaction and read them in vain.
    """
    found = (_last_orders.get(one, _last_orders.get(one[:-1])) for one in numbers)
    locks.reserve(Order, {order for order in found if order})


def _reserve_orders(panes: Sequence[Pane]) -> set[ObjectId]:
    """Reserve the orders of panes that have been read; return their ids."""
    for pane in panes:
        number = pane.pane_number
        _last_orders[number] = _last_orders[number[:-1]] = pane.order
    ids = {pane.order for pane in panes if pane.order}
    locks.reserve(Order, ids)
    return ids


def _require_references(scan: Scan, actor: Identity) -> None:
    given = []
    if scan.operator and scan.is_for_another(actor):
        given.append(references.Reference("operator", "Worker", (scan.operator,)))
    if scan.remake_station:
        station = (scan.remake_station,)
        given.append(references.Reference("remakeStationId", "Station", station))
    references.require_exist(given)


def _stations(panes: Iterable[Pane], scan: Scan) -> dict[str, Mapping[str, Any]]:
    """Return the given station and those of the routes of the panes, cached."""
    ids: set[ObjectId | None] = {scan.station}
    for pane in panes:
        ids.update(pane.routing)
        ids.update((pane.current_station, pane.laminate_station))
    found = caches.STATIONS.get_all([station for station in ids if station])
    return {str(key): row for key, row in found.items()}


def _cancelled_requests(panes: Iterable[Pane]) -> frozenset[ObjectId]:
    """Read which requests of panes without an order are cancelled.

    A cancelled request cancels its orders, so panes with an order need no look-up.
    """
    ids = list({pane.request for pane in panes if pane.request and not pane.order})
    if not ids:
        return frozenset()
    found = Request.collection().find({"_id": {"$in": ids}}, {"status": 1})
    return frozenset(
        row["_id"] for row in found if row.get("status") == RequestStatus.CANCELLED
    )
