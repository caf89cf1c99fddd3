"""Stations: the places in the workshop where panes are worked on."""

from mongoengine import BooleanField, IntField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.stations import StationColor, StationStatus
from glassflow.models.base import Record
from glassflow.models.fields import Choice, Ref

#: The sort of the store for stations on boards, in lists and in choices.
IN_ORDER = [("position", 1), ("_id", 1)]


def _after_all_others() -> int:
    """Return the position of a new station; two made at once may get the same one."""
    last = Station.collection().find_one(sort=[("position", -1)])
    return 1 if last is None else (last.get("position") or 0) + 1


class Station(Record):
    """A place of work; its screen is laid out by its template.

    `position` orders the stations everywhere, see `IN_ORDER`; null is the last one. At a lamination station
    the sheets of a pane are merged into one. At a check station a finished pane passes its
    check or fails it. At a cutting station panes are cut from sheets: what waits there is
    planned. A new station takes both marks from its template (`services.stations`).
    """

    meta = {"collection": "stations", "indexes": ["name", "template_id"]}
    label = Bilingual("Station", th="สถานี")

    name = StringField(required=True)
    template_id = Ref("StationTemplate", required=True)
    position = IntField(default=_after_all_others)
    color_id = Choice(*StationColor, default=StationColor.SKY.value)
    status = Choice(*StationStatus, default=StationStatus.OFFLINE.value)
    is_laminate_station = BooleanField(default=False)
    is_check_station = BooleanField(default=False)
    is_cutting_station = BooleanField(default=False)
    show_withdraw_claim_actions = BooleanField(default=True)
    notes = StringField(default="")
