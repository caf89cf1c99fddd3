"""Cutting plans: what waits to be cut, and the plans by which it is."""

from flask import Response, current_app, request

from glassflow.domain import error_codes
from glassflow.domain.bilingual import THAI, Language
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.inventory import Inventory
from glassflow.models.pane import Pane
from glassflow.schemas.answers.cutting import SHEET_CUT, SHEET_UNDONE, SHEETS, WAITING
from glassflow.schemas.cutting_plan import (
    CuttingPlanChangeSchema,
    CuttingPlanPaperQuery,
    CuttingPlanSchema,
    ImproveSchema,
    SheetCutSchema,
    SheetUndoSchema,
)
from glassflow.services.cutting import paper, plans, sheets, waiting
from glassflow.services.cutting.table import PanesOfPlan
from glassflow.services.events.event_route import EventRoute
from glassflow.services.printing import make_cutting_plan, make_sheet_picture
from glassflow.services.scanning import sheets as cutting_sheets
from glassflow.services.scanning.sheets import Cutting
from glassflow.services.tables import csv_format
from glassflow.web import exports, language
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.files import PDF, SVG, pdf_response, svg_response
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

IMPROVE, CUT, UNDO = ImproveSchema(), SheetCutSchema(), SheetUndoSchema()
PAPER = CuttingPlanPaperQuery()

resource = Resource(
    name="cutting-plans",
    model=CuttingPlan,
    schema=CuttingPlanChangeSchema(),
    create_schema=CuttingPlanSchema(),
    keys=Keys(
        view="inventory:view", create="inventory:manage", manage="inventory:manage"
    ),
    events=EventRoute(
        "planning:updated",
        rooms=("dashboard", "inventory", "production"),
        actions=("planned", "released", "cancelled", "cut", "undone"),
    ),
    create_with=plans.create,
    update_with=plans.update,
    codes=tuple(error_codes.CUTTING),
)
blueprint = resource.blueprint()


@blueprint.get("/waiting")
@require("inventory:view")
@describe("list_waiting_for_cutting", answer=WAITING)
def list_waiting() -> Response:
    """Return what waits for cutting, by material, with the stock of it."""
    current_identity().require("panes:view")
    return reply(waiting.read(), "What waits for cutting")


@blueprint.get("/<oid:record_id>/sheets")
@require("inventory:view")
@describe("list_sheets_of_cutting_plan", answer=SHEETS, errors=(404,))
def list_sheets(record_id: str) -> Response:
    """Return the sheets of a plan with their panes, in the order of cutting."""
    current_identity().require("panes:view")
    raw = resource.read_visible(record_id)
    return reply(sheets.read(raw), "Sheets")


@blueprint.post("/<oid:record_id>/improve")
@require("inventory:manage")
@resource.operations.describe(
    "update", id="improve_cutting_plan", body=IMPROVE, partial=False
)
def improve(record_id: str) -> Response:
    """Search again for a proposed plan, by what is in stock now."""
    return resource.act(
        record_id, plans.improve, "Is planned again", **read_body(IMPROVE)
    )


@blueprint.post("/<oid:record_id>/stop")
@require("inventory:manage")
@resource.operations.describe("update", id="stop_planning", body=None)
def stop(record_id: str) -> Response:
    """End the search for a plan; what it has found stays."""
    return resource.act(record_id, plans.stop, "Search ended")


@blueprint.post("/<oid:record_id>/release")
@require("inventory:manage")
@resource.operations.describe("update", id="release_cutting_plan", body=None)
def release(record_id: str) -> Response:
    """Reserve the sheets and the panes of a plan, so that it can be cut."""
    return resource.act(record_id, plans.release, "Released")


@blueprint.post("/<oid:record_id>/cancel")
@require("inventory:manage")
@resource.operations.describe("update", id="cancel_cutting_plan", body=None)
def cancel(record_id: str) -> Response:
    """Cancel a plan: what it has reserved is free again, and what is cut stays cut."""
    return resource.act(record_id, plans.cancel, "Cancelled")


@blueprint.post("/<oid:record_id>/sheets/<int:number>/cut")
@require("panes:scan")
@describe(
    "cut_sheet",
    body=CUT,
    answer=SHEET_CUT,
    populates=Pane,
    errors=(404,),
    codes=(*error_codes.CUTTING, *error_codes.SCANS, "INSUFFICIENT_STOCK"),
)
def cut(record_id: str, number: int) -> Response:
    """Record that a sheet is cut: its panes, its lot and its remnants, all or nothing."""
    current_identity().require("inventory:view")
    plan = resource.read_visible(record_id)
    body = read_body(CUT)
    broken = body.pop("broken", None) or ()
    body["location"] = body.get("location") or ""
    cutting = Cutting(current_identity(), **body)
    result = cutting_sheets.cut(
        plan_id=plan["_id"], number=number, broken=broken, cutting=cutting
    )
    data = {
        "plan": to_response(CuttingPlan, [result.plan.stored_form()])[0],
        "panes": to_response(Pane, [one.stored_form() for one in result.panes]),
        "remnants": to_response(
            Inventory, [one.stored_form() for one in result.remnants]
        ),
        "remakes": [
            {"_id": pane.pk, "paneNumber": pane.pane_number, "sheet": sheet}
            for pane, sheet in result.remakes
        ],
        "undoableUntil": result.undoable_until,
    }
    return reply(data, "Cut")


@blueprint.post("/<oid:record_id>/sheets/<int:number>/undo")
@require("panes:scan")
@describe(
    "undo_cut",
    body=UNDO,
    answer=SHEET_UNDONE,
    populates=Pane,
    errors=(404,),
    codes=(*error_codes.CUTTING, *error_codes.UNDO),
)
def undo(record_id: str, number: int) -> Response:
    """Take the cut of a sheet back, within an hour: all of it, or nothing."""
    current_identity().require("inventory:view")
    plan = resource.read_visible(record_id)
    reason = read_body(UNDO).get("reason") or ""
    changed, undone = cutting_sheets.undo(
        plan_id=plan["_id"], number=number, actor=current_identity(), reason=reason
    )
    data = {
        "plan": to_response(CuttingPlan, [changed.stored_form()])[0],
        "panes": to_response(Pane, [one.stored_form() for one in undone.panes]),
        "cancelled": to_response(Pane, [one.stored_form() for one in undone.cancelled]),
    }
    return reply(data, "Taken back")


@blueprint.get("/<oid:record_id>/pdf")
@require("inventory:view")
@describe("get_cutting_plan_paper", query=PAPER, **PDF, errors=(404,))
def pdf(record_id: str) -> Response:
    """Make a plan as a PDF: a list of its sheets, then a page for each sheet."""
    current_identity().require("panes:view")
    printed = paper.read(resource.read_visible(record_id), _language())
    return pdf_response(printed.number, lambda: make_cutting_plan(printed))


@blueprint.get("/<oid:record_id>/sheets/<int:number>/svg")
@require("inventory:view")
@describe("get_drawing_of_sheet", query=PAPER, **SVG, errors=(404,))
def svg(record_id: str, number: int) -> Response:
    """Draw a sheet of a plan to scale, with its panes and what is left of it."""
    current_identity().require("panes:view")
    plan, wanted = resource.read_visible(record_id), _language()
    sheet = paper.read_sheet(plan, number)
    name = f"{paper.number_of(plan)}-{number}"
    return svg_response(name, lambda: make_sheet_picture(sheet, wanted))


@blueprint.get("/<oid:record_id>/csv")
@require("inventory:view")
@describe(
    "get_panes_of_cutting_plan_csv",
    query=PAPER,
    answer=None,
    media=(csv_format.MEDIA_TYPE,),
    errors=(404,),
)
def csv(record_id: str) -> Response:
    """Make the CSV file of the panes on the sheets of a plan, in the order of cutting."""
    current_identity().require("panes:view")
    plan = resource.read_visible(record_id)
    table = PanesOfPlan(
        plan, language=_language(), max_rows=current_app.config["EXPORT_MAX_ROWS"]
    )
    with exports.long():
        return exports.written(table.write, "csv", name=paper.number_of(plan))


def _language() -> Language:
    """Return the language that the query asks for, else the request. Raises `Invalid`."""
    asked = PAPER.read(request.args).get("language")
    return Language(asked or language.requested() or THAI)
