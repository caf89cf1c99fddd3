"""Withdrawals: material that a worker takes out of the store room."""

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.core.process import clock
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.stock import StockType, WithdrawalStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, Ref


class Withdrawal(Record):
    """A quantity of a material, taken by a worker for an order or for panes.

    `inventory` is the lot that was requested; `allocations` are `{inventory, quantity}`,
    the lots that it was taken from and is returned to. `rejected_with` is the number of the
    order or request whose cancellation rejected it.
    """

    meta = {
        "collection": "withdrawals",
        "indexes": [
            {"fields": ["withdrawal_number"], "unique": True, "sparse": True},
            for_lists("order"),
            for_lists("material"),
            for_lists("withdrawn_by"),
            for_lists("status"),
            for_lists("stock_type"),
            ("withdrawn_date", "id"),
        ],
    }
    label = Bilingual("Withdrawal", th="รายการเบิก")
    numbered = ("withdrawal_number", "WDW")

    withdrawal_number = StringField()
    material = Ref("Material", required=True)
    quantity = IntField(required=True)
    stock_type = Choice(*StockType, required=True)
    withdrawn_by = Ref("Worker", required=True)
    order = Ref("Order")
    panes = ListField(Ref("Pane"))
    inventory = Ref("Inventory")
    status = Choice(*WithdrawalStatus, default=WithdrawalStatus.PENDING.value)
    approved_by = Ref("Worker")
    rejected_with = StringField(default="")
    withdrawn_dimensions = JSONField()
    notes = StringField(default="")
    withdrawn_date = DateTimeField(default=clock.now)
    allocations = ListField(JSONField())
