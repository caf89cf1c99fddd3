"""The request body schema of a saved export."""

from glassflow.models.saved_export import ExportFormat
from glassflow.schemas.base import Choice, RecordSchema, StrictBoolean, Text


class SavedExportSchema(RecordSchema):
    """The fields that a client writes; the owner is who creates it."""

    server_owned = frozenset({"owner"})

    name = Text(required=True, minimum=1, maximum=100)
    resource = Text(required=True, minimum=1, maximum=100)
    query = Text(maximum=2000)
    format = Choice(*ExportFormat)
    shared = StrictBoolean()
