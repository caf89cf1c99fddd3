"""Station templates: how the screens of stations are laid out."""

from mongoengine import StringField

from glassflow.models.base import JSONField, Record


class StationTemplate(Record):
    """A screen layout; `ui_schema` belongs to the screens, the service only keeps it."""

    meta = {"collection": "station_templates", "indexes": ["name"]}
    label = "Station template"

    name = StringField(required=True)
    ui_schema = JSONField(default=dict)
