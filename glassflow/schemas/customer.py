"""The request body schema of a customer."""

from glassflow.schemas.base import Number, RecordSchema, Text


class CustomerSchema(RecordSchema):
    """The fields that a client writes; `discount` is a percentage, 0 to 100 inclusive."""

    name = Text(required=True, minimum=1)
    address = Text()
    phone = Text()
    discount = Number(minimum=0, maximum=100)
    notes = Text()
