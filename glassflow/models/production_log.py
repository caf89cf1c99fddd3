"""Production logs: reports by workers of the work on a pane at a station."""

from mongoengine import DateTimeField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.production import ProductionAction, ProductionResult
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, ObjectField, Ref


class ProductionLog(Record):
    """A report on one pane at one station."""

    meta = {
        "collection": "production_logs",
        "indexes": [
            for_lists("pane"),
            for_lists("order"),
            for_lists("station"),
            for_lists("operator"),
        ],
    }
    label = Bilingual("Production log", th="บันทึกการผลิต")

    pane = Ref("Pane", required=True)
    order = Ref("Order", required=True)
    station = Ref("Station", required=True)
    action = Choice(*ProductionAction, required=True)
    status = Choice(*ProductionResult)
    operator = Ref("Worker")
    defect_code = StringField(default="")
    rework_reason = StringField(default="")
    qc_results = ListField(
        ObjectField(shape=lambda: {"label": "", "passed": None, "note": ""})
    )
    started_at = DateTimeField()
    completed_at = DateTimeField()
    duration_ms = NumberField()
