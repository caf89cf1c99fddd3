"""Stations: the places in the workshop where panes are worked on."""

from mongoengine import BooleanField, StringField

from glassflow.models.base import Choice, Record, Ref

COLORS = (
    "sky",
    "blue",
    "violet",
    "pink",
    "red",
    "orange",
    "yellow",
    "green",
    "teal",
    "slate",
)
STATUSES = ("online", "offline", "maintenance")


class Station(Record):
    """A place of work; its screen is laid out by its template.

    At a lamination station the sheets of a pane are merged into one.
    """

    meta = {"collection": "stations", "indexes": ["name", "template_id"]}
    label = "Station"

    name = StringField(required=True)
    template_id = Ref("StationTemplate", required=True)
    color_id = Choice(*COLORS, default="sky")
    status = Choice(*STATUSES, default="offline")
    is_laminate_station = BooleanField(default=False)
    show_withdraw_claim_actions = BooleanField(default=True)
    notes = StringField(default="")
