"""Inventories: lots of a material, each at its place in the store room."""

from mongoengine import BooleanField, StringField

from glassflow.models.base import Choice, NumberField, Record, Ref

STOCK_TYPES = ("Raw", "Reuse")


class Inventory(Record):
    """A lot: so many units of one material in one place."""

    meta = {
        "collection": "inventories",
        "indexes": [
            {"fields": ["inventory_number"], "unique": True, "sparse": True},
            ("material", "created_at"),
        ],
    }
    label = "Inventory"
    numbered = ("inventory_number", "INV")

    inventory_number = StringField()
    material = Ref("Material", required=True)
    stock_type = Choice(*STOCK_TYPES, required=True)
    quantity = NumberField(required=True)
    location = StringField(required=True)
    storage_color = StringField(default="")
    is_active = BooleanField(default=True)
