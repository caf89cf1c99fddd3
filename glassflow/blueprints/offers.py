"""Offers: a quote as its customer sees and accepts it, by the secret of its link."""

from bson import ObjectId
from flask import Blueprint, Response, request

from glassflow.models.quote import Quote
from glassflow.schemas.answers.quotes import OFFER
from glassflow.schemas.quote import OfferAcceptSchema
from glassflow.services import records
from glassflow.services.printing import make_quote
from glassflow.services.quotes import answers, links, offers
from glassflow.web.auth import public
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.files import PDF, pdf_response
from glassflow.web.operation import Parameter, describe
from glassflow.web.throttle import count_offer

SECRET = Parameter(
    name="X-Offer-Secret",
    description="What the address of the link has after the id of the quote and a dot.",
    required=True,
)
ACCEPT = OfferAcceptSchema()

blueprint = Blueprint("offers", __name__, url_prefix="/api/offers")


@blueprint.get("/<oid:record_id>")
@public
@describe("get_offer", answer=OFFER, headers=(SECRET,), errors=(429,))
def show(record_id: str) -> Response:
    """Return what the paper of a quote shows, and whether it still waits for an answer."""
    return reply(offers.wire_form(links.read(*_link(record_id))), "Offer found")


@blueprint.get("/<oid:record_id>/pdf")
@public
@describe("get_offer_pdf", headers=(SECRET,), **PDF, errors=(429,))
def pdf(record_id: str) -> Response:
    """Make the PDF of a quote for its customer."""
    printed = offers.on_paper(links.read(*_link(record_id)))
    return pdf_response(printed.number, lambda: make_quote(printed))


@blueprint.post("/<oid:record_id>/accept")
@public
@describe(
    "accept_offer",
    answer=OFFER,
    headers=(SECRET,),
    body=ACCEPT,
    errors=(429,),
    codes=("QUOTE_NOT_OPEN", "QUOTE_EXPIRED"),
)
def accept(record_id: str) -> Response:
    """Accept a quote as its customer: its request and panes are created once."""
    quote_id, secret = _link(record_id)
    accepted = answers.accept_by_link(
        record_id=quote_id,
        secret=secret,
        values=read_body(ACCEPT),
    )
    return reply(offers.wire_form(accepted), "Offer accepted")


def _link(record_id: str) -> tuple[ObjectId, str]:
    """Count the attempt; return the id of the quote and the secret of the request."""
    count_offer()
    secret = request.headers.get(SECRET.name, "")
    return records.object_id(record_id, Quote.label), secret
