"""Material logs: what came, went and was moved of each material."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.models.base import Choice, NumberField, Record, Ref
from glassflow.models.inventory import STOCK_TYPES

ACTION_TYPES = ("withdraw", "claim", "import", "cut", "remake", "move", "adjust")
REFERENCE_TYPES = ("claim", "withdrawal", "qc_remake", "inventory")


class MaterialLog(Record):
    """An entry of the stock book; `quantity_changed` is negative for what went.

    Entries that the service wrote (`by_service`) name their lot, count in the balance
    and stay as they are; those that people post are notes and count for nothing.
    """

    meta = {
        "collection": "material_logs",
        "indexes": [
            ("material", "created_at"),
            "inventory",
            "order",
            "panes",
            "reference_id",
            "parent_log",
        ],
    }
    label = "Material log"
    hidden = ("byService",)

    material = Ref("Material", required=True)
    action_type = Choice(*ACTION_TYPES, required=True)
    quantity_changed = NumberField(required=True)
    reference_id = StringField()
    reference_type = Choice(*REFERENCE_TYPES)
    total_price = NumberField(default=0)
    stock_type = Choice(*STOCK_TYPES)
    order = Ref("Order")
    panes = ListField(Ref("Pane"))
    parent_log = Ref("MaterialLog")
    worker = Ref("Worker")
    inventory = Ref("Inventory")

    by_service = BooleanField(default=False)
