"""Deliveries: panes that are handed over to a customer together."""

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from glassflow.domain import error_codes, texts
from glassflow.models.delivery import Delivery, pictures_of
from glassflow.schemas.answers.deliveries import CHECKLIST, CHECKLISTS
from glassflow.schemas.delivery import (
    DeliveryNoteQuery,
    DeliverySchema,
    HandOverSchema,
    LoadSchema,
    UndoHandOverSchema,
)
from glassflow.schemas.shapes import BOOLEAN, ID
from glassflow.services import pictures, settlements
from glassflow.services.deliveries import (
    checklists,
    deliveries,
    hand_overs,
    note,
)
from glassflow.services.events.event_route import EventRoute
from glassflow.services.printing import make_delivery_note
from glassflow.web import query
from glassflow.web.auth import current_identity, public, require
from glassflow.web.body import read_body
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.files import PDF, pdf_response
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import Parameter, describe
from glassflow.web.pictures import PICTURE, picture_response
from glassflow.web.resource import Keys, Resource

LOAD, HAND_OVER, NOTE = LoadSchema(), HandOverSchema(), DeliveryNoteQuery()
UNDO = UndoHandOverSchema()
ORDER = Parameter(
    name="order",
    description="The id of an order: the deliveries with panes of it.",
    shape=ID,
)
WAITING = Parameter(
    name="waiting",
    description="Whether only deliveries from which panes came back, and wait, are listed.",
    shape=BOOLEAN,
)


def asked(args: Mapping[str, str]) -> dict[str, Any]:
    """Return the condition of the filters `order` and `waiting`.

    Raises `Invalid` for an order that is no id.
    """
    order = query.record_id(args, ORDER.name)
    found = deliveries.of_order(order) if order else {}
    return {**found, **(deliveries.waiting() if query.flag(args, WAITING.name) else {})}


resource = Resource(
    name="deliveries",
    model=Delivery,
    schema=DeliverySchema(),
    keys=Keys(view="orders:view", create="orders:manage", manage="orders:manage"),
    events=EventRoute("delivery:updated", rooms=("dashboard", "order")),
    create_with=deliveries.create,
    update_with=deliveries.update,
    importing=ImportRows(),
    list_parameters=(ORDER, WAITING),
    narrow=asked,
    codes=tuple(error_codes.DELIVERIES),
)
blueprint = resource.blueprint()


@blueprint.get("/open")
@require("panes:scan")
@describe("get_open_deliveries", answer=CHECKLISTS)
def show_open() -> Response:
    """Return the planned deliveries up to tomorrow, and those that can be undone."""
    return reply(checklists.read_open(current_identity().may), "Open deliveries")


@blueprint.get("/<oid:record_id>/checklist")
@require("orders:view", "panes:scan")
@describe("get_checklist", answer=CHECKLIST, errors=(404,))
def checklist(record_id: str) -> Response:
    """Return one delivery and what has to be known of its panes."""
    raw = resource.read_visible(record_id)
    found = checklists.with_panes([raw], current_identity().may)
    return reply(found[0], "Checklist")


@blueprint.get("/<oid:record_id>/pdf")
@require("orders:view")
@describe("get_delivery_note", query=NOTE, **PDF, errors=(400, 404))
def pdf(record_id: str) -> Response:
    """Make the delivery note of a hand-over as a PDF, in its language or the one asked."""
    raw = resource.read_visible(record_id)
    wanted = NOTE.read(request.args)
    printed = note.read(
        raw,
        language=wanted.get("language"),
        hand_over=wanted.get("hand_over"),
        may=current_identity().may,
    )
    return pdf_response(printed.number, lambda: make_delivery_note(printed))


@blueprint.post("/<oid:record_id>/load")
@require("panes:scan")
@resource.operations.describe("update", id="load_delivery", body=LOAD, partial=False)
def load(record_id: str) -> Response:
    """Note panes as loaded; those that are loaded stay so."""
    raw = resource.read_visible(record_id)
    numbers = read_body(LOAD)["pane_numbers"]
    with resource.expecting(raw["_id"], may_demand=False):
        loaded = deliveries.load(record_id=raw["_id"], numbers=numbers)
    _warn_of_unpaid(loaded)
    return resource.answer(loaded.stored_form(), "Panes loaded")


@blueprint.post("/<oid:record_id>/unload")
@require("panes:scan")
@resource.operations.describe("update", id="unload_delivery", body=LOAD, partial=False)
def unload(record_id: str) -> Response:
    """Note panes as not loaded."""
    raw = resource.read_visible(record_id)
    numbers = read_body(LOAD)["pane_numbers"]
    with resource.expecting(raw["_id"], may_demand=False):
        unloaded = deliveries.unload(record_id=raw["_id"], numbers=numbers)
    return resource.answer(unloaded.stored_form(), "Panes unloaded")


@blueprint.post("/<oid:record_id>/hand-over")
@require("panes:scan")
@resource.operations.describe(
    "update",
    id="hand_over_delivery",
    body=HAND_OVER,
    partial=False,
    codes=(
        *error_codes.DELIVERIES,
        "SCAN_TOO_OLD",
        "SCAN_IN_FUTURE",
        "UNKNOWN_ATTACHMENT",
    ),
)
def hand_over(record_id: str) -> Response:
    """Record which panes were handed over, and why the others came back."""
    raw = resource.read_visible(record_id)
    values = read_body(HAND_OVER)
    with resource.expecting(raw["_id"], may_demand=False):
        delivered = hand_overs.hand_over(
            record_id=raw["_id"], values=values, actor=current_identity()
        )
    _warn_of_unpaid(delivered)
    return resource.answer(delivered.stored_form(), "Panes handed over")


def _warn_of_unpaid(delivery: Delivery) -> None:
    """Add to the warnings that a customer who pays cash has not paid yet."""
    row = delivery.stored_form()
    missing = settlements.unpaid([row]).get(row["_id"])
    if missing is None:
        return
    message = texts.NOT_PAID
    if current_identity().may("pricing:view"):
        message = texts.MISSING_PAYMENT.format(amount=f"{missing:,.2f}")
    add_warnings([{"field": "customer", "message": message}])


@blueprint.post("/<oid:record_id>/undo")
@require("panes:scan", "orders:manage")
@resource.operations.describe(
    "update",
    id="undo_hand_over",
    body=UNDO,
    partial=False,
    codes=(*error_codes.DELIVERIES, "ALREADY_BILLED"),
)
def undo(record_id: str) -> Response:
    """Undo a hand-over within an hour; later, and another worker's, with `orders:manage`."""
    raw = resource.read_visible(record_id)
    values = read_body(UNDO)
    with resource.expecting(raw["_id"], may_demand=False):
        undone = hand_overs.undo(
            record_id=raw["_id"],
            actor=current_identity(),
            reason=values.get("reason") or "",
            number=values.get("hand_over"),
        )
    return resource.answer(undone.stored_form(), "Hand-over undone")


@blueprint.get("/<oid:record_id>/photos/<int:number>")
@public
@describe("get_delivery_photo", **PICTURE)
def photo(record_id: str, number: int) -> Response:
    """Send a photo to whoever has its signed link, which an `<img>` can load."""
    return _picture(record_id, "photos", number)


@blueprint.get("/<oid:record_id>/signature/<int:number>")
@public
@describe("get_delivery_signature", **PICTURE)
def signature(record_id: str, number: int) -> Response:
    """Send the signature to whoever has its signed link, which an `<img>` can load."""
    return _picture(record_id, "signature", number)


def _picture(record_id: str, field: str, number: int) -> Response:
    link = request.args.get("signature", "")
    found = pictures.open_link(
        Delivery,
        "deliveries",
        record_id,
        number,
        link,
        field=field,
        stored_in=pictures_of,
    )
    return picture_response(*found)
