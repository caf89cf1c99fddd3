"""Withdrawals: material that a worker takes out of the store room."""

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.core import clock
from glassflow.models.base import Choice, JSONField, Record, Ref
from glassflow.models.inventory import STOCK_TYPES

STATUSES = ("pending", "approved", "rejected")


class Withdrawal(Record):
    """So much of a material, taken by a worker for an order or panes.

    `inventory` is a lot that was asked for; `allocations` are `{inventory, quantity}`:
    which lots gave how much, and
    can get it back.
    """

    meta = {
        "collection": "withdrawals",
        "indexes": [
            {"fields": ["withdrawal_number"], "unique": True, "sparse": True},
            "order",
            "material",
            "withdrawn_by",
            "status",
        ],
    }
    label = "Withdrawal"
    numbered = ("withdrawal_number", "WDW")

    withdrawal_number = StringField()
    material = Ref("Material", required=True)
    quantity = IntField(required=True)
    stock_type = Choice(*STOCK_TYPES, required=True)
    withdrawn_by = Ref("Worker", required=True)
    order = Ref("Order")
    panes = ListField(Ref("Pane"))
    inventory = Ref("Inventory")
    status = Choice(*STATUSES, default="pending")
    approved_by = Ref("Worker")
    withdrawn_dimensions = JSONField()
    notes = StringField()
    withdrawn_date = DateTimeField(default=clock.now)
    allocations = ListField(JSONField())
