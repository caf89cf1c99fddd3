"""The panes that wait to be cut, and why others do not."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.pieces import piece_of
from glassflow.domain.cutting.plan import Piece
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.cutting.stages import LeftOut
from glassflow.domain.orders import OPEN_ORDERS, OrderStatus
from glassflow.domain.panes.status import Status
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import IN_ORDER, Station
from glassflow.services.cutting.layout import Layout, PlannedSheet
from glassflow.services.records import lookup

OF_PANE = (
    *("paneNumber", "material", "order", "dimensions", "edgeTasks", "rawGlass"),
    *("currentStatus", "currentStation", "cuttingPlan"),
)
# Work on it may have begun; it is cut when that is completed.
UNCUT = frozenset({Status.PENDING, Status.IN_PROGRESS})


class PendingPane(NamedTuple):
    """A pane in stored form, what it is made of, and the deadline of its request."""

    pane: Raw
    material: ObjectId | None
    deadline: datetime | None


def cutting_stations() -> list[Raw]:
    """Return the ids and names of the cutting stations, in their order."""
    found = Station.collection().find({"isCuttingStation": True}, {"name": 1})
    return list(found.sort(IN_ORDER))


def read(stations: Iterable[ObjectId]) -> list[PendingPane]:
    """Return the panes of open orders that are pending at these stations.

    Three round trips, whatever there is.
    """
    wanted = list(stations)
    query = {
        "currentStation": {"$in": wanted},
        "currentStatus": str(Status.PENDING),
        "order": {"$ne": None},
    }
    shown = dict.fromkeys(OF_PANE, 1)
    panes = list(Pane.collection().find(query, shown)) if wanted else []
    orders = lookup.referred(Order, panes, "order", ("material", "request", "status"))
    requests = (one.get("request") for one in orders.values())
    deadlines = lookup.field_of(Request, "deadline", requests)
    found = []
    for pane in panes:
        order = orders.get(pane["order"])
        if order is not None and order["status"] in OPEN_ORDERS:
            material = pane.get("material") or order.get("material")
            deadline = deadlines.get(order.get("request"))
            found.append(PendingPane(pane, material, deadline))
    return found


def to_plan(material: ObjectId) -> list[Raw]:
    """Return the panes of a material that no released plan has, the earliest due first."""
    waiting = [
        one
        for one in read(one["_id"] for one in cutting_stations())
        if one.material == material and not one.pane.get("cuttingPlan")
    ]
    waiting.sort(key=lambda one: (one.deadline or datetime.max, one.pane["_id"]))
    return [one.pane for one in waiting]


class Candidates(NamedTuple):
    """Panes of a plan by id: those that can be cut for it, and why others cannot."""

    panes: Mapping[ObjectId, Raw]
    left: Mapping[ObjectId, LeftOut]


def candidates(
    ids: Sequence[ObjectId],
    material: ObjectId,
    plan: ObjectId | None,
    *,
    is_released: bool = False,
) -> Candidates:
    """Return which panes a plan of a material can have now. Three round trips.

    A released plan has those that name it: another one has left it, even if it came back.
    """
    stations = {one["_id"] for one in cutting_stations()}
    panes = lookup.by_id(Pane, ids, OF_PANE)
    orders = lookup.referred(Order, panes.values(), "order", ("material", "status"))
    left = {}
    for one in ids:
        pane = panes.get(one)
        order = orders.get(pane.get("order")) if pane else None
        reason = _reason(pane, order, material, plan, stations)
        if is_released and reason is None and pane and not pane.get("cuttingPlan"):
            reason = LeftOut.CHANGED
        if reason:
            left[one] = reason
    return Candidates({k: v for k, v in panes.items() if k not in left}, left)


def of_sheets(
    plan: CuttingPlan, layout: Layout, sheets: Sequence[PlannedSheet]
) -> Candidates:
    """Return which panes on sheets of a released plan can be cut, in their order."""
    on_sheets = layout.panes_on(sheets)
    return candidates(on_sheets, plan.material, plan.pk, is_released=True)


def _reason(
    pane: Raw | None,
    order: Raw | None,
    material: ObjectId,
    plan: ObjectId | None,
    stations: set[ObjectId],
) -> LeftOut | None:
    """Return why a pane cannot be cut for a plan; None if it can."""
    if pane is None:
        return LeftOut.DELETED
    status = pane["currentStatus"]
    if status == Status.CANCELLED or (
        order is not None and order["status"] == OrderStatus.CANCELLED
    ):
        return LeftOut.CANCELLED
    if status in (Status.DEFECTED, Status.CLAIMED):
        return LeftOut.REPLACED
    if status not in UNCUT or pane.get("currentStation") not in stations:
        return LeftOut.MOVED_ON
    if order is None or (pane.get("material") or order.get("material")) != material:
        return LeftOut.CHANGED
    if pane.get("cuttingPlan") not in (None, plan):
        return LeftOut.OTHER_PLAN
    return None


def changed_sizes(
    planned: Mapping[ObjectId, Piece],
    panes: Mapping[ObjectId, Raw],
    material: Raw,
    rules: CuttingRules,
) -> set[ObjectId]:
    """Return the panes that would be cut in another size now than was planned."""
    return {
        one
        for one, pane in panes.items()
        if piece_of(pane, material, rules) != planned[one]
    }


def numbers(ids: Sequence[ObjectId]) -> dict[ObjectId, str]:
    """Return the numbers of panes by id; those of deleted panes are unknown."""
    return lookup.field_of(Pane, "paneNumber", ids)
