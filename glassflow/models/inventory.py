"""Inventories: lots of a material, each at one location of the store room."""

from typing import Any

from mongoengine import BooleanField, ListField, StringField

from glassflow import runtime
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.cutting import lots
from glassflow.domain.numbering import qr_payload
from glassflow.domain.stock import StockType, round_quantity, total
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, ObjectField, Ref


def no_size() -> dict[str, Any]:
    """Return the size of a lot whose sheets have a size of the material."""
    return {"width": 0, "height": 0}


class Inventory(Record):
    """A lot: a quantity of one material, in its unit, at one location.

    `dimensions` is the own size of its sheets and `defects` are rectangles that no pane may
    cover, both in mm; see `domain.cutting.lots`. `parent_lot` is the lot that a remnant was
    cut from, and `cutting_plan` the plan. `reservations` are the released cutting
    plans that are going to take a part, see `services.stock.reservations`. `qrCode` of answers is what its label contains.
    """

    meta = {
        "collection": "inventories",
        "indexes": [
            {"fields": ["inventory_number"], "unique": True, "sparse": True},
            for_lists("material"),
            {"fields": ["parent_lot"], "sparse": True},
            {"fields": ["cutting_plan"], "sparse": True},
            {"fields": ["reservations.plan"], "sparse": True},
        ],
    }
    label = Bilingual("Inventory", th="ล็อตสต็อก")
    numbered = ("inventory_number", "INV")
    computed = {
        "qrCode": lambda raw: qr_payload(
            raw.get("inventoryNumber") or "", runtime.current().policy.qr_prefix
        )
    }

    inventory_number = StringField()
    material = Ref("Material", required=True)
    stock_type = Choice(*StockType, required=True)
    quantity = NumberField(required=True)
    location = StringField(required=True)
    storage_color = StringField(default="")
    dimensions = ObjectField(shape=no_size)
    defects = ListField(
        ObjectField(shape=lambda: {"x": 0, "y": 0, "width": 0, "height": 0})
    )
    parent_lot = Ref("Inventory")
    cutting_plan = Ref("CuttingPlan")
    reservations = ListField(ObjectField(shape=lambda: {"plan": None, "quantity": 0}))
    is_active = BooleanField(default=True)

    @property
    def has_own_size(self) -> bool:
        """Whether its sheets have a size of their own."""
        return lots.has_own_size(self.dimensions)

    @property
    def available(self) -> float:
        """What is not reserved."""
        reserved = total(one["quantity"] for one in self.reservations)
        return max(0, round_quantity(self.quantity - reserved))

    @property
    def is_one_sheet(self) -> bool:
        """Whether it is one sheet: a remnant, or a sheet with defects."""
        return lots.is_one_sheet(self.stock_type, self.dimensions, self.defects)
