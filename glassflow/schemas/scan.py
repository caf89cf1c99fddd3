"""The wire shapes of a scan, of one pane and of many."""

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from glassflow.domain.pane_flow import Action
from glassflow.schemas.base import Choice, RecordSchema, Reference, Text
from glassflow.schemas.claim import DEFECT_CODES

BATCH_ACTIONS = (Action.SCAN_IN, Action.START, Action.COMPLETE)


class ScanSchema(RecordSchema):
    """What a worker says about one pane; `reason` is a defect code for `qc_fail`."""

    action = Choice(*Action, required=True)
    station = Reference()
    reason = Text()
    description = Text()
    remake_station_id = Reference()
    laminate_survivor_pane_number = Text()
    operator = Reference()

    @validates_schema
    def check_reason(self, data: dict[str, Any], **_: Any) -> None:
        """A failed check names its defect by one of the claim's codes."""
        reason = data.get("reason")
        if data.get("action") == Action.QC_FAIL and reason not in DEFECT_CODES:
            listed = ", ".join(DEFECT_CODES)
            raise ValidationError({"reason": [f"Must be one of: {listed}."]})


class BatchScanSchema(RecordSchema):
    """One action for many panes."""

    pane_numbers = fields.List(
        Text(minimum=1), required=True, validate=validate.Length(min=1)
    )
    station = Reference()
    action = Choice(*BATCH_ACTIONS, required=True)
    description = Text()
    operator = Reference()
