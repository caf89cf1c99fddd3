"""The lamination station: sheets wait there until their unit can be laminated."""

from __future__ import annotations

from typing import Any

from demo.client import Response
from demo.expected_events import Scan
from demo.panes import TrackedPane, Unit
from demo.station_worker import StationWorker

PRESENT = ("in_progress", "awaiting_scan_out")
# The pane number that a lamination is sent to: a sheet's own, a sheet's with another
# sheet named as the survivor, or the parent's with the survivor named.
BY_SHEET, BY_OTHER_SHEET, BY_PARENT = range(3)


class LaminationStation:
    """Works sheets at the lamination station; used by one thread only."""

    def __init__(self, worker: StationWorker) -> None:
        self.worker = worker
        self.expected = worker.scanner.expected
        self.results = worker.results

    def work(self, sheet: TrackedPane, unit: Unit) -> TrackedPane | None:
        """Scan a sheet in, and laminate the unit if all its sheets are present.

        Returns the laminated pane if it left the station or gets a fault here.
        """
        if not self.scan_in(sheet, unit):
            return None
        if not unit.complete:
            if sheet.index % 2:
                self._laminate_too_early(sheet, unit)
            return None
        survivor = self._laminate(sheet, unit)
        if survivor and survivor.fault and survivor.fault.at == self.worker.name:
            return survivor
        return survivor if survivor and self.worker.scan(survivor, "scan_out") else None

    def scan_in(self, sheet: TrackedPane, unit: Unit) -> bool:
        """Scan a sheet in, or straight to complete, and count the sheets present."""
        is_new = sheet.status == "pending"
        if is_new:
            self._scan_parent(unit)
            action = "complete" if sheet.index % 3 == 0 else "scan_in"
            if not self.worker.scan(sheet, action):
                return False
        unit.present[sheet.number] = sheet
        if is_new:
            present, total = len(unit.present), unit.sheet_count
            self.expected.sheet_arrived(unit.id, self.worker.station, present, total)
        return True

    def recover(self, current: TrackedPane, unit: Unit) -> TrackedPane | None:
        """Read a unit's sheets after an outage; returns the survivor if laminated.

        Only the sheets of this station are read: other threads work the others.
        """
        survivor = None
        for sheet in {**unit.present, current.number: current}.values():
            record = self.worker.api.get(f"/api/panes/{sheet.id}")
            sheet.update(record)
            if record["laminateRole"] == "single":
                survivor = self._survived(sheet, unit)
            elif sheet.station == self.worker.station and sheet.status in PRESENT:
                unit.present[sheet.number] = sheet
        return survivor

    def _laminate(self, sheet: TrackedPane, unit: Unit) -> TrackedPane | None:
        """Laminate the sheets that are present; None if the service refused."""
        survivor, code, fields = sheet, sheet.number, {}
        way = unit.index % 3
        if way != BY_SHEET:
            survivor = unit.present[min(unit.present)]
            fields = {"laminateSurvivorPaneNumber": survivor.number}
        if way == BY_PARENT:
            code = unit.number
            response = self._send_laminate(code)
            self.results.expect_refusal("parent without a survivor", response, 400)
        worker, station_before = self.worker, survivor.station
        data = worker.scanner.scan(
            worker.api, survivor, "laminate", worker.station, code=code, **fields
        )
        if data is None:
            return None
        merged = [one for one in unit.present.values() if one is not survivor]
        retired = self._read_retired(merged, unit)
        scan = Scan(data["pane"], data["log"], station_before)
        self.expected.laminated(scan, data, retired)
        self._check_response(data, survivor, unit)
        self._scan_merged_sheet(merged[0], survivor)
        return self._survived(survivor, unit)

    def _read_retired(
        self, merged: list[TrackedPane], unit: Unit
    ) -> list[dict[str, Any]]:
        ids = [*(sheet.id for sheet in merged), unit.id]
        retired = [self.worker.api.get(f"/api/panes/{pane}") for pane in ids]
        for sheet, record in zip(merged, retired, strict=False):
            sheet.update(record)
        return retired

    def _survived(self, survivor: TrackedPane, unit: Unit) -> TrackedPane:
        survivor.unit, survivor.fault = None, unit.fault
        self.results.actions["units laminated"] += 1
        return survivor

    def _check_response(
        self, data: dict[str, Any], survivor: TrackedPane, unit: Unit
    ) -> None:
        sheets = sorted(unit.present)
        retired = sorted({*sheets, unit.number} - {survivor.number})
        received = (
            data["survivorPaneNumber"],
            sorted(data["sheetPaneNumbers"]),
            sorted(data["retiredPaneNumbers"]),
        )
        if received != (survivor.number, sheets, retired):
            self.results.add_problem(f"{unit.number} was laminated as {received}")

    # Wrong scans: each must be refused and change nothing

    def _send_laminate(self, code: str) -> Response:
        return self.worker.send(code, "laminate")

    def _scan_parent(self, unit: Unit) -> None:
        if not unit.present:
            response = self.worker.send(unit.number, "scan_in")
            kind, code = "dormant parent", "LAMINATE_PARENT"
            self.results.expect_refusal(kind, response, 400, code=code)

    def _laminate_too_early(self, sheet: TrackedPane, unit: Unit) -> None:
        response = self._send_laminate(sheet.number)
        message = f"({len(unit.present)}/{unit.sheet_count})"
        self.results.expect_refusal("laminated too early", response, 400, message)

    def _scan_merged_sheet(self, sheet: TrackedPane, survivor: TrackedPane) -> None:
        response = self.worker.send(sheet.number, "scan_in")
        self.results.expect_refusal("merged sheet", response, 400, code="MERGED_INTO")
        errors = response.body.get("errors")
        named = isinstance(errors, dict) and errors.get("survivorPaneNumber")
        if named != survivor.number:
            self.results.add_problem(
                f"{sheet.number} is refused as merged into {named}"
            )
