"""The wire shape of an order."""

from marshmallow import fields

from glassflow.models.order import STATUSES
from glassflow.schemas.base import (
    Choice,
    Free,
    Moment,
    Number,
    RecordSchema,
    Reference,
    Shape,
    Text,
    Whole,
)
from glassflow.schemas.shapes import Items


class Visit(Shape):
    """An order's stay at a station; it lasts until `exitedAt`."""

    station = Reference(required=True)
    entered_at = Moment()
    exited_at = Moment()
    completed_by = Reference()


class OrderSchema(RecordSchema):
    """What a client writes; the figures follow from the order's panes."""

    server_owned = frozenset(
        {
            "orderNumber",
            "paneCount",
            "panesCompleted",
            "progressPercent",
            "stationBreakdown",
        }
    )

    request = Reference()
    priority = Number()
    customer = Reference(required=True)
    material = Reference(required=True)
    quantity = Whole(required=True, minimum=1)
    stations = fields.List(Reference())
    current_station_index = Whole(minimum=0)
    station_history = Items(fields.Nested(Visit))
    station_data = Free(kind=dict)
    notes = Text()
    status = Choice(*STATUSES)
    claim = Reference()
    withdrawal = Reference()
    assigned_to = Reference()
