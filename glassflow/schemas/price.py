"""The request body schema of a quote: panes as a request would create them."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Reference, StrictBoolean
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.request import RequestPane


class PriceSchema(RecordSchema):
    """The panes to be priced, for a customer, and whether they are urgent."""

    customer = Reference()
    is_rush = StrictBoolean()
    panes = ReplacedList(fields.Nested(RequestPane), required=True)
