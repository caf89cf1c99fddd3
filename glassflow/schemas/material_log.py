"""The request body schema of a ledger entry."""

from marshmallow import fields

from glassflow.domain.money import MOST_OF_PAPER
from glassflow.domain.stock import LedgerAction, LedgerReferenceType, StockType
from glassflow.schemas.base import (
    Choice,
    Number,
    RecordSchema,
    Reference,
    Text,
)


class MaterialLogSchema(RecordSchema):
    """The fields of a note; `quantityChanged` is negative for what was taken."""

    server_owned = frozenset({"inventory"})

    material = Reference(required=True)
    action_type = Choice(*LedgerAction, required=True)
    quantity_changed = Number(required=True)
    reference_id = Text(minimum=1)
    reference_type = Choice(*LedgerReferenceType)
    total_price = Number(minimum=-MOST_OF_PAPER, maximum=MOST_OF_PAPER)
    stock_type = Choice(*StockType)
    order = Reference()
    panes = fields.List(Reference())
    parent_log = Reference()
    worker = Reference()
    reason = Text()
