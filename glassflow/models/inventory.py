"""Inventories: lots of a material, each at one location of the store room."""

from mongoengine import BooleanField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.stock import StockType
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, Ref


class Inventory(Record):
    """A lot: a quantity of one material, in its unit, at one location."""

    meta = {
        "collection": "inventories",
        "indexes": [
            {"fields": ["inventory_number"], "unique": True, "sparse": True},
            for_lists("material"),
        ],
    }
    label = Bilingual("Inventory", th="ล็อตสต็อก")
    numbered = ("inventory_number", "INV")

    inventory_number = StringField()
    material = Ref("Material", required=True)
    stock_type = Choice(*StockType, required=True)
    quantity = NumberField(required=True)
    location = StringField(required=True)
    storage_color = StringField(default="")
    is_active = BooleanField(default=True)
