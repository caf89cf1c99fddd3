"""The request body schema of an order."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from glassflow.domain import texts
from glassflow.domain.orders import OrderStatus
from glassflow.schemas.base import (
    Choice,
    EmbeddedSchema,
    FreeJSON,
    Integer,
    Number,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length


class Visit(EmbeddedSchema):
    """An order's stay at a station, open until `exitedAt`."""

    station = Reference(required=True)
    entered_at = UTCDateTime()
    exited_at = UTCDateTime()
    completed_by = Reference()

    @validates_schema
    def require_exit_after_entry(self, values: Mapping[str, Any], **_: Any) -> None:
        """Raise `ValidationError` for an exit before the entry."""
        entered, exited = values.get("entered_at"), values.get("exited_at")
        if entered and exited and exited < entered:
            message = texts.BEFORE_BEGIN.format(begin="enteredAt")
            raise ValidationError(message, "exitedAt")


class OrderSchema(RecordSchema):
    """The fields that a client writes; the figures are derived from the panes."""

    server_owned = frozenset(
        {
            "orderNumber",
            "paneCount",
            "panesCompleted",
            "panesDelivered",
            "completedAt",
            "progressPercent",
            "stationBreakdown",
        }
    )

    request = Reference()
    priority = Number()
    customer = Reference(required=True)
    material = Reference(required=True)
    quantity = Integer(required=True, minimum=1)
    stations = fields.List(Reference())
    current_station_index = Integer(minimum=0)
    station_history = ReplacedList(fields.Nested(Visit))
    station_data = FreeJSON(kind=dict)
    notes = Text()
    status = Choice(*OrderStatus)
    claim = Reference()
    withdrawal = Reference()
    assigned_to = Reference()


class PaneMaterial(EmbeddedSchema):
    """A material, and the panes that get it; a laminated unit by one of its panes."""

    panes = fields.List(Reference(), required=True, validate=Length(min=1))
    material = Reference(required=True)


class NewOrderSchema(OrderSchema):
    """A new order: which `panes` of its request it takes over, and their materials.

    `paneMaterials` are for panes that get another material than the order's own,
    `overrideReason` is why panes that cannot be made are made nevertheless.
    """

    panes = fields.List(Reference(), validate=Length(min=1))
    pane_materials = ReplacedList(fields.Nested(PaneMaterial))
    override_reason = Text(maximum=500)
