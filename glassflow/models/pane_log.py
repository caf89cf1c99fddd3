"""Pane logs: what was said and done about each pane. They are only ever added to."""

from mongoengine import DateTimeField, StringField

from glassflow.domain.pane_state import Action
from glassflow.models.base import Choice, ObjectField, Record, Ref

ACTIONS = (*Action, "laminate_start", "laminate_complete", "correction")


class PaneLog(Record):
    """One scan, merge or correction; a correction holds the state before and after."""

    meta = {
        "collection": "pane_logs",
        "indexes": [
            ("pane", "created_at"),
            "order",
            "material",
            ("station", "created_at"),
            "worker",
        ],
    }
    label = "Pane log"

    pane = Ref("Pane", required=True)
    order = Ref("Order")
    material = Ref("Material")
    worker = Ref("Worker")
    station = Ref("Station")
    action = Choice(*ACTIONS, required=True)
    reason = StringField(default="")
    description = StringField(default="")
    completed_at = DateTimeField()
    before = ObjectField()
    after = ObjectField()
