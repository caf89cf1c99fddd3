"""Panes: single pieces of glass, known by their numbers and moved by scans."""

from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    StringField,
)

from glassflow.domain.pane_state import Status
from glassflow.models.base import Choice, JSONField, ObjectField, Record, Ref

LAMINATE_ROLES = ("single", "parent", "sheet")


class Pane(Record):
    """A piece of glass. Where it stands on its route is `route_index`.

    `dimensions` are in mm, its server-made `area` in mm². `last_scan` is what the same
    scan once more is told by; `held_from` is where a pane with an open claim goes back
    to; `written_off` says that an approved claim took it out of its order's count;
    `musters` counts the arrivals of a parent's sheets, so that two at once take turns.
    """

    meta = {
        "collection": "panes",
        "indexes": [
            {"fields": ["pane_number"], "unique": True},
            "order",
            "request",
            "current_station",
            ("current_status", "created_at"),
            "parent_pane",
            "material",
            "routing",
            {"fields": ["remake_of"], "sparse": True},
            {"fields": ["withdrawal"], "sparse": True},
        ],
    }
    label = "Pane"
    hidden = ("lastScan", "heldFrom", "writtenOff", "musters")
    numbered = ("pane_number", "PNE")

    pane_number = StringField(required=True)
    qr_code = StringField()
    order = Ref("Order")
    request = Ref("Request")
    withdrawal = Ref("Withdrawal")
    inventory = Ref("Inventory")
    remake_of = Ref("Pane")
    material = Ref("Material")
    is_withdrawn = BooleanField(default=False)

    current_status = Choice(*Status, default=Status.PENDING.value)
    current_station = Ref("Station")
    routing = ListField(Ref("Station"))
    route_index = IntField(default=0)
    custom_routing = BooleanField(default=False)

    dimensions = ObjectField()
    job_type = StringField()
    raw_glass = ObjectField()
    glass_type = StringField()
    glass_type_label = StringField()
    holes = ListField(JSONField())
    notches = ListField(JSONField())
    corner_spec = StringField()
    dimension_tolerance = StringField()
    processes = ListField(StringField())
    edge_tasks = ListField(JSONField())
    notes = StringField()

    laminate_role = Choice(*LAMINATE_ROLES, default="single")
    parent_pane = Ref("Pane")
    child_panes = ListField(Ref("Pane"))
    sheet_label = StringField()
    laminate_station = Ref("Station")
    merged_into = Ref("Pane")
    laminate_merged_at = DateTimeField()

    started_at = DateTimeField()
    completed_at = DateTimeField()
    delivered_at = DateTimeField()

    last_scan = ObjectField()
    held_from = ObjectField()
    written_off = BooleanField(default=False)
    musters = IntField()
