"""Sticker templates: how the stickers on panes are printed."""

from mongoengine import StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, NumberField


class StickerTemplate(Record):
    """A sticker of `width` × `height` mm; its elements belong to the client that prints."""

    meta = {
        "collection": "sticker_templates",
        "indexes": [{"fields": ["name"], "unique": True}],
    }
    label = Bilingual("Sticker template", th="แบบฉลาก")

    name = StringField(default="default")
    width = NumberField(required=True)
    height = NumberField(required=True)
    elements = JSONField(default=list)
