"""The request body schema of a production log."""

from marshmallow import fields

from glassflow.domain.production import (
    MAX_DURATION_MS,
    ProductionAction,
    ProductionResult,
)
from glassflow.schemas.base import (
    Choice,
    EmbeddedSchema,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.embedded import ReplacedList


class QcResult(EmbeddedSchema):
    """One point of a quality check."""

    label = Text()
    passed = StrictBoolean()
    note = Text()


class ProductionLogSchema(RecordSchema):
    """The fields that a client writes; `durationMs` is in milliseconds."""

    pane = Reference(required=True)
    order = Reference(required=True)
    station = Reference(required=True)
    action = Choice(*ProductionAction, required=True)
    status = Choice(*ProductionResult)
    operator = Reference()
    defect_code = Text()
    rework_reason = Text()
    qc_results = ReplacedList(fields.Nested(QcResult))
    started_at = UTCDateTime()
    completed_at = UTCDateTime()
    duration_ms = Number(minimum=0, maximum=MAX_DURATION_MS)
