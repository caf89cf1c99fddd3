"""The wire shape of a station template."""

from glassflow.schemas.base import Free, RecordSchema, Text


class StationTemplateSchema(RecordSchema):
    """What a client writes; `uiSchema` is kept as it comes."""

    name = Text(required=True, minimum=1)
    ui_schema = Free()
