"""The request body schemas of a delivery: its fields, its loading, and the hand-over."""

from typing import Any

from marshmallow import fields

from glassflow.domain.bilingual import Language
from glassflow.domain.deliveries import (
    MAX_LEFT_PHOTOS,
    MAX_PANES,
    MAX_PHOTOS,
    LeftReason,
)
from glassflow.schemas.base import (
    Choice,
    Integer,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import Length
from glassflow.schemas.paper import PaperQuery

_NUMBERS = Length(min=1, max=MAX_PANES)


class DeliverySchema(RecordSchema):
    """The fields that a client writes, as long as nothing has been handed over.

    `planned_for` is now and `recipient` the customer where a new delivery has none, and
    `address` is that of the panes' request, else of the customer.
    """

    server_owned = frozenset(
        {
            "deliveryNumber",
            "loadedPanes",
            "missingPanes",
            "status",
            "deliveredAt",
            "undoableUntil",
            "handOvers",
        }
    )

    customer = Reference(required=True)
    panes = fields.List(Reference(), validate=Length(max=MAX_PANES))
    planned_for = UTCDateTime()
    recipient = Text(maximum=200)
    address = Text()
    contact = Text(maximum=200)
    phone = Text(maximum=100)
    vehicle = Text(maximum=100)
    driver = Reference()
    notes = Text()
    language = Choice(*Language)


class LoadSchema(RecordSchema):
    """Panes that are put on the vehicle, or taken off, by number or QR payload."""

    pane_numbers = fields.List(Text(minimum=1), required=True, validate=_NUMBERS)


class LeftPaneSchema(RecordSchema):
    """A pane that came back, and why; the attachments show it."""

    pane_number = Text(required=True, minimum=1)
    reason = Choice(*LeftReason, required=True)
    note = Text(maximum=200)
    photos = fields.List(Reference(), validate=Length(max=MAX_LEFT_PHOTOS))


class HandOverSchema(RecordSchema):
    """What was handed over: the panes, to whom, and the attachments that show it.

    `received_by` is required with panes; without one `left` says why they came back.
    `occurred_at` is when that was, where a device without network was used; else it is left
    out.
    """

    pane_numbers = fields.List(
        Text(minimum=1), required=True, validate=Length(max=MAX_PANES)
    )
    left = fields.List(fields.Nested(LeftPaneSchema), validate=Length(max=MAX_PANES))
    received_by = Text(maximum=100)
    remark = Text(maximum=500)
    signature = Reference()
    photos = fields.List(Reference(), validate=Length(max=MAX_PHOTOS))
    occurred_at = UTCDateTime(is_measured=True)


class UndoHandOverSchema(RecordSchema):
    """Which hand-over is undone, the newest if none is named, and why.

    The reason is required after an hour.
    """

    reason = Text(maximum=500)
    hand_over = Integer(minimum=1)


class _CountInQuery(Integer):
    """A number of 1 or more; a query has it as a text."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int | float:
        is_count = value.isascii() and value.isdigit() and len(value) < 16
        return super()._deserialize(int(value) if is_count else value, *args, **kwargs)


class DeliveryNoteQuery(PaperQuery):
    """The hand-over, by its number, whose note it is; without it, the newest that counts."""

    hand_over = _CountInQuery(minimum=1)
