"""The request body schema of a customer's request."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from glassflow.domain import texts
from glassflow.domain.bilingual import Language
from glassflow.domain.errors import Invalid
from glassflow.domain.money import MOST_OF_PAPER
from glassflow.domain.orders import RequestStatus
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
from glassflow.schemas.library_messages import Length
from glassflow.schemas.pane import (
    MOST_OF_MARK,
    CutOut,
    Dimensions,
    EdgeTask,
    PaneOfRequest,
    RawGlass,
)


class Details(DefaultedSchema):
    """What is requested: kind, quantity and estimated price in baht."""

    type = Text(required=True, minimum=1)
    quantity = Integer(required=True, minimum=1)
    estimated_price = Number(minimum=0, maximum=MOST_OF_PAPER, load_default=0)


class RequestPane(PaneOfRequest):
    """A pane of a new request; `quantity` makes as many alike."""

    quantity = Integer(minimum=1)


class AddedPanesSchema(RecordSchema):
    """Panes that are added to a request, and the order that takes them, if one does."""

    panes = ReplacedList(
        fields.Nested(RequestPane), required=True, validate=Length(min=1)
    )
    order = Reference()


class PaneValues(EmbeddedSchema):
    """What a change of a request changes of panes: what they are, not where."""

    named = RecordSchema.named

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


class ChangedPanes(EmbeddedSchema):
    """Panes of a request that are changed alike, and their new values."""

    panes = fields.List(Reference(), required=True, validate=Length(min=1))
    values = fields.Nested(PaneValues, required=True)


class RequestChangeSchema(RecordSchema):
    """A change of the panes of a request: added, cancelled and changed ones at once.

    `order` takes the added panes. `charge` charges the cancelled ones nevertheless. One that
    `waits` is made once the customer confirms it, and shown to them in `language`.
    """

    add = ReplacedList(fields.Nested(RequestPane))
    order = Reference()
    cancel = fields.List(Reference())
    change = ReplacedList(fields.Nested(ChangedPanes))
    deadline = UTCDateTime()
    charge = StrictBoolean()
    reason = Text()
    waits = StrictBoolean()
    language = Choice(*Language)


class RequestSchema(RecordSchema):
    """The fields that a client writes; `panes` only on create."""

    server_owned = frozenset(
        {
            "requestNumber",
            "cancelledBy",
            "attachments",
            "unsharedPrice",
            "changes",
            "leftOut",
        }
    )

    details = fields.Nested(Details, required=True)
    customer = Reference(required=True)
    deadline = UTCDateTime()
    delivery_location = Text()
    assigned_to = Reference()
    expected_delivery_date = UTCDateTime()
    reference_id = Text()
    notes = Text()
    status = Choice(*RequestStatus)
    cancel_reason = Text()
    deadline_change_reason = Text()
    panes = ReplacedList(fields.Nested(RequestPane))

    def read(self, body: Mapping[str, Any], *, partial: bool = False) -> dict[str, Any]:
        """Read a request; raises `Invalid`, also for panes in a change."""
        values = super().read(body, partial=partial)
        if partial and values.pop("panes", None):
            fault = texts.PANES_ON_CREATE_ONLY
            raise Invalid([{"field": "panes", "message": fault}])
        return values
