"""The wire shape of a withdrawal."""

from marshmallow import fields

from glassflow.models.inventory import STOCK_TYPES
from glassflow.models.withdrawal import STATUSES
from glassflow.schemas.base import (
    Choice,
    Free,
    Moment,
    RecordSchema,
    Reference,
    Text,
    Whole,
)


class WithdrawalSchema(RecordSchema):
    """What a client writes; `inventory` names a lot to take from."""

    server_owned = frozenset({"withdrawalNumber", "approvedBy", "allocations"})

    material = Reference(required=True)
    quantity = Whole(required=True, minimum=1)
    stock_type = Choice(*STOCK_TYPES, required=True)
    withdrawn_by = Reference()
    order = Reference()
    panes = fields.List(Reference())
    inventory = Reference()
    status = Choice(*STATUSES)
    withdrawn_dimensions = Free()
    notes = Text()
    withdrawn_date = Moment()
