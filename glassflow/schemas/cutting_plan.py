"""The request body schemas of cutting plans."""

from marshmallow import fields

from glassflow.domain.cutting.stages import LEAST_SECONDS, MOST_PANES, MOST_SECONDS
from glassflow.schemas.base import (
    Integer,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import Length
from glassflow.schemas.paper import PaperQuery


class CuttingPlanChangeSchema(RecordSchema):
    """What can be changed of a plan."""

    server_owned = frozenset(
        {
            "planNumber",
            "material",
            "status",
            "unplanned",
            "figures",
            "maker",
            "searchStatus",
            "searchSeconds",
            "searchAskedAt",
            "foundAt",
            "releasedBy",
            "releasedAt",
            "cancelledBy",
            "cancelledAt",
            "doneAt",
        }
    )

    panes = fields.List(Reference(), validate=Length(min=1, max=MOST_PANES))
    notes = Text(maximum=2000)


class CuttingPlanSchema(CuttingPlanChangeSchema):
    """A new plan; without `panes` for all panes of the material that wait."""

    server_owned = CuttingPlanChangeSchema.server_owned - {"material", "searchSeconds"}

    material = Reference(required=True)
    search_seconds = Integer(minimum=LEAST_SECONDS, maximum=MOST_SECONDS)


class ImproveSchema(RecordSchema):
    """For how many seconds a plan is searched again; as long as before unless given.

    `allWaiting`: for all panes of the material that wait now, not for those of the plan.
    """

    all_waiting = StrictBoolean()
    seconds = Integer(minimum=LEAST_SECONDS, maximum=MOST_SECONDS)


class SheetCutSchema(RecordSchema):
    """Where and when a sheet was cut, and which panes of it have broken.

    `station` is needed on a shared device that is bound to one. `location` is where the
    remnants are put; that of the lot unless given.
    """

    broken = fields.List(Reference(), validate=Length(max=MOST_PANES))
    station = Reference()
    operator = Reference()
    occurred_at = UTCDateTime(is_measured=True)
    location = Text(maximum=200)


class SheetUndoSchema(RecordSchema):
    """Why a cut is taken back."""

    reason = Text(maximum=500)


class CuttingPlanPaperQuery(PaperQuery):
    """The language of a paper, a drawing or a table; without it, that of the request.

    Thai for a request without one.
    """
