"""Sticker templates: the layouts of pane labels."""

from flask import Response

from glassflow.models.sticker_template import StickerTemplate
from glassflow.schemas.answers.labels import TEMPLATE_PREVIEW
from glassflow.schemas.sticker_template import (
    StickerTemplateSchema,
    TemplatePreviewSchema,
)
from glassflow.services.events.event_route import EventRoute
from glassflow.services.labels import templates
from glassflow.services.labels.template_preview import example_values, preview_template
from glassflow.web import gate
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.idempotency import has_outside_effect
from glassflow.web.language import localized_part
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

PREVIEW = TemplatePreviewSchema()

resource = Resource(
    name="sticker-templates",
    model=StickerTemplate,
    schema=StickerTemplateSchema(),
    create_with=templates.create,
    keys=Keys.of("sticker_templates"),
    events=EventRoute("sticker-template:updated", rooms=("dashboard",)),
)
blueprint = resource.blueprint()


@blueprint.post("/preview")
@require("sticker_templates:view")
@has_outside_effect
@describe(
    "preview_sticker_template",
    body=PREVIEW,
    answer=TEMPLATE_PREVIEW,
    errors=(404,),
)
def preview() -> Response:
    """Show how a sticker template would be printed; nothing is stored."""
    body = dict(read_body(PREVIEW))
    values = example_values(body.pop("pane", None) or "", may=current_identity().may)
    body = {key: value for key, value in body.items() if value is not None}
    with gate.released():
        found = preview_template(values=values, **body)
    found["faults"] = [localized_part(one) for one in found["faults"]]
    return reply(found, "Sticker template preview")
