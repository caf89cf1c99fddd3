"""The request body schemas of calls."""

from glassflow.domain.calls import CallKind
from glassflow.schemas.base import (
    Choice,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)


class CallChangeSchema(RecordSchema):
    """What can be corrected of a call afterwards."""

    server_owned = frozenset(
        {
            "callNumber",
            "station",
            "refusesScanIn",
            "pane",
            "paneNumber",
            "calledFrom",
            "calledBy",
            "calledByName",
            "calledAt",
            "takenBy",
            "takenByName",
            "takenAt",
            "endedBy",
            "endedByName",
            "endedAt",
            "ending",
            "status",
        }
    )

    kind = Choice(*CallKind, required=True)
    machine_stands = StrictBoolean()
    reason = Text(maximum=500)


class CallSchema(CallChangeSchema):
    """A new call, at a station."""

    server_owned = CallChangeSchema.server_owned - {
        "station",
        "refusesScanIn",
        "pane",
        "calledFrom",
    }

    station = Reference(required=True)
    refuses_scan_in = StrictBoolean()
    pane = Reference()
    called_from = Reference()


class CallEndSchema(RecordSchema):
    """When a call ended, if that was before it is sent."""

    occurred_at = UTCDateTime()
