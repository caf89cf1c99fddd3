"""Stations: the places in the workshop where panes are worked on."""

from mongoengine import BooleanField, IntField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.stations import StationColor, StationStatus
from glassflow.models.base import Record
from glassflow.models.fields import Choice, Ref


class Station(Record):
    """A place of work; its screen is laid out by its template.

    `position` orders the stations on boards; those without one come last. At
    a lamination station the sheets of a pane are merged into one.
    """

    meta = {"collection": "stations", "indexes": ["name", "template_id"]}
    label = Bilingual("Station", th="สถานี")

    name = StringField(required=True)
    template_id = Ref("StationTemplate", required=True)
    position = IntField()
    color_id = Choice(*StationColor, default=StationColor.SKY.value)
    status = Choice(*StationStatus, default=StationStatus.OFFLINE.value)
    is_laminate_station = BooleanField(default=False)
    show_withdraw_claim_actions = BooleanField(default=True)
    notes = StringField(default="")
