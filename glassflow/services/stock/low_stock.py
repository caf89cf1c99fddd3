"""Low stock: which materials are low, and one announcement when one becomes low.

A material is judged over all its active lots, so every change of a lot touches the
material's record: two transactions that change lots of one material conflict.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain import stock, texts
from glassflow.domain.notifications import NotificationPriority, NotificationType
from glassflow.domain.stock import Quantity
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.notification import Notification
from glassflow.services import records
from glassflow.services.auth import grants

NOTIFIED_KEY = "inventory:manage"

_tracked: ContextVar[frozenset[ObjectId]] = ContextVar("tracked", default=frozenset())


class Shortage(NamedTuple):
    """A material in stored form that is low, and the quantity that is left."""

    material: dict[str, Any]
    left: Quantity


def shortages(among: Collection[ObjectId] | None = None) -> list[Shortage]:
    """List the active materials that are low, by name, of all or of some materials.

    Low is less than the reorder point in all active lots together. Two queries.
    """
    wanted = {"isActive": {"$ne": False}, "reorderPoint": {"$gt": 0}}
    rows = Material.collection().find({**wanted, **_among("_id", among)})
    materials = list(rows.sort("name"))
    left = quantities_left(among) if materials else {}
    found = [Shortage(row, left.get(row["_id"], 0)) for row in materials]
    return [one for one in found if is_short(one.material, one.left)]


def is_short(material: Mapping[str, Any], left: Quantity) -> bool:
    """Return whether a stored material is low with this much left in its active lots.

    One that is out of use never is: nobody is to order it.
    """
    in_use = material.get("isActive") is not False
    return in_use and stock.is_low(left, material["reorderPoint"])


def quantities_left(among: Collection[ObjectId] | None) -> Mapping[Any, Quantity]:
    """Add up the active lots of each material, without float drift."""
    pipeline: list[Mapping[str, Any]] = [
        {"$match": {"isActive": {"$ne": False}, **_among("material", among)}},
        {"$group": {"_id": "$material", "quantity": {"$sum": "$quantity"}}},
    ]
    sums = Inventory.collection().aggregate(pipeline)
    return {row["_id"]: stock.round_quantity(row["quantity"]) for row in sums}


def _among(field: str, ids: Collection[ObjectId] | None) -> dict[str, Any]:
    return {} if ids is None else {field: {"$in": list(ids)}}


@contextmanager
def tracking(*materials: ObjectId) -> Iterator[None]:
    """Announce the materials that changes inside the block take below their reorder point.

    Inside a unit of work only. A material that an outer block tracks is measured by
    that block, so that a withdrawal that returns and issues again is one change.
    """
    fresh = sorted(set(materials) - _tracked.get())
    if not fresh:
        yield
        return
    locks.touch(Material, fresh)
    low_before = {one.material["_id"] for one in shortages(fresh)}
    before = _tracked.set(_tracked.get().union(fresh))
    try:
        yield
    finally:
        _tracked.reset(before)
    sufficient = [one for one in fresh if one not in low_before]
    if sufficient and (low := shortages(sufficient)):
        for one in low:
            records.announce(Material.from_stored(one.material), "low_stock")
        notify(low)


def notify(low: Sequence[Shortage]) -> None:
    """Notify the stock managers of materials that have become low."""
    contents = [_content(one) for one in low]
    recipients = grants.workers_who_may(NOTIFIED_KEY)
    records.store(
        *[
            Notification(pk=ObjectId(), recipient=one, **content)
            for content in contents
            for one in recipients
        ]
    )


def _content(shortage: Shortage) -> dict[str, Any]:
    material, left = shortage
    name, unit, point = (material[key] for key in ("name", "unit", "reorderPoint"))
    return {
        "type": NotificationType.LOW_STOCK,
        "title": texts.LOW_STOCK,
        "message": texts.LOW_STOCK_MESSAGE.format(
            material=name, left=left, unit=unit, point=point
        ),
        "reference_id": str(material["_id"]),
        "reference_type": "Material",
        "priority": NotificationPriority.HIGH,
    }
