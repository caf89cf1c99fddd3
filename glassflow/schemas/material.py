"""The request body schema of a material."""

from marshmallow import fields

from glassflow.schemas.base import (
    EmbeddedSchema,
    Number,
    RecordSchema,
    StrictBoolean,
    Text,
)


class SpecDetails(EmbeddedSchema):
    """What a sheet is like, in texts as the supplier writes them."""

    thickness = Text()
    color = Text()
    glass_type = Text()
    width = Text()
    length = Text()
    sqft = Text()
    dimension_unit = Text()


class MaterialSchema(RecordSchema):
    """The fields that a client writes; below `reorderPoint` the material is low."""

    name = Text(required=True, minimum=1)
    unit = Text(required=True, minimum=1)
    reorder_point = Number(required=True, minimum=0)
    code = Text()
    brand = Text()
    spec_details = fields.Nested(SpecDetails)
    is_active = StrictBoolean()
