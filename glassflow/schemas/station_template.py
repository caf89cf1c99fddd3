"""The request body schema of a station template."""

from glassflow.schemas.base import FreeJSON, RecordSchema, StrictBoolean, Text


class StationTemplateSchema(RecordSchema):
    """The fields that a client writes; `uiSchema` is kept as it comes.

    New stations take `is_check_station` and `is_cutting_station` from their template. A
    later change of the template changes no station.
    """

    name = Text(required=True, minimum=1)
    ui_schema = FreeJSON()
    is_check_station = StrictBoolean()
    is_cutting_station = StrictBoolean()
