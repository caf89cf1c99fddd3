"""Failed checks, and the remakes that replace failed or claimed panes."""

from __future__ import annotations

from collections.abc import Mapping

from demo.client import Api, Record
from demo.events import id_of
from demo.expected_events import ExpectedEvents
from demo.panes import Panes, TrackedPane
from demo.results import Results
from demo.station_worker import StationWorker


class Remakes:
    """Fails checks, and adds to the day's panes the remakes that the service creates."""

    def __init__(
        self,
        api: Api,
        panes: Panes,
        expected: ExpectedEvents,
        results: Results,
        station_ids: Mapping[str, str],
    ) -> None:
        """`api` reads the remakes; `station_ids` is station name -> id."""
        self.api = api
        self.panes = panes
        self.expected = expected
        self.results = results
        self.station_ids = station_ids

    def fail_check(self, worker: StationWorker, pane: TrackedPane) -> None:
        """Complete a pane, then fail its check; the service creates the remake."""
        fault = pane.fault
        if not fault or not worker.complete(pane):
            return
        wrong = worker.send(pane.number, "qc_fail")
        kind = "qc_fail without a reason"
        self.results.expect_refusal(kind, wrong, 400, "Validation failed")
        fields = {"reason": fault.reason, "description": "พบตอนตรวจ"}
        if fault.remake_at:
            fields["remakeStationId"] = self.station_ids[fault.remake_at]
        data = worker.scanner.scan(
            worker.api, pane, "qc_fail", worker.station, **fields
        )
        if data:
            self._check_failed(pane, data["remadePane"], worker.station)

    def recover(self, worker: StationWorker, pane: TrackedPane) -> bool:
        """After an outage, add the remake of a pane if its check has failed."""
        if pane.status != "defected":
            return False
        remakes = worker.api.list_all(
            "/api/panes", remakeOf=pane.id, includeMerged="true"
        )
        self._check_failed(pane, remakes[0], worker.station)
        return True

    def add(
        self,
        replaced: TrackedPane,
        remake: Record,
        *,
        left_station: str,
        notification: str,
    ) -> None:
        """Add a remake: a pane, a sheet, or the parent of a unit with its sheets.

        `left_station` is the station of the replaced pane; `notification` the type that
        the worker receives to whom the order is assigned.
        """
        created, parent = [remake], None
        if remake["laminateRole"] == "parent":
            created += self.api.list_all("/api/panes", parentPane=remake["_id"])
        if remake["laminateRole"] == "sheet":
            parent = self.api.get(f"/api/panes/{id_of(remake['parentPane'])}")
        self.expected.remade(
            created,
            left_station=left_station,
            parent=parent,
            assigned_to=replaced.assigned_to,
            notification=notification,
        )
        self.results.actions["panes remade"] += 1
        self.panes.add(created, replaced.assigned_to)

    def _check_failed(self, pane: TrackedPane, remake: Record, left: str) -> None:
        pane.leave_unit()
        self.results.actions["checks failed"] += 1
        self.add(pane, remake, left_station=left, notification="qc_remake")
        pane.fault = None
