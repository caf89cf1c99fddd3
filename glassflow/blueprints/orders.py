"""Orders."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bson import ObjectId
from flask import Response, request

from glassflow.domain import error_codes, texts
from glassflow.domain.errors import Invalid
from glassflow.models.order import Order
from glassflow.schemas.answers.orders import CANCELLATION
from glassflow.schemas.order import NewOrderSchema, OrderSchema
from glassflow.schemas.shapes import choice
from glassflow.services.events.event_route import EventRoute
from glassflow.services.labels import job_cards
from glassflow.services.orders import cancellation, orders
from glassflow.services.printing import make_job_cards
from glassflow.services.records import object_id
from glassflow.services.reports import due_orders
from glassflow.web import etags, query, visible_counts
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.files import PDF, pdf_response
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import ListOf, Parameter, describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

DUE = Parameter(
    name="due",
    description="Which open orders, by the deadlines of their requests.",
    shape=choice(due_orders.Due),
)

IDS = Parameter(
    name="ids",
    description="The ids of the orders, with commas between them.",
    required=True,
)


def _due_in(args: Mapping[str, str]) -> due_orders.Due | None:
    """Return which open orders a query asks for; raises `Invalid` and `Forbidden`."""
    text = args.get("due", "").strip()
    if not text:
        return None
    current_identity().require("requests:view")
    if text not in list(due_orders.Due):
        listed = ", ".join(due_orders.Due)
        raise Invalid(
            [{"field": "due", "message": texts.ONE_OF.format(choices=listed)}]
        )
    return due_orders.Due(text)


def _due_only(args: Mapping[str, str]) -> dict[str, Any]:
    due = _due_in(args)
    return due_orders.condition(due) if due else {}


resource = Resource(
    name="orders",
    model=Order,
    schema=OrderSchema(),
    create_schema=NewOrderSchema(),
    keys=Keys.of("orders"),
    events=EventRoute("order:updated", rooms=("dashboard", "order")),
    create_with=orders.create,
    update_with=orders.update,
    importing=ImportRows(),
    owners=("assignedTo",),
    aliases={"stationId": "stations"},
    narrow=_due_only,
    list_parameters=(DUE,),
    codes=(
        *error_codes.WORK,
        *error_codes.ASSIGNMENTS,
        *error_codes.PANES,
        *error_codes.SCANS,
        "PANE_DELIVERED",
        "PANE_CHARGED",
    ),
)
blueprint = resource.blueprint()


@blueprint.get("/due")
@require("orders:view")
@resource.operations.describe(
    "index",
    id="list_due_orders",
    rows=ListOf(
        model=Order,
        resource=resource.name,
        aliases=resource.aliases,
        has_cursors=False,
    ),
    query=(replace(DUE, description="Which open orders; all of them by default."),),
)
def due() -> Response:
    """List open orders by the deadlines of their requests, nearest first."""
    current_identity().require("requests:view")
    asked = _due_in(request.args) or due_orders.Due.OPEN
    wanted = query.read_query(
        Order,
        request.args,
        resource=resource.name,
        aliases=resource.aliases,
        further=[DUE.name],
    )
    page = due_orders.read_due_orders(
        wanted.filter,
        asked,
        skip=(wanted.page - 1) * wanted.limit,
        limit=wanted.limit,
    )
    total = page.counts[asked]
    pagination = {
        "page": wanted.page,
        "limit": wanted.limit,
        "total": total,
        "totalPages": -(-total // wanted.limit),
        "counts": page.counts,
    }
    rows = to_response(Order, page.rows, wanted.fields)
    return etags.tag_list(reply(rows, f"{Order.label} list", pagination=pagination))


@blueprint.get("/<oid:record_id>/cancellation")
@require("orders:view")
@describe("get_order_cancellation", answer=CANCELLATION, errors=(404,))
def cancellation_preview(record_id: str) -> Response:
    """Count what the cancellation of an order would change; nothing is changed."""
    count = cancellation.preview_order
    return visible_counts.respond(resource, record_id, count, "Counted")


@blueprint.get("/<oid:record_id>/job-card")
@require("orders:view")
@describe("get_job_card", **PDF, errors=(404,))
def job_card(record_id: str) -> Response:
    """Make the job card of an order, a PDF on A4 that travels with its panes."""
    return _job_cards([object_id(record_id, Order.label)])


@blueprint.get("/job-cards")
@require("orders:view")
@describe("get_job_cards", **PDF, errors=(404,), query=(IDS,))
def several_job_cards() -> Response:
    """Make the job cards of up to 50 orders as one PDF, with at most 1,000 panes in all."""
    names = [one.strip() for one in request.args.get(IDS.name, "").split(",")]
    ids = list(filter(None, names))
    if not ids:
        raise Invalid([{"field": IDS.name, "message": texts.REQUIRED}])
    if not all(map(ObjectId.is_valid, ids)):
        raise Invalid([{"field": IDS.name, "message": texts.NOT_AN_ID}])
    return _job_cards(list(map(ObjectId, ids)))


def _job_cards(ids: Sequence[ObjectId]) -> Response:
    identity = current_identity()
    identity.require("panes:view")
    cards = job_cards.read_job_cards(
        ids,
        may=identity.may,
        address=request.host_url,
    )
    name = cards[0].number if len(cards) == 1 else "job-cards"
    return pdf_response(name, lambda: make_job_cards(cards))
