"""The wire shape of a customer's request."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from glassflow.domain.errors import Invalid
from glassflow.models.request import STATUSES
from glassflow.schemas.base import (
    Choice,
    Moment,
    Number,
    RecordSchema,
    Reference,
    Text,
    Whole,
)
from glassflow.schemas.pane import PaneInput
from glassflow.schemas.shapes import Filled, Items


class Details(Filled):
    """What is asked for: what kind, how many, and for how much by estimate (baht)."""

    type = Text(required=True, minimum=1)
    quantity = Whole(required=True, minimum=1)
    estimated_price = Number(minimum=0, load_default=0)


class RequestSchema(RecordSchema):
    """What a client writes; `panes` only when the request is made."""

    server_owned = frozenset({"requestNumber", "cancelledBy"})

    details = fields.Nested(Details, required=True)
    customer = Reference(required=True)
    deadline = Moment()
    delivery_location = Text()
    assigned_to = Reference()
    expected_delivery_date = Moment()
    reference_id = Text()
    status = Choice(*STATUSES)
    cancel_reason = Text()
    deadline_change_reason = Text()
    panes = Items(fields.Nested(PaneInput))

    def read(self, body: Mapping[str, Any], *, partial: bool = False) -> dict[str, Any]:
        """Read a request; raises `Invalid`, also for panes in a change."""
        values = super().read(body, partial=partial)
        if partial and values.pop("panes", None):
            fault = "Panes can be given only when the request is made"
            raise Invalid([{"field": "panes", "message": fault}])
        return values
