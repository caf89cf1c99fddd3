"""Sticker templates: how a pane's label is printed."""

from glassflow.core.channel import Channel
from glassflow.models.sticker_template import StickerTemplate
from glassflow.schemas.sticker_template import StickerTemplateSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="sticker-templates",
    model=StickerTemplate,
    schema=StickerTemplateSchema(),
    keys=Keys.of("sticker_templates"),
    channel=Channel("sticker-template:updated", rooms=("dashboard",)),
)
blueprint = resource.blueprint()
