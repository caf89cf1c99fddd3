"""The request body schema of a quote: panes as a request would create them."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Reference
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.request import RequestPane


class PriceSchema(RecordSchema):
    """The panes to be priced, and the customer whose discount is taken off."""

    customer = Reference()
    panes = ReplacedList(fields.Nested(RequestPane), required=True)
