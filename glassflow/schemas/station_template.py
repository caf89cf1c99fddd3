"""The request body schema of a station template."""

from glassflow.schemas.base import FreeJSON, RecordSchema, Text


class StationTemplateSchema(RecordSchema):
    """The fields that a client writes; `uiSchema` is kept as it comes."""

    name = Text(required=True, minimum=1)
    ui_schema = FreeJSON()
