"""Lamination: sheets wait at the station until their unit can be laminated."""

from __future__ import annotations

from demo.floor import Station
from demo.panes import Pane, Unit


def arrive(station: Station, sheet: Pane, unit: Unit) -> None:
    """Scan a sheet in, or straight to complete, if it is new, and record it as present."""
    if sheet.status == "pending":
        if not unit.present:
            response = station.send(unit.number, "scan_in")
            code = "LAMINATE_PARENT"
            station.report.expect_refusal("dormant parent", response, 400, code=code)
        station.scan(sheet, "complete" if sheet.index % 3 == 0 else "scan_in")
    unit.present[sheet.number] = sheet
    if not unit.complete and sheet.index % 2:
        message = f"({len(unit.present)}/{unit.sheet_count})"
        kind = "laminated too early"
        station.refuse(kind, sheet.number, "laminate", 400, message)


def laminate(station: Station, sheet: Pane, unit: Unit) -> Pane:
    """Laminate a unit whose sheets are all present; returns the sheet that survives."""
    if unit.index % 2:
        survivor = sheet
        station.scan(survivor, "laminate")
    else:
        survivor = unit.present[min(unit.present)]
        station.refuse("parent without a survivor", unit.number, "laminate", 400)
        named = {"laminateSurvivorPaneNumber": survivor.number}
        station.scan(survivor, "laminate", code=unit.number, **named)
    merged = [one for one in unit.present.values() if one is not survivor]
    for one in merged:
        one.update(station.api.get(f"/api/panes/{one.id}"))
        one.fault = None
    _scan_merged_sheet(station, merged[0], survivor)
    survivor.unit, survivor.fault = None, unit.fault
    station.report.actions["units laminated"] += 1
    return survivor


def _scan_merged_sheet(station: Station, sheet: Pane, survivor: Pane) -> None:
    """Scan a sheet that is merged; the refusal must name the pane that it is now."""
    response = station.send(sheet.number, "scan_in")
    kind, code = "merged sheet", "MERGED_INTO"
    station.report.expect_refusal(kind, response, 400, code=code)
    errors = response.body.get("errors")
    named = isinstance(errors, dict) and errors.get("survivorPaneNumber")
    if named != survivor.number:
        station.report.problems.append(
            f"{sheet.number} is refused as merged into {named}"
        )
