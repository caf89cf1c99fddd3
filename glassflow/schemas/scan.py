"""Request body schemas of a scan, of one pane and of many."""

from typing import Any

from marshmallow import ValidationError, fields, post_load, validates_schema

from glassflow.domain import texts
from glassflow.domain.defects import DefectCode
from glassflow.domain.panes.status import Action
from glassflow.domain.photos import MAX_PHOTOS_OF_CHECK
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
from glassflow.schemas.library_messages import Length

BATCH_ACTIONS = (Action.SCAN_IN, Action.START, Action.COMPLETE)
CHECKS = (Action.QC_PASS, Action.QC_FAIL)


class MeasuredSchema(EmbeddedSchema):
    """What was measured of a pane, in mm; at least one value."""

    width = Number(above=0)
    height = Number(above=0)
    diagonals = fields.List(Number(above=0), validate=Length(equal=2))

    @validates_schema
    def check_given(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse what has no value."""
        if all(value is None for value in data.values()):
            raise ValidationError([texts.NOTHING_MEASURED])

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Leave out what was not measured."""
        given = {name: one for name, one in values.items() if one is not None}
        result: dict[str, Any] = super().named(given, **options)
        return result


class ScanSchema(RecordSchema):
    """A scan of one pane; `reason` is a defect code for `qc_fail`.

    `photos` are the ids of attachments. `measured` is what was measured at a check.
    `occurred_at` is when a device without network was used; else it is left out.
    With `before_complete`, `scan_out`, `qc_pass` and `qc_fail` also take a pane whose work
    is not recorded as completed: the first two then imply the `complete`, a `qc_fail` does
    not. With `move_here` (needs `panes:manage`), `scan_in` takes a pane in at another
    station of its route than the one where it is recorded; the log has the stations that
    had no scan.
    """

    action = Choice(*Action, required=True)
    station = Reference()
    reason = Text()
    description = Text()
    remake_station_id = Reference()
    laminate_survivor_pane_number = Text()
    operator = Reference()
    occurred_at = UTCDateTime(is_measured=True)
    before_complete = StrictBoolean()
    move_here = StrictBoolean()
    measured = fields.Nested(MeasuredSchema)

    photos = fields.List(Reference(), validate=Length(max=MAX_PHOTOS_OF_CHECK))

    @validates_schema
    def check_photos(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse photos with another action than `qc_fail`."""
        if data.get("photos") and data.get("action") != Action.QC_FAIL:
            raise ValidationError({"photos": [texts.PHOTOS_OF_CHECK]})

    @validates_schema
    def check_measured(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse `measured` with another action than the outcome of a check."""
        if data.get("measured") and data.get("action") not in CHECKS:
            raise ValidationError({"measured": [texts.MEASURED_BY_CHECK]})

    @validates_schema
    def check_move(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse `move_here` with another action than `scan_in`."""
        if data.get("move_here") and data.get("action") != Action.SCAN_IN:
            raise ValidationError({"moveHere": [texts.MOVE_BY_SCAN_IN]})

    @validates_schema
    def check_reason(self, data: dict[str, Any], **_: Any) -> None:
        """Require one of the defect codes of claims as the reason of `qc_fail`."""
        reason = data.get("reason")
        if data.get("action") == Action.QC_FAIL and reason not in tuple(DefectCode):
            listed = ", ".join(DefectCode)
            raise ValidationError({"reason": [texts.ONE_OF.format(choices=listed)]})


class UndoSchema(RecordSchema):
    """Why the last scan of a pane is undone."""

    reason = Text()


class _OfManyPanes(RecordSchema):
    pane_numbers = fields.List(Text(minimum=1), required=True, validate=Length(min=1))
    station = Reference()
    description = Text()
    operator = Reference()
    occurred_at = UTCDateTime(is_measured=True)


class BatchScanSchema(_OfManyPanes):
    """One action for many panes."""

    action = Choice(*BATCH_ACTIONS, required=True)


class BatchFailSchema(_OfManyPanes):
    """The loss of many panes with one defect, whether or not their work is completed.

    `photos` are the ids of attachments; each log gets them.
    """

    reason = Choice(*DefectCode, required=True)
    remake_station_id = Reference()
    photos = fields.List(Reference(), validate=Length(max=MAX_PHOTOS_OF_CHECK))


class BatchUndoSchema(UndoSchema):
    """Why the last scans of many panes are undone."""

    pane_numbers = fields.List(Text(minimum=1), required=True, validate=Length(min=1))
