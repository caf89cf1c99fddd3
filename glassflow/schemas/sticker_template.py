"""The request body schema of a sticker template."""

from glassflow.labels.printers import DPI
from glassflow.schemas.base import (
    FreeJSON,
    Integer,
    Number,
    RecordSchema,
    Text,
)
from glassflow.schemas.library_messages import OneOf


class StickerTemplateSchema(RecordSchema):
    """The fields that a client writes; sizes are in mm, `elements` are kept as they come."""

    name = Text(minimum=1)
    width = Number(required=True, above=0)
    height = Number(required=True, above=0)
    elements = FreeJSON(kind=list)


class TemplatePreviewSchema(StickerTemplateSchema):
    """The same, not yet stored; the pane that fills it in, and the printer's dpi."""

    pane = Text(maximum=100)
    dpi = Integer(validate=OneOf(DPI))
