"""Scans of panes: what can be scanned, scans of one pane and of many, and undo."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response, request

from glassflow.domain import error_codes
from glassflow.domain.errors import Invalid
from glassflow.domain.panes import next_step as next_step_rules
from glassflow.domain.panes.status import Action
from glassflow.models.base import Record
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.schemas.answers.scans import (
    BATCH_FAILED,
    BATCH_SCANNED,
    BATCH_UNDONE,
    NEXT_STEP,
    SCANNED,
    UNDONE,
)
from glassflow.schemas.pane import StationQuery
from glassflow.schemas.scan import (
    BatchFailSchema,
    BatchScanSchema,
    BatchUndoSchema,
    ScanSchema,
    UndoSchema,
)
from glassflow.services.panes.mapping import id_or_none, read_by_path
from glassflow.services.scanning import next_step as next_steps
from glassflow.services.scanning import scan as scanning
from glassflow.services.scanning import undo as undoing
from glassflow.services.scanning.context import Scan
from glassflow.services.scanning.decision import ScanResult
from glassflow.services.scanning.laminate import LaminateGroup
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.language import localized_part
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response

SCAN, BATCH, UNDO = ScanSchema(), BatchScanSchema(), UndoSchema()
BATCH_FAIL, BATCH_UNDO = BatchFailSchema(), BatchUndoSchema()
STATION = StationQuery()
CODES = (*error_codes.SCANS, "STATION_NOT_ON_ROUTE")

blueprint = Blueprint("scans", __name__, url_prefix="/api/panes")


@blueprint.get("/<number>/next")
@require("panes:view")
@describe("get_next_step", query=STATION, answer=NEXT_STEP, populates=Pane)
def next_step(number: str) -> Response:
    """Show what can be done with a pane at a station, and what comes next."""
    query = {"station": request.args.get("station", "")}
    station = _for_pane(number, lambda: STATION.read(query))["station"]
    actor = current_identity()
    found = next_steps.next_step(number=number, station=station, actor=actor)
    return reply(_next_step_body(found), "Next step")


@blueprint.post("/<number>/scan")
@require("panes:scan")
@describe("scan_pane", body=SCAN, answer=SCANNED, populates=Pane, codes=CODES)
def scan(number: str) -> Response:
    """Scan one pane."""
    requested = Scan.from_body(_for_pane(number, lambda: read_body(SCAN)))
    result = scanning.scan(number=number, scan=requested, actor=current_identity())
    return reply(_scan_body(result), f"{requested.action} recorded")


@blueprint.post("/<number>/undo")
@require("panes:scan")
@describe(
    "undo_scan",
    body=UNDO,
    answer=UNDONE,
    populates=Pane,
    codes=(*error_codes.UNDO, *CODES, *error_codes.WORK),
)
def undo(number: str) -> Response:
    """Undo the last scan of one pane; another worker's with `panes:manage`."""
    body = _for_pane(number, lambda: read_body(UNDO))
    actor, reason = current_identity(), body.get("reason") or ""
    result = undoing.undo(number=number, actor=actor, reason=reason)
    data = {
        "pane": _shown(Pane, result.panes)[0],
        "log": _shown(PaneLog, result.logs)[0],
        "undone": _shown(PaneLog, result.undone)[0],
        "cancelledPaneNumbers": [pane.pane_number for pane in result.cancelled],
    }
    return reply(data, f"{result.undone[0].action} undone")


@blueprint.post("/batch-scan")
@require("panes:scan")
@describe("scan_panes", body=BATCH, answer=BATCH_SCANNED, populates=Pane, codes=CODES)
def batch_scan() -> Response:
    """Scan many panes with one action, all or none."""
    body = read_body(BATCH)
    numbers, requested = body.pop("pane_numbers"), Scan.from_body(body)
    actor = current_identity()
    results = scanning.batch_scan(numbers=numbers, scan=requested, actor=actor)
    data = {
        "count": len(results),
        "updatedCount": len(results),
        "panes": _shown(Pane, [result.pane for result in results]),
        "logs": _shown(PaneLog, [result.log for result in results]),
        "undoableUntil": undoing.undoable_until(results[0].log),
    }
    return reply(data, f"{requested.action} recorded")


@blueprint.post("/batch-fail")
@require("panes:scan")
@describe(
    "fail_panes", body=BATCH_FAIL, answer=BATCH_FAILED, populates=Pane, codes=CODES
)
def batch_fail() -> Response:
    """Fail many panes that are lost together, all or none; each is made again."""
    body = read_body(BATCH_FAIL)
    numbers = body.pop("pane_numbers")
    failed = {**body, "action": Action.QC_FAIL, "before_complete": True}
    actor, requested = current_identity(), Scan.from_body(failed)
    results = scanning.batch_scan(numbers=numbers, scan=requested, actor=actor)
    remade = [result.remade for result in results if result.remade]
    data = {
        "count": len(results),
        "panes": _shown(Pane, [result.pane for result in results]),
        "logs": _shown(PaneLog, [result.log for result in results]),
        "remadePanes": _shown(Pane, remade),
        "undoableUntil": undoing.undoable_until(results[0].log),
    }
    return reply(data, f"{requested.action} recorded")


@blueprint.post("/batch-undo")
@require("panes:scan")
@describe(
    "undo_scans",
    body=BATCH_UNDO,
    answer=BATCH_UNDONE,
    populates=Pane,
    codes=(*error_codes.UNDO, *CODES, *error_codes.WORK),
)
def batch_undo() -> Response:
    """Undo the last scan of each of many panes, all or none."""
    body = read_body(BATCH_UNDO)
    actor, reason = current_identity(), body.get("reason") or ""
    numbers = body["pane_numbers"]
    result = undoing.batch_undo(numbers=numbers, actor=actor, reason=reason)
    data = {
        "count": len(result.panes),
        "panes": _shown(Pane, result.panes),
        "logs": _shown(PaneLog, result.logs),
        "cancelledPaneNumbers": [pane.pane_number for pane in result.cancelled],
    }
    return reply(data, "Scans undone")


def _for_pane(number: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Read a body or query; an unknown pane is reported before invalid values."""
    try:
        return read()
    except Invalid:
        read_by_path(Pane, number)
        raise


def _shown(model: type[Record], found: Sequence[Record]) -> list[dict[str, Any]]:
    """Return records as the response shows them: populated together, not one by one."""
    return to_response(model, [one.stored_form() for one in found])


def _scan_body(result: ScanResult) -> dict[str, Any]:
    body: dict[str, Any] = {
        "pane": _shown(Pane, [result.pane])[0],
        "log": _shown(PaneLog, [result.log])[0],
        "undoableUntil": undoing.undoable_until(result.log),
    }
    if result.next_station:
        body["nextStation"] = result.next_station
    if result.remade:
        body["remadePane"] = _shown(Pane, [result.remade])[0]
    if result.merged:
        body |= {
            "mergedSheets": len(result.merged.sheets),
            "sheetPaneNumbers": result.merged.sheets,
            "survivorPaneNumber": result.merged.survivor,
            "retiredPaneNumbers": result.merged.retired,
            "parentRetired": True,
        }
    return body


def _next_step_body(found: next_steps.NextStep) -> dict[str, Any]:
    refusal, scan, named = found.refusal, found.undoable, found.stations
    steps = zip(found.view.route, next_step_rules.step_states(found.view), strict=True)
    return {
        "pane": _shown(Pane, [found.pane])[0],
        "station": _station(found.station, named),
        "action": found.action,
        "allowed": found.allowed,
        "allowedBeforeComplete": found.early,
        "moveHere": None
        if found.skipped is None
        else {"skippedStations": [_station(one, named) for one in found.skipped]},
        "refusal": refusal
        and localized_part(
            {"code": refusal.code, "message": refusal.message, **refusal.details}
        ),
        "nextStation": _station(found.view.next_station, named),
        "steps": [
            {"station": _station(step, named), "state": state} for step, state in steps
        ],
        "set": _unit_body(found.unit, named) if found.unit else None,
        "undo": scan
        and {
            "action": scan.action,
            "undoableUntil": undoing.undoable_until(scan),
        },
    }


def _unit_body(unit: LaminateGroup, named: next_steps.Stations) -> dict[str, Any]:
    presence = unit.presence
    return {
        "parentPaneNumber": unit.parent.pane_number,
        "station": _station(unit.station, named),
        "total": presence.total,
        "present": len(presence.present),
        "ready": presence.complete,
        "sheets": [
            {
                "paneNumber": sheet.pane_number,
                "sheetLabel": sheet.sheet_label,
                "currentStatus": sheet.current_status,
                "station": _station(id_or_none(sheet.current_station), named),
                "present": sheet.pane_number in presence.present,
            }
            for sheet in unit.sheets
        ],
    }


def _station(station: str | None, named: next_steps.Stations) -> dict[str, str] | None:
    """Return the id and the name of a station; a deleted one has no name."""
    if station is None:
        return None
    return {"_id": station, "name": named.get(station, {}).get("name", "")}
