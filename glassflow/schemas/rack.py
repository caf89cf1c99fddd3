"""The request body schemas of racks, and of the panes that stand on them."""

from marshmallow import fields

from glassflow.domain.panes.status import Action
from glassflow.schemas.base import (
    Choice,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import Length

MOST_PANES = 500  # of one request
RACK_ACTIONS = (Action.SCAN_IN, Action.COMPLETE, Action.SCAN_OUT, Action.QC_PASS)


class RackSchema(RecordSchema):
    """The fields that a client writes."""

    server_owned = frozenset({"rackNumber", "qrCode"})

    name = Text(required=True, minimum=1, maximum=200)
    place = Text(maximum=200)
    station = Reference()
    notes = Text()


class RackPanesSchema(RecordSchema):
    """Panes that are put on a rack, or taken off, and the station where that is done."""

    pane_numbers = fields.List(
        Text(minimum=1), required=True, validate=Length(min=1, max=MOST_PANES)
    )
    station = Reference()
    operator = Reference()
    occurred_at = UTCDateTime(is_measured=True)


class RackScanSchema(RackPanesSchema):
    """One scan of panes that stand on a rack; `before_complete` as in a single scan."""

    action = Choice(*RACK_ACTIONS, required=True)
    before_complete = StrictBoolean()
    description = Text()
