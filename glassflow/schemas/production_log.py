"""The wire shape of a production log."""

from marshmallow import fields

from glassflow.models.production_log import ACTIONS, STATUSES
from glassflow.schemas.base import (
    Choice,
    Flag,
    Moment,
    Number,
    RecordSchema,
    Reference,
    Shape,
    Text,
)
from glassflow.schemas.shapes import Items


class QcResult(Shape):
    """One point of a quality check."""

    label = Text()
    passed = Flag()
    note = Text()


class ProductionLogSchema(RecordSchema):
    """What a client writes; `durationMs` is in milliseconds."""

    pane = Reference(required=True)
    order = Reference(required=True)
    station = Reference(required=True)
    action = Choice(*ACTIONS, required=True)
    status = Choice(*STATUSES)
    operator = Reference()
    defect_code = Text()
    rework_reason = Text()
    qc_results = Items(fields.Nested(QcResult))
    started_at = Moment()
    completed_at = Moment()
    duration_ms = Number(minimum=0)
