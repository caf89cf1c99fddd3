"""Requests of customers."""

from collections.abc import Mapping
from typing import Any

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.orders import RequestStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, NumberField, ObjectField, Ref
from glassflow.models.photos import file_path, signed_link


def _shown_attachments(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Show the attachments of a stored request, with signed links."""
    return [
        {
            "number": one["n"],
            "name": one["name"],
            "type": one["type"],
            "size": one["size"],
            "url": signed_link(
                file_path("requests", raw["_id"], "attachments", one["n"])
            ),
        }
        for one in raw.get("attachments", ())
    ]


class Request(Record):
    """A customer's request; `details` is {type, quantity, estimatedPrice in baht}.

    The estimated price is what was agreed, before VAT: the sum of the prices of the panes
    and of `unshared_price`, which is agreed and the price of no pane
    (`services.agreed_prices`). `changes` are what was added, changed and cancelled after
    a price was agreed (`services.agreed_prices.note`).
    `left_out` are the records that its quote named and that were deleted before the
    customer accepted: the panes do without them (`services.quotes.answers`).
    `reference_id` is the customer's own purchase order number, `notes` what else the
    customer said. The stored form of `attachments` is described in
    `services.orders.request_attachments`; `next_attachment` is the lowest number that
    none has had.
    """

    meta = {
        "collection": "requests",
        "indexes": [
            {"fields": ["request_number"], "unique": True, "sparse": True},
            for_lists("customer"),
            for_lists("assigned_to"),
            for_lists("status"),
            ("deadline", "id"),
        ],
    }
    label = Bilingual("Request", th="ใบรับงาน")
    numbered = ("request_number", "REQ")
    hidden = ("nextAttachment",)
    unsearched = ("unsharedPrice",)
    shown_as = {"attachments": _shown_attachments}

    request_number = StringField()
    details = ObjectField(
        required=True,
        shape=lambda: {"type": "", "quantity": None, "estimatedPrice": 0},
    )
    unshared_price = NumberField(default=0)
    changes = ListField(
        ObjectField(
            shape=lambda: {
                "number": 0,
                "at": None,
                "by": "",
                "reason": "",
                "before": 0,
                "after": 0,
                "lines": [],
                "begun": [],
            }
        )
    )
    left_out = ListField(ObjectField(shape=lambda: {"kind": "", "name": ""}))
    customer = Ref("Customer", required=True)
    deadline = DateTimeField()
    delivery_location = StringField(default="")
    assigned_to = Ref("Worker")
    expected_delivery_date = DateTimeField()
    reference_id = StringField()
    notes = StringField(default="")
    attachments = ListField(JSONField())
    next_attachment = IntField(default=0)
    status = Choice(*RequestStatus, default=RequestStatus.PENDING.value)
    cancel_reason = StringField(default="")
    cancelled_by = Ref("Worker")
    deadline_change_reason = StringField(default="")
