"""Requests of customers, their panes and attachments, and what they would cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, request

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.domain import error_codes
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import Forbidden
from glassflow.domain.request_attachments import PDF
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.schemas.answers.billing import AGREED_PRICE
from glassflow.schemas.answers.forecasts import FORECAST
from glassflow.schemas.answers.orders import CANCELLATION
from glassflow.schemas.answers.prices import PRICED_PANES
from glassflow.schemas.answers.requests import CHANGE_PREVIEW
from glassflow.schemas.answers.tables import CELLS
from glassflow.schemas.forecast import ForecastSchema
from glassflow.schemas.price import PriceSchema
from glassflow.schemas.request import (
    AddedPanesSchema,
    RequestChangeSchema,
    RequestPane,
    RequestSchema,
)
from glassflow.schemas.request_attachment import RequestAttachmentSchema
from glassflow.schemas.shapes import record
from glassflow.services import confirmations, pricing, request_changes
from glassflow.services.events.event_route import EventRoute
from glassflow.services.forecasts import forecasts
from glassflow.services.orders import cancellation, request_attachments, requests
from glassflow.services.records.restricted_fields import may_read
from glassflow.services.reports import agreed_price
from glassflow.web import imports, visible_counts
from glassflow.web.auth import current_identity, public, require
from glassflow.web.body import large_body, read_body
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import FileBody, describe
from glassflow.web.pictures import PICTURE, picture_response
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource


def _create_row(
    *, model: type[Request], values: Mapping[str, Any], actor: Identity
) -> Request:
    return requests.create(values=values, actor=actor)[0]


resource = Resource(
    name="requests",
    model=Request,
    schema=RequestSchema(),
    keys=Keys.of("requests"),
    events=EventRoute("request:updated", rooms=("dashboard", "request")),
    update_with=requests.update,
    importing=ImportRows(create_with=_create_row, parts=("panes", RequestPane(), Pane)),
    codes=(
        *error_codes.WORK,
        *error_codes.ASSIGNMENTS,
        *error_codes.PANES,
        *error_codes.SCANS,
    ),
)
blueprint = resource.blueprint(without=("create",))
PRICE, ATTACHMENT = PriceSchema(), RequestAttachmentSchema()
ADDED, CHANGE = AddedPanesSchema(), RequestChangeSchema()
FORECASTS = ForecastSchema()


@blueprint.post("")
@require("requests:manage")
@resource.operations.describe("create", answer=record("RequestWithPanes"))
def create() -> Response:
    """Create a request; with panes, the answer has the created panes too."""
    made, panes = requests.create(
        values=read_body(resource.schema), actor=current_identity()
    )
    return _with_panes(made, panes, "Request created")


@blueprint.post("/cells")
@imports.long_request
@require("requests:manage", "panes:create")
@describe(
    "read_cells",
    file=FileBody(media=tuple(imports.FORMATS), rows=()),
    answer=CELLS,
    codes=tuple(error_codes.TABLES),
)
def read_cells() -> Response:
    """Read the cells of a CSV or XLSX file with panes; nothing is stored."""
    return imports.answer_cells()


@blueprint.get("/<oid:record_id>/cancellation")
@require("requests:view")
@describe("get_request_cancellation", answer=CANCELLATION, errors=(404,))
def cancellation_preview(record_id: str) -> Response:
    """Count what the cancellation of a request would change; nothing is changed."""
    count = cancellation.preview_request
    return visible_counts.respond(resource, record_id, count, "Counted")


@blueprint.post("/<oid:record_id>/forecast")
@require("requests:view")
@describe("forecast_request", body=FORECASTS, answer=FORECAST, errors=(404,))
def forecast(record_id: str) -> Response:
    """Calculate when the panes of a request will be finished, and keep this forecast."""
    current_identity().require("orders:view")  # it names orders, and shows the load
    raw = resource.read_visible(record_id)
    what_if = read_body(FORECASTS).get("what_if")
    return reply(
        forecasts.of_request(record_id=raw["_id"], what_if=what_if),
        "Forecast of a request",
    )


@blueprint.get("/<oid:record_id>/agreed-price")
@require("requests:view")
@describe("get_agreed_price_of_request", answer=AGREED_PRICE, errors=(404,))
def show_agreed_price(record_id: str) -> Response:
    """Show what the agreed price of a request is made of, to callers who may see prices."""
    raw = resource.read_visible(record_id)
    if not may_read("Pane", current_identity().may):
        raise Forbidden()
    shown = agreed_price.read(Request.from_stored(raw))
    return reply(shown, "Agreed price")


@blueprint.post("/<oid:record_id>/panes")
@require("requests:manage")
@resource.operations.describe(
    "create",
    id="add_panes_to_request",
    body=ADDED,
    answer=record("RequestWithPanes"),
    compares=True,
)
def add_panes(record_id: str) -> Response:
    """Add panes to a request, and to one of its orders; the answer has them too."""
    raw = resource.read_visible(record_id)
    body = read_body(ADDED)
    with resource.expecting(raw["_id"], may_demand=False):
        changed, panes = requests.add_panes(
            record_id=raw["_id"],
            inputs=body["panes"],
            order_id=body.get("order"),
        )
    return _with_panes(changed, panes, "Panes added")


@blueprint.post("/<oid:record_id>/changes")
@require("requests:manage")
@resource.operations.describe(
    "create",
    id="change_panes_of_request",
    body=CHANGE,
    answer=record("RequestWithPanes"),
    compares=True,
    codes=(*error_codes.CHANGES_OF_REQUEST, "NOT_PRICED"),
)
def change_panes(record_id: str) -> Response:
    """Add, change and cancel panes of a request as one act, or once the customer confirms."""
    raw = resource.read_visible(record_id)
    body = read_body(CHANGE)
    if body.pop("waits", None):
        return _ask(raw, body)
    with resource.expecting(raw["_id"], may_demand=False):
        made = request_changes.make(
            record_id=raw["_id"], values=body, actor=current_identity()
        )
    return _with_panes(made.request, made.panes, "Request changed")


def _ask(raw: Raw, body: Mapping[str, Any]) -> Response:
    asked = {"request_id": raw["_id"], "actor": current_identity()}
    pending = confirmations.try_change(change=body, **asked)
    with resource.expecting(raw["_id"], may_demand=False):
        made = confirmations.create(values=body, pending=pending, **asked)
    add_warnings(pending.remarks)
    (shown,) = to_response(Quote, [made.stored_form()])
    now = resource.read_visible(str(raw["_id"]))
    return resource.answer(now, "Confirmation sent", status=201, confirmation=shown)


@blueprint.post("/<oid:record_id>/changes/preview")
@require("requests:manage")
@describe(
    "preview_change_of_request",
    body=CHANGE,
    answer=CHANGE_PREVIEW,
    errors=(404, 409),
    codes=error_codes.CHANGES_OF_REQUEST,
)
def preview_change(record_id: str) -> Response:
    """Show what a change of a request would be and cost; nothing is stored."""
    raw = resource.read_visible(record_id)
    made = request_changes.preview(
        record_id=raw["_id"], values=read_body(CHANGE), actor=current_identity()
    )
    add_warnings(made.request.remarks)
    shown = {"change": made.change, "deadline": made.request.deadline}
    return reply(shown, "Preview")


def _with_panes(made: Request, panes: Sequence[Pane], message: str) -> Response:
    shown = to_response(Pane, [pane.stored_form() for pane in yielding(panes)])
    further = {"panes": shown} if panes else {}
    add_warnings(made.remarks)
    return resource.answer(made.stored_form(), message, status=201, **further)


@blueprint.post("/price")
@require("pricing:view")
@describe("price_panes", body=PRICE, answer=PRICED_PANES)
def price() -> Response:
    """Calculate what panes would cost; nothing is stored."""
    body = read_body(PRICE)
    customer = body.get("customer")
    if customer and not current_identity().may("customers:view"):
        raise Forbidden()
    priced = pricing.price_panes(
        body["panes"],
        terms=pricing.terms_for(customer),
        is_rush=bool(body.get("is_rush")),
    )
    return reply(priced.wire_form(), "Price")


@blueprint.post("/<oid:record_id>/attachments")
@large_body
@require("requests:manage")
@resource.operations.describe(
    "create",
    id="attach_to_request",
    body=ATTACHMENT,
    compares=True,
    codes=("TOO_MANY_ATTACHMENTS",),
)
def attach(record_id: str) -> Response:
    """Attach a file of the customer to a request."""
    raw = resource.read_visible(record_id)
    body = read_body(ATTACHMENT)
    with resource.expecting(raw["_id"], may_demand=False):
        changed = request_attachments.attach(
            record_id=raw["_id"], name=body["name"], document=body["file"]
        )
    return resource.answer(changed.stored_form(), "Attachment stored", status=201)


@blueprint.delete("/<oid:record_id>/attachments/<int:number>")
@require("requests:manage")
@resource.operations.describe("delete", id="detach_from_request", codes=())
def detach(record_id: str, number: int) -> Response:
    """Remove an attachment from a request."""
    raw = resource.read_visible(record_id)
    with resource.expecting(raw["_id"]):
        changed = request_attachments.detach(record_id=raw["_id"], number=number)
    return resource.answer(changed.stored_form(), "Attachment removed")


@blueprint.get("/<oid:record_id>/attachments/<int:number>")
@public
@describe("get_request_attachment", **(PICTURE | {"media": ("image/*", PDF)}))
def attachment(record_id: str, number: int) -> Response:
    """Send an attachment to whoever has its signed link."""
    signature = request.args.get("signature", "")
    name, document, remaining_s = request_attachments.open_link(
        record_id, number, signature
    )
    return picture_response(document, remaining_s, name=name)
