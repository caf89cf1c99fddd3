"""Station templates: how the screens of stations are laid out."""

from mongoengine import BooleanField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField


class StationTemplate(Record):
    """A screen layout; `ui_schema` belongs to the clients, the service only stores it.

    New stations take `is_check_station` and `is_cutting_station` from their template. A
    later change of the template changes no station.
    """

    meta = {"collection": "station_templates", "indexes": ["name"]}
    label = Bilingual("Station template", th="แม่แบบสถานี")

    name = StringField(required=True)
    ui_schema = JSONField(default=dict)
    is_check_station = BooleanField(default=False)
    is_cutting_station = BooleanField(default=False)
