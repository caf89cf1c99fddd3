"""The wire shapes of a lot, and of moving a part of it."""

from glassflow.domain.stock import LARGEST, SMALLEST
from glassflow.models.inventory import STOCK_TYPES
from glassflow.schemas.base import (
    Choice,
    Flag,
    Number,
    RecordSchema,
    Reference,
    Text,
)


class InventorySchema(RecordSchema):
    """What a client writes; `quantity` is in the material's unit."""

    server_owned = frozenset({"inventoryNumber"})

    material = Reference(required=True)
    stock_type = Choice(*STOCK_TYPES, required=True)
    quantity = Number(required=True, minimum=0, maximum=LARGEST)
    location = Text(required=True, minimum=1)
    storage_color = Text()
    is_active = Flag()


class MoveSchema(RecordSchema):
    """How much of a lot goes where; without a colour it keeps that of the lot."""

    quantity = Number(required=True, minimum=SMALLEST, maximum=LARGEST)
    to_location = Text(required=True, minimum=1)
    to_storage_color = Text()
