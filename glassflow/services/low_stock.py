"""Low stock: told once, when a change takes a material below its reorder point.

It is judged over all active lots of the material, so whoever changes one of them takes
turns with the others by writing the material's record.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core import outbox
from glassflow.domain import permissions, stock
from glassflow.domain.stock import Quantity
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.notification import Notification
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services import records

LOW_STOCK = "วัสดุใกล้หมด"
CONCERNED = "inventory:manage"

_watched: ContextVar[frozenset[ObjectId]] = ContextVar("watched", default=frozenset())


class Shortage(NamedTuple):
    """A material, in stored form, of which there is too little, and how much is left."""

    material: dict[str, Any]
    left: Quantity


@contextmanager
def watched(*materials: ObjectId, announce: bool = True) -> Iterator[None]:
    """Change the stock of materials inside, one at a time; it is judged at the end.

    Inside a unit of work only. What is watched already is judged by the outer block,
    so that a withdrawal that gives back and takes anew is one change. Without
    `announce` only people are notified, as another event tells of the material.
    """
    fresh = sorted(set(materials) - _watched.get())
    for material in fresh:
        _take_turn(material)
    enough = [material for material in fresh if _shortage(material) is None]
    before = _watched.set(_watched.get().union(fresh))
    try:
        yield
    finally:
        _watched.reset(before)
    for shortage in map(_shortage, enough):
        if shortage is not None:
            _tell(shortage, announce)


def _take_turn(material: ObjectId) -> None:
    """Write the material without a visible change: of two at once one starts anew."""
    turn = {"$inc": {"stockTurn": 1}}
    Material._get_collection().update_one({"_id": material}, turn)


def _shortage(material: ObjectId) -> Shortage | None:
    row = Material._get_collection().find_one({"_id": material})
    if row is None or not row.get("isActive", True) or row["reorderPoint"] <= 0:
        return None
    lots = Inventory._get_collection().find(
        {"material": material}, {"quantity": 1, "isActive": 1}
    )
    left = stock.total(lot["quantity"] for lot in lots if lot.get("isActive", True))
    return Shortage(row, left) if stock.is_low(left, row["reorderPoint"]) else None


def _tell(shortage: Shortage, announce: bool) -> None:
    material, left = shortage
    if announce:
        outbox.record("Material", material, "low_stock")
    name, unit, point = (material[key] for key in ("name", "unit", "reorderPoint"))
    said = {
        "type": "low_stock",
        "title": LOW_STOCK,
        "message": f"{name} เหลือ {left} {unit} ต่ำกว่าจุดสั่งซื้อ {point} {unit}",
        "reference_id": str(material["_id"]),
        "reference_type": "Material",
        "priority": "high",
    }
    records.insert_all(
        [Notification(pk=ObjectId(), recipient=one, **said) for one in _concerned()]
    )


def _concerned() -> list[ObjectId]:
    """List the active workers who can see to it."""
    roles = Role._get_collection().find({}, {"permissions": 1})
    may = [
        row["_id"]
        for row in roles
        if permissions.holds(row.get("permissions", ()), CONCERNED)
    ]
    people = Worker._get_collection().find({"role": {"$in": may}}, {"isActive": 1})
    return sorted(row["_id"] for row in people if row.get("isActive", True))
