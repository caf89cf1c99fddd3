"""Claims, created under an order or from a pane."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, request

from glassflow.domain import error_codes
from glassflow.domain.aliases import May
from glassflow.domain.money import as_text
from glassflow.domain.orders import Figures
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.schemas.answers.claims import OUTCOMES
from glassflow.schemas.claim import (
    ClaimChangeRowSchema,
    ClaimFromPaneSchema,
    ClaimRowSchema,
    ClaimSchema,
    OutcomesQuery,
)
from glassflow.schemas.shapes import ID
from glassflow.services import pictures, records
from glassflow.services.claims import claims, photos
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records.restricted_fields import may_read
from glassflow.services.records.serialization import to_wire
from glassflow.services.reports import claim_outcomes
from glassflow.services.reports.claim_outcomes import Outcome
from glassflow.web import query
from glassflow.web.auth import current_identity, public, require
from glassflow.web.body import large_body, read_body
from glassflow.web.envelope import reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.language import localized_part
from glassflow.web.operation import Parameter, describe
from glassflow.web.pictures import PICTURE, picture_response
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

FROM_PANE, OUTCOMES_QUERY = ClaimFromPaneSchema(), OutcomesQuery()
CUSTOMER = Parameter(
    name="customer",
    description="The id of a customer: the claims of their orders, for callers who may view "
    "those.",
    shape=ID,
)


def _update_row(*, model: type[Claim], **rest: Any) -> Claim:
    return claims.update(**rest)


def of_customer_asked(args: Mapping[str, str]) -> dict[str, Any]:
    """Return the condition of the filter `customer`; raises `Invalid` for no id."""
    customer = query.record_id(args, CUSTOMER.name)
    if customer is None:
        return {}
    current_identity().require("orders:view")
    return claims.of_customer(customer)


resource = Resource(
    name="claims",
    model=Claim,
    schema=ClaimSchema(),
    keys=Keys.of("claims"),
    events=EventRoute("claim:updated", rooms=("dashboard", "claim")),
    owners=("reportedBy",),
    importing=ImportRows(
        new=ClaimRowSchema(),
        change=ClaimChangeRowSchema(),
        create_with=claims.create_from_row,
        update_with=_update_row,
    ),
    codes=(
        *error_codes.CLAIMS,
        *error_codes.PICTURES,
        # of the claimed pane, and of the remake that an approval makes
        *error_codes.SCANS,
        *error_codes.PANES,
        *error_codes.WORK,
    ),
    list_parameters=(CUSTOMER,),
    narrow=of_customer_asked,
)
blueprint = resource.blueprint(without=("create", "show", "update"))
under_orders = Blueprint("order_claims", __name__, url_prefix="/api/orders")


@under_orders.post("/<order_id>/claims")
@large_body
@require("claims:create")
@resource.operations.describe("create")
def create(order_id: str) -> Response:
    """Create a claim under an order."""
    order = records.read_by_path(Order, order_id)
    made = claims.create(
        values=read_body(resource.schema),
        order_id=order["_id"],
        actor=current_identity(),
    )
    return _answer(made.stored_form(), "Claim created", status=201)


@blueprint.post("/from-pane")
@large_body
@require("claims:create")
@resource.operations.describe("create", id="create_claim_from_pane", body=FROM_PANE)
def from_pane() -> Response:
    """Create a claim from a pane number."""
    made = claims.create_from_pane(
        values=read_body(FROM_PANE), actor=current_identity()
    )
    return _answer(made.stored_form(), "Claim created", status=201)


@blueprint.get("/<oid:record_id>")
@require("claims:view")
@resource.operations.describe("show")
def show(record_id: str) -> Response:
    """Show one claim."""
    return _answer(resource.read_visible(record_id), "Claim found")


@blueprint.patch("/<oid:record_id>")
@large_body
@require("claims:view", "claims:approve")
@resource.operations.describe("update")
def update(record_id: str) -> Response:
    """Change a claim of one's own, or decide another's with `claims:approve` alone."""
    raw = resource.read_visible(record_id)
    if not current_identity().may("claims:approve"):
        resource.require_ownership(raw)
    values = read_body(resource.schema, partial=True, stored=to_wire(Claim, raw))
    with resource.expecting(raw["_id"]):
        changed = claims.update(
            record_id=raw["_id"], values=values, actor=current_identity()
        )
    return _answer(changed.stored_form(), "Claim updated")


@blueprint.get("/<oid:record_id>/outcomes")
@require("claims:approve")
@describe("get_claim_outcomes", query=OUTCOMES_QUERY, answer=OUTCOMES)
def outcomes(record_id: str) -> Response:
    """Show what each decision on a pending claim would do, for those who may decide."""
    raw = resource.read_visible(record_id)
    asked = OUTCOMES_QUERY.read(
        {
            "remakeStation": request.args.get("remakeStation", ""),
            "routing": _listed(request.args.get("routing", "")),
        }
    )
    now, found = claim_outcomes.outcomes(
        raw["_id"],
        remake_station=asked["remake_station"],
        routing=asked["routing"] or None,
    )
    may = current_identity().may
    shown = {
        "order": _figures(now) if may("orders:view") else None,
        "outcomes": [_outcome(one, may) for one in found],
    }
    return reply(shown, "Outcomes of the decisions")


def _outcome(one: Outcome, may: May) -> dict[str, Any]:
    """Return an outcome as it is sent, with the parts whose keys the caller holds."""
    refusal = one.refusal
    pane, plan = (one.pane, one.plan) if may("panes:view") else (None, None)
    price = one.lost_price if may_read("Pane", may) else None
    return {
        "status": one.status,
        "decision": one.decision,
        "remake": one.remake,
        "refusal": refusal
        and localized_part({"code": refusal.code, "message": refusal.message}),
        "pane": pane and {"status": pane.status, "station": pane.station},
        "remade": plan
        and {"kind": plan.kind, "pieces": plan.pieces, "station": plan.station},
        "order": _figures(one.figures) if may("orders:view") else None,
        "lostPrice": None if price is None else as_text(price),
    }


def _listed(text: str) -> list[str]:
    """Return the parts of a comma list."""
    return [part for part in text.split(",") if part.strip()]


def _figures(figures: Figures | None) -> dict[str, Any] | None:
    return (
        None
        if figures is None
        else {
            "status": figures.status,
            "paneCount": figures.pane_count,
            "panesCompleted": figures.panes_completed,
            "progressPercent": figures.progress_percent,
        }
    )


def _answer(raw: dict[str, Any], message: str, *, status: int = 200) -> Response:
    """Build the response that carries one claim; INLINE_PHOTOS adds its pictures."""
    shown = to_response(Claim, [raw], query.selected(request.args))[0]
    if current_app.config["INLINE_PHOTOS"] and shown.get("photos"):
        shown["photos"] = photos.inline(raw["photos"], shown["photos"])
    return resource.tagged(reply(shown, message, status=status), raw)


@blueprint.get("/<oid:record_id>/photos/<int:number>")
@public
@describe("get_claim_photo", **PICTURE)
def photo(record_id: str, number: int) -> Response:
    """Send a picture to whoever has its signed link, which an `<img>` can load."""
    signature = request.args.get("signature", "")
    found = pictures.open_link(Claim, "claims", record_id, number, signature)
    return picture_response(*found)
