"""Request body schemas of a lot, and of moving a part of it."""

from typing import Any

from marshmallow import fields, pre_load

from glassflow.domain.cutting.lots import MOST_DEFECTS, MOST_SIDE
from glassflow.domain.stock import LARGEST, SMALLEST, StockType
from glassflow.schemas.base import (
    Choice,
    EmbeddedSchema,
    Integer,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length


class OwnSize(EmbeddedSchema):
    """The size of the sheets of a lot in mm; 0 by 0 is a size of the material."""

    width = Number(minimum=0, maximum=MOST_SIDE)
    height = Number(minimum=0, maximum=MOST_SIDE)


class SheetDefect(EmbeddedSchema):
    """A rectangle in mm, from the left and lower edge of the sheet."""

    x = Number(required=True, minimum=0, maximum=MOST_SIDE)
    y = Number(required=True, minimum=0, maximum=MOST_SIDE)
    width = Number(required=True, above=0, maximum=MOST_SIDE)
    height = Number(required=True, above=0, maximum=MOST_SIDE)


class InventorySchema(RecordSchema):
    """The fields that a client writes; `quantity` is in the material's unit.

    `version` is read where a quantity is changed: the one on which the change is based.
    `reason` is no field of the lot: it is logged with what changes in the stock.
    """

    server_owned = frozenset(
        {"inventoryNumber", "qrCode", "cuttingPlan", "reservations"}
    )

    material = Reference(required=True)
    stock_type = Choice(*StockType, required=True)
    quantity = Number(required=True, minimum=0, maximum=LARGEST)
    location = Text(required=True, minimum=1)
    storage_color = Text()
    dimensions = fields.Nested(OwnSize)
    defects = ReplacedList(
        fields.Nested(SheetDefect), validate=Length(max=MOST_DEFECTS)
    )
    parent_lot = Reference()
    is_active = StrictBoolean()
    version = Integer()
    reason = Text(maximum=1000)

    @pre_load
    def drop_version(self, body: Any, *, partial: Any, **_: Any) -> Any:
        """Ignore `version` elsewhere, whatever it is."""
        if not isinstance(body, dict) or (partial and "quantity" in body):
            return body
        return {name: value for name, value in body.items() if name != "version"}


class MoveSchema(RecordSchema):
    """The quantity and the destination; without a colour that of the lot is kept."""

    quantity = Number(required=True, minimum=SMALLEST, maximum=LARGEST)
    to_location = Text(required=True, minimum=1)
    to_storage_color = Text()
