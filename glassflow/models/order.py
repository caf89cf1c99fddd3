"""Orders: work for a customer, on its way along stations."""

from mongoengine import IntField, ListField, StringField

from glassflow.models.base import Choice, JSONField, NumberField, Record, Ref

STATUSES = ("pending", "in_progress", "completed", "cancelled")


class Order(Record):
    """An order and its route. The figures are derived from its panes, never given.

    `station_history` lists `{station, enteredAt, exitedAt, completedBy}`;
    `station_data` and `station_breakdown` are keyed by station id.
    """

    meta = {
        "collection": "orders",
        "indexes": [
            {"fields": ["order_number"], "unique": True, "sparse": True},
            "request",
            "customer",
            "material",
            "assigned_to",
            "stations",
            "status",
        ],
    }
    label = "Order"
    numbered = ("order_number", "ORD")

    order_number = StringField()
    request = Ref("Request")
    priority = NumberField(default=0)
    customer = Ref("Customer", required=True)
    material = Ref("Material", required=True)
    quantity = IntField(required=True)
    stations = ListField(Ref("Station"))
    current_station_index = IntField(default=0)
    station_history = ListField(JSONField())
    station_data = JSONField(default=dict)
    pane_count = IntField(default=0)
    panes_completed = IntField(default=0)
    progress_percent = IntField(default=0)
    station_breakdown = JSONField(default=dict)
    notes = StringField()
    status = Choice(*STATUSES, default="pending")
    claim = Ref("Claim")
    withdrawal = Ref("Withdrawal")
    assigned_to = Ref("Worker")
