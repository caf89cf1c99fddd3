"""The wire shape of a sticker template."""

from glassflow.schemas.base import Free, Number, RecordSchema, Text


class StickerTemplateSchema(RecordSchema):
    """What a client writes; sizes are in mm, `elements` are kept as they come."""

    name = Text(minimum=1)
    width = Number(required=True, above=0)
    height = Number(required=True, above=0)
    elements = Free(kind=list)
