"""Orders: work for a customer, with a route along stations."""

from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    StringField,
)

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.orders import OrderStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, NumberField, ObjectField, Ref


class Order(Record):
    """An order and its route. The figures are derived from its panes, never written by clients.

    `station_data` and `station_breakdown` are keyed by station id. `cancelled_from` is
    `{by, status}` of a cancelled order: the id of the order itself or of the request that
    it was cancelled with, and its status before. `completed_at` is when the last pane of a
    complete order was finished. `lost_panes` means that it had panes and
    has none any more.
    """

    meta = {
        "collection": "orders",
        "indexes": [
            {"fields": ["order_number"], "unique": True, "sparse": True},
            for_lists("request"),
            for_lists("customer"),
            for_lists("material"),
            for_lists("assigned_to"),
            for_lists("stations"),
            for_lists("status"),
            ("completed_at", "id"),
        ],
    }
    label = Bilingual("Order", th="ออเดอร์")
    hidden = ("cancelledFrom", "lostPanes")
    numbered = ("order_number", "ORD")

    order_number = StringField()
    request = Ref("Request")
    priority = NumberField(default=0)
    customer = Ref("Customer", required=True)
    material = Ref("Material", required=True)
    quantity = IntField(required=True)
    stations = ListField(Ref("Station"))
    current_station_index = IntField(default=0)
    station_history = ListField(
        ObjectField(
            shape=lambda: {
                "station": None,
                "enteredAt": None,
                "exitedAt": None,
                "completedBy": None,
            }
        )
    )
    station_data = JSONField(default=dict)
    pane_count = IntField(default=0)
    panes_completed = IntField(default=0)
    panes_delivered = IntField(default=0)
    progress_percent = IntField(default=0)
    completed_at = DateTimeField()
    station_breakdown = JSONField(default=dict)
    notes = StringField(default="")
    status = Choice(*OrderStatus, default=OrderStatus.PENDING.value)
    claim = Ref("Claim")
    withdrawal = Ref("Withdrawal")
    assigned_to = Ref("Worker")
    cancelled_from = ObjectField()
    lost_panes = BooleanField(default=False)
