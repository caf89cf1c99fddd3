"""Pane logs: the scans, laminations and corrections of panes; only ever added."""

from mongoengine import DateTimeField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.panes.status import Action, LogAction
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, ObjectField, Ref
from glassflow.models.photos import as_links


class PaneLog(Record):
    """One scan, merge or correction; a correction holds the state before and after.

    `occurred_at` is when a scan happened on a device that had no network; `created_at`
    is always when it was stored. `undo` is explained in `services.scanning.decision`.
    A scan with which the pane left the station, or the work there began, has `arrived_at`,
    when the pane had come there. One with which the work ended has `started_at`, when it had
    begun, and one with which the pane was finished has `taken_in_at`, when it was created.
    With a log that has `moved_to` the pane came to that station; not one that put it back
    to where it was. A scan at a later step of the route has in `skipped_stations` those
    that the pane had not left by a scan. A correction that undid a scan has its
    `undone_action`, and as `undone` the logs of that scan, with the fields of
    `services.panes.logs.UNDONE`. A check at which the pane was measured has `measured`, in mm:
    `{width, height, diagonals, ordered: {width, height}, tolerance}` without what was not
    measured. What was ordered, and with which tolerance, is as the pane had it then.
    """

    meta = {
        "collection": "pane_logs",
        "indexes": [
            for_lists("pane"),
            for_lists("order"),
            for_lists("material"),
            for_lists("station"),
            for_lists("action"),
            for_lists("worker"),
        ],
    }
    label = Bilingual("Pane log", th="บันทึกของแผ่นกระจก")
    hidden = ("undo",)
    shown_as = {"photos": as_links("pane-logs")}

    pane = Ref("Pane", required=True)
    order = Ref("Order")
    material = Ref("Material")
    worker = Ref("Worker")
    station = Ref("Station")
    action = Choice(*Action, *LogAction, required=True)
    reason = StringField(default="")
    description = StringField(default="")
    completed_at = DateTimeField()
    occurred_at = DateTimeField()
    arrived_at = DateTimeField()
    started_at = DateTimeField()
    taken_in_at = DateTimeField()
    moved_to = Ref("Station")
    skipped_stations = ListField(Ref("Station"))
    undone_action = Choice(*Action)
    undone = ListField(ObjectField())
    measured = ObjectField()
    before = ObjectField()
    after = ObjectField()
    photos = ListField(JSONField())
    undo = ObjectField()
