"""Sticker templates: how the stickers on panes are printed."""

from mongoengine import StringField

from glassflow.models.base import JSONField, NumberField, Record


class StickerTemplate(Record):
    """A sticker of `width` × `height` mm; its elements belong to the printing screen."""

    meta = {
        "collection": "sticker_templates",
        "indexes": [{"fields": ["name"], "unique": True}],
    }
    label = "Sticker template"

    name = StringField(default="default")
    width = NumberField(required=True)
    height = NumberField(required=True)
    elements = JSONField(default=list)
