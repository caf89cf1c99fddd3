"""Job types: the kinds of glass work that the workshop offers."""

from mongoengine import BooleanField, IntField, ListField, StringField

from glassflow.models.base import Record


class JobType(Record):
    """A kind of work, such as tempered or two-sheet laminated glass."""

    meta = {
        "collection": "job_types",
        "indexes": [{"fields": ["code"], "unique": True}],
    }
    label = "Job type"

    name = StringField(required=True)
    code = StringField(required=True)
    description = StringField(default="")
    sheets_per_pane = IntField(default=1)
    default_raw_glass_types = ListField(StringField())
    is_active = BooleanField(default=True)
