"""The wire shapes of a pane, and of the panes that are made along with a request."""

from typing import Any

from marshmallow import fields, post_load

from glassflow.domain.pane_state import Status
from glassflow.schemas.base import (
    Choice,
    Flag,
    Moment,
    Number,
    RecordSchema,
    Reference,
    Shape,
    Text,
    Whole,
)
from glassflow.schemas.shapes import Filled, Items

CUT_OUTS = ("circle", "rectangle", "slot", "custom")


class Dimensions(Shape):
    """The size of a pane in mm."""

    width = Number(above=0)
    height = Number(above=0)
    thickness = Number(above=0)
    area = fields.Raw()  # the service's own: known, so that it earns no warning

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Leave out the area, which follows from the sides."""
        values.pop("area", None)
        result: dict[str, Any] = super().named(values, **options)
        return result


class RawGlass(Shape):
    """What a pane is cut from; more than one sheet a pane means lamination."""

    glass_type = Text()
    color = Text()
    thickness = Number(above=0)
    sheets_per_pane = Whole(minimum=1, maximum=26)


class Vertex(Shape):
    """A corner of a custom cut-out, in mm from the pane's corner."""

    x = Number(required=True)
    y = Number(required=True)


class CutOut(Filled):
    """A hole or a notch, in mm; which sizes it has depends on its type."""

    id = Text(required=True, minimum=1)
    type = Choice(*CUT_OUTS, load_default=CUT_OUTS[0])
    x = Number(required=True)
    y = Number(required=True)
    diameter = Number(minimum=0)
    width = Number(minimum=0)
    height = Number(minimum=0)
    length = Number(minimum=0)
    vertices = Items(fields.Nested(Vertex))


class EdgeTask(Filled):
    """The work on one side of a pane."""

    side = Text()
    edge_profile = Text()
    machine_type = Text()
    status = Text(load_default="pending")


class PaneInput(RecordSchema):
    """A pane as a request brings it along."""

    server_owned = frozenset(
        {
            "paneNumber",
            "qrCode",
            "remakeOf",
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
        }
    )

    current_station = Reference()
    routing = fields.List(Reference())
    custom_routing = Flag()
    dimensions = fields.Nested(Dimensions)
    job_type = Text()
    raw_glass = fields.Nested(RawGlass)
    glass_type = Text()
    glass_type_label = Text()
    holes = Items(fields.Nested(CutOut))
    notches = Items(fields.Nested(CutOut))
    corner_spec = Text()
    dimension_tolerance = Text()
    processes = fields.List(Text())
    edge_tasks = Items(fields.Nested(EdgeTask))
    material = Reference()
    notes = Text()


class PaneSchema(PaneInput):
    """What a client writes of a pane; a status is put right, never set at creation."""

    order = Reference()
    request = Reference()
    withdrawal = Reference()
    inventory = Reference()
    is_withdrawn = Flag()
    current_status = Choice(*Status)
    delivered_at = Moment()
