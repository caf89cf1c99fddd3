"""Request body schemas of a pane, and of the panes that are made along with a request."""

from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import fields, post_load

from glassflow.domain.errors import FieldFault
from glassflow.domain.panes import cut_outs
from glassflow.domain.panes.status import EdgeTaskStatus, Status
from glassflow.schemas.base import (
    Choice,
    EmbeddedSchema,
    Integer,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.embedded import DefaultedSchema, ReplacedList

MOST_OF_MARK = 60  # characters
CUT_OUTS = ("circle", "rectangle", "slot", "custom")


class Dimensions(EmbeddedSchema):
    """The size of a pane in mm; 0 means not measured yet."""

    width = Number(minimum=0)
    height = Number(minimum=0)
    thickness = Number(minimum=0)
    area = fields.Raw()  # server-owned; declared so that it gives no warning

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Drop the area, which is derived from the sides."""
        values.pop("area", None)
        result: dict[str, Any] = super().named(values, **options)
        return result


class RawGlass(EmbeddedSchema):
    """The glass of a pane; more than one sheet per pane means lamination."""

    glass_type = Text()
    color = Text()
    thickness = Number(minimum=0)
    sheets_per_pane = Integer(minimum=1, maximum=26)


class Vertex(EmbeddedSchema):
    """A corner of a custom cut-out, in mm from the pane's corner."""

    x = Number(required=True)
    y = Number(required=True)


class CutOut(DefaultedSchema):
    """A hole or a notch, in mm; which sizes it has depends on its type."""

    id = Text(required=True, minimum=1)
    type = Choice(*CUT_OUTS, load_default=CUT_OUTS[0])
    x = Number(required=True)
    y = Number(required=True)
    diameter = Number(minimum=0)
    width = Number(minimum=0)
    height = Number(minimum=0)
    length = Number(minimum=0)
    vertices = ReplacedList(fields.Nested(Vertex))


class EdgeTask(DefaultedSchema):
    """The work on one side of a pane."""

    side = Text()
    edge_profile = Text()
    machine_type = Text()
    status = Text(load_default=EdgeTaskStatus.PENDING.value)


class PaneOfRequest(RecordSchema):
    """A pane that is created along with a request.

    The values of a new pane have wire names, under which a quote stores them.
    """

    named = EmbeddedSchema.named

    server_owned = frozenset(
        {
            "paneNumber",
            "qrCode",
            "remakeOf",
            "arrivedAt",
            "rack",
            "cuttingPlan",
            "routeIndex",
            "laminateRole",
            "parentPane",
            "childPanes",
            "sheetLabel",
            "laminateStation",
            "mergedInto",
            "laminateMergedAt",
            "startedAt",
            "completedAt",
            "labelledAt",
            "isWithdrawn",
            "makeability",
            "overrideReason",
            "agreedPrice",
        }
    )

    current_station = Reference()
    routing = fields.List(Reference())
    custom_routing = StrictBoolean()
    dimensions = fields.Nested(Dimensions)
    job_type = Text()
    raw_glass = fields.Nested(RawGlass)
    glass_type = Text()
    glass_type_label = Text()
    holes = ReplacedList(fields.Nested(CutOut))
    notches = ReplacedList(fields.Nested(CutOut))
    mark = Text(maximum=MOST_OF_MARK)
    corner_spec = Text()
    dimension_tolerance = Text()
    processes = fields.List(Text())
    edge_tasks = ReplacedList(fields.Nested(EdgeTask))
    material = Reference()
    notes = Text()

    def remarks(
        self, values: Mapping[str, Any], stored: Mapping[str, Any] | None = None
    ) -> Iterator[FieldFault]:
        """Yield the cut-outs without a size, and those that cannot be made as they lie.

        Only the lists in the values are asked for sizes.
        """
        old = stored or {}
        yield from cut_outs.size_faults(values)
        if values.keys() & {"dimensions", "holes", "notches"}:
            sides = {
                **(old.get("dimensions") or {}),
                **(values.get("dimensions") or {}),
            }
            yield from cut_outs.faults({**old, **values, "dimensions": sides})


class PaneSchema(PaneOfRequest):
    """The fields that a client writes; a status is corrected, never set at creation."""

    compared = PaneOfRequest.server_owned | {"dimensions.area"}

    order = Reference()
    request = Reference()
    withdrawal = Reference()
    inventory = Reference()
    current_status = Choice(*Status)
    delivered_at = UTCDateTime()


class PaneChangeSchema(PaneSchema):
    """A change of a pane; the log of a correction keeps `correctionReason`.

    Its values have the names of the model's fields.
    """

    named = RecordSchema.named

    correction_reason = Text()


class StationQuery(RecordSchema):
    """The query parameters of what can be asked about a station."""

    station = Reference()


class PassportQuery(RecordSchema):
    """The query parameters of a pane's passport: the moment at which it is shown."""

    at = UTCDateTime(load_default=None, allow_none=True)
