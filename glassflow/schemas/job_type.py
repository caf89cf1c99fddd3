"""The request body schema of a job type."""

from marshmallow import fields

from glassflow.schemas.base import (
    Integer,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)


class JobTypeSchema(RecordSchema):
    """The fields that a client writes; more than one sheet a pane means lamination."""

    name = Text(required=True, minimum=1)
    code = Text(required=True, minimum=1, maximum=64)
    description = Text()
    sheets_per_pane = Integer(minimum=1, maximum=26)
    is_tempered = StrictBoolean()
    default_raw_glass_types = fields.List(Text())
    default_routing = fields.List(Reference())
    default_material = Reference()
    is_active = StrictBoolean()
