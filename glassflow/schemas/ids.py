"""The body of a bulk delete."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Reference
from glassflow.schemas.library_messages import Length


class IdsSchema(RecordSchema):
    """The ids of the records to delete."""

    ids = fields.List(Reference(), required=True, validate=Length(min=1))
