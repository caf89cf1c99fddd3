"""Job types: the kinds of glass work that the workshop offers."""

from mongoengine import BooleanField, IntField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import Ref


class JobType(Record):
    """A kind of work, such as tempered or two-sheet laminated glass.

    The defaults are what forms fill in for a new pane of this work: `default_routing` the
    stations of its route, in their order, and `default_material` its raw glass.
    `is_tempered`: its panes are tempered, which decides their price and what can be made.
    """

    meta = {
        "collection": "job_types",
        "indexes": [{"fields": ["code"], "unique": True}],
    }
    label = Bilingual("Job type", th="ประเภทงาน")

    name = StringField(required=True)
    code = StringField(required=True)
    description = StringField(default="")
    sheets_per_pane = IntField(default=1)
    is_tempered = BooleanField(default=False)
    default_raw_glass_types = ListField(StringField())
    default_routing = ListField(Ref("Station"))
    default_material = Ref("Material")
    is_active = BooleanField(default=True)

    @classmethod
    def tempered_codes(cls) -> frozenset[str]:
        """Return the codes of the job types whose panes are tempered."""
        rows = cls.collection().find({"isTempered": True}, {"code": 1})
        return frozenset(row["code"] for row in rows)
