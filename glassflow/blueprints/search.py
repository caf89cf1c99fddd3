"""Search over several kinds of records."""

from flask import Blueprint, Response, request

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.schemas.answers.reports import FOUND
from glassflow.schemas.shapes import TEXT
from glassflow.services.reports import search
from glassflow.web.auth import any_worker, current_identity
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe
from glassflow.web.query import search_text

blueprint = Blueprint("search", __name__, url_prefix="/api/search")


@blueprint.get("")
@any_worker
@describe(
    "search_records",
    answer=FOUND,
    query=(
        Parameter(
            name="q",
            description="A number, a QR payload or a text.",
            shape={**TEXT, "maxLength": 200},
            required=True,
        ),
    ),
)
def find() -> Response:
    """Find panes, orders, requests, deliveries and others by a number or a text."""
    faults: list[FieldFault] = []
    text = search_text(request.args, "q", faults)
    if not text and not faults:
        faults.append({"field": "q", "message": texts.Q_REQUIRED})
    if faults:
        raise Invalid(faults)
    return reply(search.find(text, may=current_identity().may), "Search")
