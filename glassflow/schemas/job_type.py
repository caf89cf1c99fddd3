"""The wire shape of a job type."""

from marshmallow import fields

from glassflow.schemas.base import Flag, RecordSchema, Text, Whole


class JobTypeSchema(RecordSchema):
    """What a client writes; more than one sheet a pane means lamination."""

    name = Text(required=True, minimum=1)
    code = Text(required=True, minimum=1, maximum=64)
    description = Text()
    sheets_per_pane = Whole(minimum=1, maximum=26)
    default_raw_glass_types = fields.List(Text())
    is_active = Flag()
