"""Material logs: the entries of the stock ledger."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.stock import LedgerAction, LedgerReferenceType, StockType
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, Ref


class MaterialLog(Record):
    """A ledger entry; `quantity_changed` is negative for what was taken.

    Entries written by the service (`by_service`) name their lot, count in the balance
    and are immutable; entries posted by clients are notes and do not count. An `archived`
    entry has been deleted by a client and still counts. `reason` is what somebody wrote
    about a lot that they took in or corrected.
    """

    meta = {
        "collection": "material_logs",
        "indexes": [
            for_lists("listed"),
            for_lists("material", "listed"),
            for_lists("order", "listed"),
            for_lists("action_type"),
            "inventory",
            "panes",
            "reference_id",
            "parent_log",
        ],
    }
    label = Bilingual("Material log", th="บันทึกวัสดุ")
    hidden = ("byService", "archived")
    readable = {"archived": {"$ne": True}}
    unlisted = {"archived": True}

    material = Ref("Material", required=True)
    action_type = Choice(*LedgerAction, required=True)
    quantity_changed = NumberField(required=True)
    reference_id = StringField()
    reference_type = Choice(*LedgerReferenceType)
    total_price = NumberField(default=0)
    stock_type = Choice(*StockType)
    order = Ref("Order")
    panes = ListField(Ref("Pane"))
    parent_log = Ref("MaterialLog")
    worker = Ref("Worker")
    inventory = Ref("Inventory")
    reason = StringField(default="")

    by_service = BooleanField(default=False)
    archived = BooleanField(default=False)
