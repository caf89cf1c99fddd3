"""Calls: somebody at a station needs help, or a machine stands."""

from mongoengine import (
    BooleanField,
    DateTimeField,
    ListField,
    ObjectIdField,
    StringField,
)

from glassflow.core.process import clock
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.calls import CallEnding, CallKind, CallStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, Ref


class Call(Record):
    """A call at a station, from when it was made until it ended.

    With `machine_stands` it is a stop, and with `refuses_scan_in` maintenance: the station
    takes no panes in. `called_from` is the station from which another one was called, about
    a `pane` that stands there. The names are part of the record, so that a screen without the
    key for workers tells who comes. `station_status` is the status of the station before it
    took no panes in; `notified` are the workers who were sent a notification.
    """

    meta = {
        "collection": "calls",
        "indexes": [
            {"fields": ["call_number"], "unique": True, "sparse": True},
            for_lists("station"),
            for_lists("kind"),
            for_lists("pane"),
            for_lists("status"),
            ("status", "called_at", "id"),
            for_lists("machine_stands"),
            ("called_at", "id"),
        ],
    }
    label = Bilingual("Call", th="การเรียกช่วย")
    numbered = ("call_number", "CALL")
    hidden = ("stationStatus", "notified")

    call_number = StringField()
    station = Ref("Station", required=True)
    kind = Choice(*CallKind, required=True)
    machine_stands = BooleanField(default=False)
    refuses_scan_in = BooleanField(default=False)
    reason = StringField(default="")
    pane = Ref("Pane")
    pane_number = StringField(default="")
    called_from = Ref("Station")
    called_by = Ref("Worker")
    called_by_name = StringField(default="")
    called_at = DateTimeField(default=clock.now)
    taken_by = Ref("Worker")
    taken_by_name = StringField(default="")
    taken_at = DateTimeField()
    ended_by = Ref("Worker")
    ended_by_name = StringField(default="")
    ended_at = DateTimeField()
    ending = Choice(*CallEnding)
    status = Choice(*CallStatus, default=CallStatus.OPEN.value)
    station_status = StringField()
    notified = ListField(ObjectIdField())
