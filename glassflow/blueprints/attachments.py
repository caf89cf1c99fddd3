"""Attachments: pictures that are uploaded before the record that will show them."""

from flask import Blueprint, Response

from glassflow.domain import error_codes
from glassflow.schemas.answers.reports import ATTACHMENT
from glassflow.schemas.attachment import AttachmentSchema
from glassflow.services import attachments
from glassflow.web.auth import current_identity, require
from glassflow.web.body import large_body, read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

SCHEMA = AttachmentSchema()

blueprint = Blueprint("attachments", __name__, url_prefix="/api/attachments")


@blueprint.post("")
@large_body
@require("panes:scan", "claims:create")
@describe(
    "store_attachment",
    body=SCHEMA,
    answer=ATTACHMENT,
    status=201,
    codes=tuple(error_codes.PICTURES),
)
def create() -> Response:
    """Store a picture, to be named in a failed check or a claim."""
    body = read_body(SCHEMA)
    stored = attachments.store(
        picture=body["photo"], actor=current_identity(), attachment_id=body.get("id")
    )
    data = {"_id": stored.id, "type": stored.type, "size": stored.size}
    return reply(data, "Attachment stored", status=201)
