"""Offers: a quote as its customer sees and answers it, by the secret of its link."""

from bson import ObjectId
from flask import Blueprint, Response, request

from glassflow.models.quote import Quote
from glassflow.schemas.answers.quotes import OFFER
from glassflow.schemas.paper import PaperQuery
from glassflow.schemas.quote import (
    OfferAcceptSchema,
    OfferChangeSchema,
    OfferDeclineSchema,
)
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
ACCEPT, DECLINE, CHANGE = OfferAcceptSchema(), OfferDeclineSchema(), OfferChangeSchema()
PAPER = PaperQuery()

blueprint = Blueprint("offers", __name__, url_prefix="/api/offers")


@blueprint.get("/<oid:record_id>")
@public
@describe("get_offer", answer=OFFER, query=PAPER, headers=(SECRET,), errors=(400, 429))
def show(record_id: str) -> Response:
    """Return what the paper of a quote shows, and whether it still waits for an answer."""
    quote = links.read(*_link(record_id))
    return reply(offers.wire_form(quote, _language()), "Offer found")


@blueprint.get("/<oid:record_id>/pdf")
@public
@describe("get_offer_pdf", query=PAPER, headers=(SECRET,), **PDF, errors=(400, 429))
def pdf(record_id: str) -> Response:
    """Make the PDF of a quote for its customer, in its language or in that of the query."""
    printed = offers.on_paper(links.read(*_link(record_id)), _language())
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


@blueprint.post("/<oid:record_id>/decline")
@public
@describe(
    "decline_offer",
    answer=OFFER,
    headers=(SECRET,),
    body=DECLINE,
    errors=(429,),
    codes=("QUOTE_NOT_OPEN", "QUOTE_EXPIRED"),
)
def decline(record_id: str) -> Response:
    """Decline a quote as its customer; the note is the reason of its rejection."""
    quote_id, secret = _link(record_id)
    declined = answers.decline_by_link(
        record_id=quote_id,
        secret=secret,
        values=read_body(DECLINE),
    )
    return reply(offers.wire_form(declined), "Offer declined")


@blueprint.post("/<oid:record_id>/change")
@public
@describe(
    "ask_change_of_offer",
    answer=OFFER,
    headers=(SECRET,),
    body=CHANGE,
    errors=(429,),
    codes=("QUOTE_NOT_OPEN", "QUOTE_EXPIRED"),
)
def ask_change(record_id: str) -> Response:
    """Ask for a change of a quote as its customer; it still waits for an answer."""
    quote_id, secret = _link(record_id)
    kept = answers.ask_change_by_link(
        record_id=quote_id,
        secret=secret,
        values=read_body(CHANGE),
    )
    return reply(offers.wire_form(kept), "Change asked for")


def _language() -> str | None:
    language: str | None = PAPER.read(request.args).get("language")
    return language


def _link(record_id: str) -> tuple[ObjectId, str]:
    """Count the attempt; return the id of the quote and the secret of the request."""
    count_offer()
    secret = request.headers.get(SECRET.name, "")
    return records.object_id(record_id, Quote.label), secret
