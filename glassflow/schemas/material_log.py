"""The wire shape of an entry in the stock book."""

from marshmallow import fields

from glassflow.models.inventory import STOCK_TYPES
from glassflow.models.material_log import ACTION_TYPES, REFERENCE_TYPES
from glassflow.schemas.base import Choice, Number, RecordSchema, Reference, Text


class MaterialLogSchema(RecordSchema):
    """What a client notes; `quantityChanged` is negative for what went."""

    server_owned = frozenset({"inventory"})

    material = Reference(required=True)
    action_type = Choice(*ACTION_TYPES, required=True)
    quantity_changed = Number(required=True)
    reference_id = Text(minimum=1)
    reference_type = Choice(*REFERENCE_TYPES)
    total_price = Number()
    stock_type = Choice(*STOCK_TYPES)
    order = Reference()
    panes = fields.List(Reference())
    parent_log = Reference()
    worker = Reference()
