"""Panes: created, listed and corrected. Their scans are in `blueprints.scans`."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from flask import Response, request

from glassflow.domain import error_codes
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.inventory import Inventory
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.schemas.answers.scans import PASSPORT, PENDING_COUNTS, RELATED, UNIT
from glassflow.schemas.pane import (
    PaneChangeSchema,
    PaneSchema,
    PassportQuery,
    StationQuery,
)
from glassflow.schemas.shapes import BOOLEAN, ID, any_of, array, record
from glassflow.services.events.event_route import EventRoute
from glassflow.services.panes import correct, of_customer
from glassflow.services.panes.create import create as create_panes
from glassflow.services.panes.create import create_all
from glassflow.services.panes.mapping import read_by_path
from glassflow.services.reports import passport, pending
from glassflow.web import bulk_creates, etags, query
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.filters import has_value
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import Parameter, describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

NEW, STATION, AT = PaneSchema(), StationQuery(), PassportQuery()
MERGED = Parameter(
    name="includeMerged",
    description="Whether merged panes are listed too; a filter by status includes them.",
    shape=BOOLEAN,
)
CUSTOMER = Parameter(
    name="customer",
    description="The id of a customer: the panes of their requests and orders, as far as "
    "the caller may view those.",
    shape=ID,
)
# A list that is filtered by status contains merged panes if the filter does.
STATUS_FILTERS = frozenset({"status", "status_ne", "currentStatus", "currentStatus_ne"})


def shows_merged(args: Mapping[str, str]) -> bool:
    """Return whether a list has merged panes too: a parameter has to include them."""
    include_merged = query.flag(args, "includeMerged")
    filters = (args.get(name, "") for name in STATUS_FILTERS)
    return include_merged or any(map(has_value, filters))


def of_customer_asked(args: Mapping[str, str]) -> dict[str, Any]:
    """Return the condition of the filter `customer`; raises `Invalid` for no id."""
    customer = query.record_id(args, CUSTOMER.name)
    return of_customer.condition(customer, current_identity().may) if customer else {}


resource = Resource(
    name="panes",
    model=Pane,
    schema=PaneChangeSchema(),
    create_schema=NEW,
    keys=Keys.of("panes"),
    events=EventRoute(
        "pane:updated",
        rooms=("dashboard", "pane", "production"),
        station_field="currentStation",
        actions=("scanned", "qc_failed"),
    ),
    update_with=correct.update,
    codes=(
        *error_codes.PANES,
        *error_codes.SCANS,
        *error_codes.WORK,
        *error_codes.CLAIMS,
        "PANE_DELIVERED",
        "PANE_CHARGED",
        "WITHDRAWAL_DECIDED",
    ),
    find_with=read_by_path,
    create_all_with=create_all,
    importing=ImportRows(),
    aliases={"station": "currentStation", "status": "currentStatus"},
    shows_unlisted=shows_merged,
    list_parameters=(MERGED, CUSTOMER),
    narrow=of_customer_asked,
)
blueprint = resource.blueprint(without=("create", "update"))
PANE_OR_UNIT = any_of(record("Pane"), UNIT)


@blueprint.post("")
@require("panes:create")
@resource.operations.describe(
    "create", answer=any_of(PANE_OR_UNIT, array(PANE_OR_UNIT))
)
def create() -> Response:
    """Create a pane, or a laminated unit as its parent and sheets, or all of `items`."""
    if bulk_creates.is_asked(resource.items):
        groups = bulk_creates.create(resource.items, Pane, create_all)
        add_warnings([fault for group in groups for fault in group[0].remarks])
        return reply(_items(groups), f"{len(groups)} created", status=201)
    made = create_panes(values=read_body(NEW), actor=current_identity())
    return _answer(made, "Pane created", status=201)


@blueprint.patch("/<oid:record_id>")
@require("panes:manage")
@resource.operations.describe("update", answer=PANE_OR_UNIT)
def update(record_id: str) -> Response:
    """Change a pane; one that gets several sheets becomes a laminated unit."""
    return _answer(resource.change(record_id), "Pane updated", status=200)


def _answer(panes: Sequence[Pane], message: str, *, status: int) -> Response:
    """Answer with one pane, or with a unit as its parent and sheets."""
    add_warnings(panes[0].remarks)
    if len(panes) == 1:
        return resource.answer(panes[0].stored_form(), message, status=status)
    stored = [pane.stored_form() for pane in panes]
    parent, *sheets = to_response(Pane, stored)
    response = reply({"parent": parent, "sheets": sheets}, message, status=status)
    return resource.tagged(response, stored[0], is_plain=False)


def _items(groups: Sequence[Sequence[Pane]]) -> list[dict[str, Any]]:
    """Return for each item its pane, or its unit as the parent and its sheets."""
    stored = [pane.stored_form() for group in groups for pane in group]
    shown = iter(to_response(Pane, stored, query.selected(request.args)))
    made = [list(islice(shown, len(group))) for group in groups]
    return [
        one[0] if len(one) == 1 else {"parent": one[0], "sheets": one[1:]}
        for one in made
    ]


@blueprint.get("/pending-counts")
@require("panes:view")
@describe("count_pending_panes", query=STATION, answer=PENDING_COUNTS, tagged=True)
def pending_counts() -> Response:
    """Count the panes that wait at a station, by order and request."""
    values = STATION.read({"station": request.args.get("station", "")})
    counts = pending.pending_counts(station=values["station"])
    return etags.tag_list(reply(counts, "Pending counts"))


@blueprint.get("/<number>/related")
@require("panes:view")
@describe("get_related_records", answer=RELATED, populates=Pane)
def related(number: str) -> Response:
    """Return the remakes of a pane, the sheets of its unit and its claims."""
    found = passport.related(number, may=current_identity().may)
    shown = {
        "remakes": to_response(Pane, found.remakes),
        "unit": to_response(Pane, found.unit),
        "claims": to_response(Claim, found.claims),
    }
    return reply(shown, "Related records")


@blueprint.get("/<number>/passport")
@require("panes:view")
@describe(
    "get_passport",
    answer=PASSPORT,
    query=AT,
    populates=Pane,
    errors=(404,),
    warns=True,
)
def show_passport(number: str) -> Response:
    """Return a pane with all that belongs to it, as it is or was at a moment."""
    at = AT.read({"at": request.args.get("at", "").strip() or None})["at"]
    may = current_identity().may
    found = passport.read_passport(number, at=at, may=may, show=to_response)
    shown = {
        "at": at,
        "unknownBefore": found.unknown_before,
        "pane": to_response(Pane, [found.pane])[0],
        "request": _shown(Request, found.request),
        "order": _shown(Order, found.order),
        "lots": to_response(Inventory, found.lots),
        "chain": to_response(Pane, found.chain),
        "unit": to_response(Pane, found.unit),
        "claims": to_response(Claim, found.claims),
        "timeline": found.timeline,
    }
    add_warnings(found.remarks)
    return reply(shown, "Passport")


def _shown(model: type[Record], row: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if row is None else to_response(model, [row])[0]
