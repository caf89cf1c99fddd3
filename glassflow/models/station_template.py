"""Station templates: how the screens of stations are laid out."""

from mongoengine import StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField


class StationTemplate(Record):
    """A screen layout; `ui_schema` belongs to the clients, the service only stores it."""

    meta = {"collection": "station_templates", "indexes": ["name"]}
    label = Bilingual("Station template", th="แม่แบบสถานี")

    name = StringField(required=True)
    ui_schema = JSONField(default=dict)
