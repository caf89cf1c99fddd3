"""Production logs: how the work on a pane went at a station, as people report it."""

from mongoengine import DateTimeField, ListField, StringField

from glassflow.models.base import Choice, JSONField, NumberField, Record, Ref

ACTIONS = (
    "scan_in",
    "start",
    "complete",
    "fail",
    "rework",
    "qc_pass",
    "qc_fail",
    "batch_start",
    "batch_complete",
)
STATUSES = ("pass", "fail", "rework")


class ProductionLog(Record):
    """A report on one pane at one station; `qc_results` are {label, passed, note}."""

    meta = {
        "collection": "production_logs",
        "indexes": [("pane", "created_at"), "order", "station", "operator"],
    }
    label = "Production log"

    pane = Ref("Pane", required=True)
    order = Ref("Order", required=True)
    station = Ref("Station", required=True)
    action = Choice(*ACTIONS, required=True)
    status = Choice(*STATUSES)
    operator = Ref("Worker")
    defect_code = StringField()
    rework_reason = StringField()
    qc_results = ListField(JSONField())
    started_at = DateTimeField()
    completed_at = DateTimeField()
    duration_ms = NumberField()
