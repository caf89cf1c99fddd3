"""Panes that are planned, loaded or handed over: found, touched, and judged."""

from collections.abc import Collection, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain import deliveries as rules
from glassflow.domain.aliases import Raw
from glassflow.domain.deliveries import DeliveryStatus, Obstacle
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.deliveries.refusals import PaneObstacle, PanesRefused
from glassflow.services.panes.mapping import parse_number
from glassflow.services.records import lookup

PLANNED = {"status": str(DeliveryStatus.PLANNED)}


def find(numbers: Sequence[str]) -> list[dict[str, Any]]:
    """Read panes by number or QR payload, once each; without those that do not exist."""
    wanted = list(dict.fromkeys(parse_number(one) for one in numbers))
    rows = Pane.collection().find({"paneNumber": {"$in": wanted}})
    found = {row["paneNumber"]: row for row in rows}
    return [found[one] for one in wanted if one in found]


def take(ids: Sequence[ObjectId]) -> list[dict[str, Any]]:
    """Touch panes and read them, in the order of the ids."""
    locks.touch(Pane, ids)
    rows = Pane.collection().find({"_id": {"$in": list(ids)}}) if ids else ()
    found = {row["_id"]: row for row in rows}
    return [found[one] for one in ids if one in found]


def refuse(
    delivery: Delivery,
    panes: Sequence[Raw],
    judge: rules.Judge,
    *,
    numbers: Sequence[str] = (),
    among: Collection[ObjectId] | None = None,
) -> None:
    """Raise `PanesRefused` for panes with an obstacle.

    `numbers` are those that were asked for: the unknown ones are not planned. This holds
    for every pane that is not `among` the given ones too.
    """
    found = obstacles_of(delivery, panes, judge)
    named = {one.number for one in found}
    known = {one["paneNumber"] for one in panes}
    missing = [one for one in map(parse_number, numbers) if one not in known]
    if among is not None:
        missing += [
            one["paneNumber"]
            for one in panes
            if one["_id"] not in among and one["paneNumber"] not in named
        ]
    found += [PaneObstacle(one, Obstacle.NOT_PLANNED) for one in dict.fromkeys(missing)]
    if found:
        raise PanesRefused(found)


def obstacles_of(
    delivery: Delivery, panes: Sequence[Raw], judge: rules.Judge
) -> list[PaneObstacle]:
    """List what keeps panes in stored form from being on a delivery; three queries."""
    if not panes:
        return []
    others = _other_deliveries(delivery, panes)
    customers = lookup.customers_of_panes(panes)
    found = []
    for pane in panes:
        other = others.get(pane["_id"])
        owners = {customers.get(pane.get("order")), customers.get(pane.get("request"))}
        obstacle = Obstacle.OTHER_DELIVERY if other else judge(pane)
        if obstacle is None and delivery.customer not in owners:
            obstacle = Obstacle.OTHER_CUSTOMER
        if obstacle is not None:
            found.append(PaneObstacle(pane["paneNumber"], obstacle, other or ""))
    return found


def _other_deliveries(delivery: Delivery, panes: Sequence[Raw]) -> dict[ObjectId, str]:
    """Return by pane the number of another planned delivery that it is on."""
    query = {
        "panes": {"$in": [one["_id"] for one in panes]},
        "_id": {"$ne": delivery.pk},
        **PLANNED,
    }
    rows = Delivery.collection().find(query, {"panes": 1, "deliveryNumber": 1})
    return {one: row["deliveryNumber"] for row in rows for one in row["panes"]}


def open_panes(delivery: Delivery, ids: Sequence[ObjectId]) -> list[ObjectId]:
    """Return those of some panes that can be on a delivery, without a refusal.

    Call it inside the unit of work that puts them on it.
    """
    found = take(ids)
    refused = {
        one.number for one in obstacles_of(delivery, found, rules.obstacle_to_planning)
    }
    return [one["_id"] for one in found if one["paneNumber"] not in refused]


def no_longer_wait(panes: Collection[ObjectId], *, but: ObjectId | None) -> None:
    """Note that panes do not wait on the deliveries from which they came back any more.

    They were planned again, or handed over; `but` is the delivery on which they are now.
    One query; call it inside the unit of work.
    """
    if not panes:
        return
    query = {"missingPanes": {"$in": list(panes)}, "_id": {"$ne": but}}
    found = Delivery.find_many(query)
    for one in found:
        one.missing_panes = [pane for pane in one.missing_panes if pane not in panes]
        kept = {*one.panes, *one.missing_panes}
        one.loaded_panes = [pane for pane in one.loaded_panes if pane in kept]
    records.store(*found)
