"""The request body schemas of a delivery: its fields, its loading, and the hand-over."""

from marshmallow import fields

from glassflow.domain.bilingual import Language
from glassflow.domain.deliveries import MAX_PANES, MAX_PHOTOS
from glassflow.schemas.base import (
    Choice,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import Length

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
            "deliveredBy",
            "undoableUntil",
            "receivedBy",
            "remark",
            "signature",
            "photos",
            "undoneHandOvers",
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


class HandOverSchema(RecordSchema):
    """What was handed over: the panes, to whom, and the attachments that show it.

    `occurred_at` is when that was, where a device without network was used; else it is left
    out.
    """

    pane_numbers = fields.List(Text(minimum=1), required=True, validate=_NUMBERS)
    received_by = Text(required=True, minimum=1, maximum=100)
    remark = Text(maximum=500)
    signature = Reference()
    photos = fields.List(Reference(), validate=Length(max=MAX_PHOTOS))
    occurred_at = UTCDateTime(is_measured=True)


class UndoHandOverSchema(RecordSchema):
    """Why a hand-over is undone; required after an hour."""

    reason = Text(maximum=500)
