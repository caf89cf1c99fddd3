"""The request body schema of a customer."""

from marshmallow import fields

from glassflow.schemas.base import Number, RecordSchema, Reference, Text
from glassflow.schemas.library_messages import Length

MOST_MERGED = 50  # customers at once


class CustomerSchema(RecordSchema):
    """The fields that a client writes; `discount` is a percentage, 0 to 100 inclusive."""

    name = Text(required=True, minimum=1)
    address = Text()
    phone = Text()
    discount = Number(minimum=0, maximum=100)
    notes = Text()


class MergeSchema(RecordSchema):
    """The customers that are merged into another one."""

    customers = fields.List(
        Reference(), required=True, validate=Length(min=1, max=MOST_MERGED)
    )
