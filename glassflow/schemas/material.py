"""The request body schema of a material."""

from collections.abc import Mapping, Sequence

from marshmallow import ValidationError, fields

from glassflow.domain import texts
from glassflow.domain.cutting.lots import MOST_SIDE
from glassflow.schemas.base import (
    EmbeddedSchema,
    Number,
    RecordSchema,
    StrictBoolean,
    Text,
)
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length

MOST_SIZES = 20


class SpecDetails(EmbeddedSchema):
    """What a sheet is like, in texts as the supplier writes them."""

    thickness = Text()
    color = Text()
    glass_type = Text()
    width = Text()
    length = Text()
    sqft = Text()
    dimension_unit = Text()


class SheetSize(EmbeddedSchema):
    """The size of a stock sheet in mm; a pattern runs along its height."""

    width = Number(required=True, above=0, maximum=MOST_SIDE)
    height = Number(required=True, above=0, maximum=MOST_SIDE)


def _distinct(sizes: Sequence[Mapping[str, float]]) -> None:
    if len({(one["width"], one["height"]) for one in sizes}) < len(sizes):
        raise ValidationError(texts.SHEET_SIZE_TWICE)


class MaterialSchema(RecordSchema):
    """The fields that a client writes; below `reorderPoint` the material is low."""

    name = Text(required=True, minimum=1)
    unit = Text(required=True, minimum=1)
    reorder_point = Number(required=True, minimum=0)
    code = Text()
    brand = Text()
    spec_details = fields.Nested(SpecDetails)
    sheet_sizes = ReplacedList(
        fields.Nested(SheetSize), validate=[Length(max=MOST_SIZES), _distinct]
    )
    is_patterned = StrictBoolean()
    is_coated = StrictBoolean()
    is_active = StrictBoolean()
