"""Quotes: what customers are offered, until it becomes a request or does not."""

from flask import Response, current_app, request
from werkzeug.sansio.utils import host_is_trusted

from glassflow.documents.quote import QuoteOnPaper
from glassflow.domain import error_codes
from glassflow.domain.errors import Forbidden
from glassflow.host.public_url import is_local, read_public_url
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.schemas.answers.forecasts import FORECAST
from glassflow.schemas.answers.prices import PRICED_PANES
from glassflow.schemas.answers.quotes import FIGURES, LINES, LINK, MAIL_DRAFT
from glassflow.schemas.forecast import ForecastSchema
from glassflow.schemas.paper import PaperQuery
from glassflow.schemas.quote import (
    AcceptSchema,
    ConfirmationSchema,
    MailSchema,
    QuoteChangeSchema,
    QuotePane,
    QuotePriceSchema,
    QuoteSchema,
    RejectSchema,
    SendSchema,
)
from glassflow.services import confirmations
from glassflow.services.events.event_route import EventRoute
from glassflow.services.forecasts import forecasts
from glassflow.services.printing import make_quote
from glassflow.services.quotes import answers, links, mail, offers, paper, quotes
from glassflow.services.quotes.links import ServiceAddress
from glassflow.services.reports import quote_sums
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.files import PDF, pdf_response
from glassflow.web.idempotency import takes_no_key
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

PRICE, SEND = QuotePriceSchema(), SendSchema()
ACCEPT, REJECT, MAIL = AcceptSchema(), RejectSchema(), MailSchema()
CONFIRMATION, FORECASTS = ConfirmationSchema(), ForecastSchema()
PAPER = PaperQuery()


resource = Resource(
    name="quotes",
    model=Quote,
    schema=QuoteChangeSchema(),
    create_schema=QuoteSchema(),
    keys=Keys(view="pricing:view", create="requests:manage", manage="requests:manage"),
    events=EventRoute("quote:updated", rooms=("dashboard", "pricing", "request")),
    create_with=quotes.create,
    update_with=quotes.update,
    importing=ImportRows(parts=("panes", QuotePane(), Pane)),
    codes=(*error_codes.QUOTES, "CUSTOMER_FIXED"),
)
blueprint = resource.blueprint()


@blueprint.get("/figures")
@require("pricing:view")
@describe("get_quote_figures", answer=FIGURES)
def show_figures() -> Response:
    """Count the quotes that wait for an answer, those that expire soon, and the answers."""
    return reply(quote_sums.read(), "Figures of quotes")


@blueprint.post("/price")
@require("pricing:view")
@describe("price_quote", body=PRICE, answer=PRICED_PANES, errors=(404,))
def price() -> Response:
    """Calculate what panes would cost in a quote; nothing is stored."""
    body = read_body(PRICE)
    customer = body.get("customer")
    if customer and not current_identity().may("customers:view"):
        raise Forbidden()
    priced = quotes.price(
        panes=body["panes"],
        customer=customer,
        quote_id=body.get("quote"),
        is_rush=bool(body.get("is_rush")),
        discount=body.get("discount_percent"),
    )
    return reply(priced.wire_form(), "Price")


@blueprint.post("/confirmations")
@require("requests:manage")
@resource.operations.describe(
    "create",
    id="confirm_request",
    body=CONFIRMATION,
    codes=("NOT_PRICED", *error_codes.CHANGES_OF_REQUEST),
)
def create_confirmation() -> Response:
    """Make the confirmation of a request as it stands, or as a change would have it."""
    values = read_body(CONFIRMATION)
    made = confirmations.create(
        request_id=values["request"], values=values, actor=current_identity()
    )
    return resource.answer(made.stored_form(), "Confirmation sent", status=201)


@blueprint.get("/<oid:record_id>/pdf")
@require("pricing:view")
@describe("get_quote_pdf", query=PAPER, **PDF, errors=(400, 404), codes=("NOT_PRICED",))
def pdf(record_id: str) -> Response:
    """Make the PDF of a quote, in its language or in that of the query; a draft is marked."""
    printed = _paper(record_id)
    return pdf_response(printed.number, lambda: make_quote(printed))


@blueprint.get("/<oid:record_id>/lines")
@require("pricing:view")
@describe(
    "get_quote_lines",
    answer=LINES,
    query=PAPER,
    errors=(400, 404),
    codes=("NOT_PRICED",),
)
def show_lines(record_id: str) -> Response:
    """Return the lines of the paper of a quote: its panes with all work on them."""
    return reply(offers.lines(_paper(record_id)), "Lines of a quote")


def _paper(record_id: str) -> QuoteOnPaper:
    raw = resource.read_visible(record_id)
    language = PAPER.read(request.args).get("language")
    return paper.read(raw, may=current_identity().may, language=language)


@blueprint.post("/<oid:record_id>/forecast")
@require("pricing:view")
@describe("forecast_quote", body=FORECASTS, answer=FORECAST, errors=(404,))
def forecast(record_id: str) -> Response:
    """Calculate when the panes of a quote would be finished, and keep this forecast."""
    current_identity().require("orders:view")  # it names orders, and shows the load
    raw = resource.read_visible(record_id)
    if raw.get("request"):
        current_identity().require("requests:view")  # whose forecast it is
    what_if = read_body(FORECASTS).get("what_if")
    return reply(
        forecasts.of_quote(record_id=raw["_id"], what_if=what_if), "Forecast of a quote"
    )


@blueprint.post("/<oid:record_id>/send")
@require("requests:manage")
@resource.operations.describe(
    "update",
    id="send_quote",
    body=SEND,
    partial=False,
    codes=(*error_codes.QUOTES, "NOT_MAKEABLE"),
)
def send(record_id: str) -> Response:
    """Mark a draft as sent: from then on it does not change."""
    raw = resource.read_visible(record_id)
    reason = read_body(SEND).get("override_reason") or ""
    with resource.expecting(raw["_id"]):
        sent = quotes.send(
            record_id=raw["_id"],
            override_reason=reason,
            actor=current_identity(),
        )
    add_warnings(sent.remarks)
    return resource.answer(sent.stored_form(), "Quote sent")


@blueprint.get("/<oid:record_id>/mail")
@require("requests:manage")
@describe("get_quote_mail", answer=MAIL_DRAFT, errors=(404,), warns=True)
def show_mail(record_id: str) -> Response:
    """Show the e-mail that a quote is sent with, unless its sender words it otherwise."""
    quote = Quote.from_stored(resource.read_visible(record_id))
    addresses = mail.customer_addresses(quote, current_identity())
    service = _service_address()
    shown = {
        "isOn": mail.is_on(),
        **mail.draft(quote, addresses or ()),
        "linkText": mail.link_text(quote, service),
        "customerAddresses": addresses,
    }
    add_warnings(mail.link_remarks(service))
    return reply(shown, "E-mail of a quote")


@blueprint.post("/<oid:record_id>/mail")
@require("requests:manage")
@resource.operations.describe(
    "update",
    id="mail_quote",
    body=MAIL,
    partial=False,
    codes=("QUOTE_NOT_OPEN", *error_codes.MAILS),
)
def send_mail(record_id: str) -> Response:
    """Send a quote to the customer by e-mail, with its PDF, soon after the answer."""
    raw = resource.read_visible(record_id)
    values = read_body(MAIL)
    with resource.expecting(raw["_id"]):
        asked = mail.ask(
            record_id=raw["_id"],
            values=values,
            actor=current_identity(),
            service=_service_address(),
        )
    add_warnings(asked.remarks)
    return resource.answer(asked.stored_form(), "E-mail is on its way")


@blueprint.post("/<oid:record_id>/accept")
@require("requests:manage")
@resource.operations.describe(
    "update",
    id="accept_quote",
    body=ACCEPT,
    partial=False,
    codes=(
        *error_codes.QUOTES,
        *error_codes.WORK,
        *error_codes.ASSIGNMENTS,
        *error_codes.PANES,
        *error_codes.SCANS,
        *error_codes.CHANGES_OF_REQUEST,
    ),
)
def accept(record_id: str) -> Response:
    """Accept a quote, which creates its request, or a confirmation, whose change is made."""
    raw = resource.read_visible(record_id)
    values = read_body(ACCEPT)
    with resource.expecting(raw["_id"]):
        accepted = confirmations.accept(
            record_id=raw["_id"],
            values=values,
            actor=current_identity(),
        )
    add_warnings(accepted.remarks)
    return resource.answer(accepted.stored_form(), "Quote accepted")


@blueprint.post("/<oid:record_id>/reject")
@require("requests:manage")
@resource.operations.describe("update", id="reject_quote", body=REJECT, partial=False)
def reject(record_id: str) -> Response:
    """Record that the customer has rejected a quote."""
    raw = resource.read_visible(record_id)
    reason = read_body(REJECT).get("reason") or ""
    with resource.expecting(raw["_id"]):
        rejected = answers.reject(
            record_id=raw["_id"], reason=reason, actor=current_identity()
        )
    return resource.answer(rejected.stored_form(), "Quote rejected")


@blueprint.post("/<oid:record_id>/revise")
@require("requests:manage")
@resource.operations.describe("create", id="revise_quote", body=None, compares=True)
def revise(record_id: str) -> Response:
    """Create the next revision of a quote, a draft; the quote is superseded by it."""
    raw = resource.read_visible(record_id)
    with resource.expecting(raw["_id"], may_demand=False):
        made = quotes.revise(record_id=raw["_id"])
    return resource.answer(made.stored_form(), "Quote revised", status=201)


@blueprint.post("/<oid:record_id>/link")
@require("requests:manage")
@takes_no_key
@describe(
    "make_quote_link",
    answer=LINK,
    tagged=True,
    codes=("QUOTE_NOT_OPEN",),
    warns=True,
)
def make_link(record_id: str) -> Response:
    """Make the link of a sent quote for its customer, shown in this answer only."""
    raw = resource.read_visible(record_id)
    with resource.expecting(raw["_id"]):
        quote = links.make(record_id=raw["_id"])
    service = _service_address()
    shown = {
        "url": links.url(quote, service.url),
        "expiresAt": quote.link_expires_at,
    }
    add_warnings([*service.remarks()])
    return resource.tagged(
        reply(shown, "Link made"), quote.stored_form(), is_plain=False
    )


@blueprint.delete("/<oid:record_id>/link")
@require("requests:manage")
@resource.operations.describe("delete", id="revoke_quote_link", codes=())
def revoke_link(record_id: str) -> Response:
    """Revoke the link of a quote, which opens nothing from then on."""
    raw = resource.read_visible(record_id)
    with resource.expecting(raw["_id"]):
        quote = links.revoke(record_id=raw["_id"])
    return resource.answer(quote.stored_form(), "Link revoked")


def _service_address() -> ServiceAddress:
    """Return the address under which customers open the service.

    It is the setting PUBLIC_URL, or that of the request, which is public if its host is one of
    ALLOWED_HOSTS that is not known to be reached in one network only.
    """
    public_url = current_app.config["PUBLIC_URL"]
    if public_url:
        return ServiceAddress(read_public_url(public_url), is_public=True)
    allowed = current_app.config["ALLOWED_HOSTS"]
    is_named = bool(allowed) and host_is_trusted(request.host, allowed)
    return ServiceAddress(
        request.host_url.removesuffix("/"),
        is_public=is_named and not is_local(request.host),
    )
