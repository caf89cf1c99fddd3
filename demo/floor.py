"""The floor: a worker at every station scans panes until all are finished."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence

from demo.claims import Claims
from demo.client import NoResponse
from demo.lamination import LaminationStation
from demo.panes import Panes, TrackedPane
from demo.plan import CUSTOMER_CLAIM, QC_FAIL
from demo.remakes import Remakes
from demo.results import Results
from demo.station_worker import StationWorker, variant_for

BATCH_SIZE = 5
BATCH_STATIONS = ("cutting", "washing")
QUALITY_LOG_INTERVAL = 4  # every fourth pane that passes QC gets a production log


class Floor:
    """The threads of the stations. A pane moves to where the service sends it."""

    def __init__(
        self,
        workers: Mapping[str, StationWorker],
        panes: Panes,
        claims: Claims,
        remakes: Remakes,
        results: Results,
    ) -> None:
        """`workers` is station name -> its worker."""
        self.workers = workers
        self.panes = panes
        self.claims = claims
        self.remakes = remakes
        self.results = results
        self.lamination = LaminationStation(workers["lamination"])
        self.finished_at = dict.fromkeys(workers, 0)
        self._closed = threading.Event()

    def start(self) -> None:
        """Start one thread for each station, and one that decides claims."""
        for name in self.workers:
            threading.Thread(
                target=self._run_station, args=(name,), daemon=True
            ).start()
        deciding = threading.Thread(
            target=self.claims.decide_until, args=(self._closed.is_set,), daemon=True
        )
        deciding.start()

    def close(self) -> None:
        """Let the threads end after the panes that they are working."""
        self._closed.set()

    def _run_station(self, name: str) -> None:
        limit = BATCH_SIZE if name in BATCH_STATIONS else 1
        while not self._closed.is_set():
            try:
                panes = self.panes.take(name, limit)
            except queue.Empty:
                continue
            try:
                self._work(name, panes)
            except NoResponse:
                self._recover(name, panes)
            except Exception as error:  # reported; the station works the next panes
                self.results.add_problem(f"{name}: {error!r}")

    def _work(self, name: str, panes: list[TrackedPane]) -> None:
        """Work the plain panes in one batch, then the others one by one.

        Removes from `panes` each pane that is done with, so that `_recover` finds those
        that are not. Panes that moved on while they waited here are skipped: sheets
        that another sheet's scan has laminated.
        """
        panes[:] = [pane for pane in panes if self._is_here(name, pane)]
        plain = [pane for pane in panes if self._is_plain(name, pane)]
        if len(plain) > 1:
            left = self.workers[name].work_batch(plain)
            panes[:] = [pane for pane in panes if pane not in plain]
            for pane in left:
                self._left(name, pane)
        while panes:
            self._work_one(name, panes[0])
            del panes[0]

    def _is_here(self, name: str, pane: TrackedPane) -> bool:
        return pane.workable and pane.station in ("", self.workers[name].station)

    def _is_plain(self, name: str, pane: TrackedPane) -> bool:
        plain = pane.status == "pending" and variant_for(pane) == "plain"
        return plain and not self._fault_due(name, pane)

    def _fault_due(self, name: str, pane: TrackedPane) -> bool:
        return pane.fault is not None and pane.fault.at in ("", name)

    def _work_one(self, name: str, pane: TrackedPane) -> None:
        worker = self.workers[name]
        if self._fault_due(name, pane):
            self._apply_fault(worker, pane)
        elif pane.unit and name == "lamination":
            survivor = self.lamination.work(pane, pane.unit)
            if survivor:
                self._left(name, survivor)
        elif worker.work(pane, variant_for(pane)):
            self._left(name, pane)

    def _apply_fault(self, worker: StationWorker, pane: TrackedPane) -> None:
        assert pane.fault
        if pane.fault.kind == CUSTOMER_CLAIM:
            if worker.complete(pane) and worker.scan(pane, worker.leave_action):
                self.claims.file(worker, pane, source="customer")
        elif self._scan_in(worker, pane):
            if pane.fault.kind == QC_FAIL:
                self.remakes.fail_check(worker, pane)
            else:
                self.claims.file(worker, pane)

    def _scan_in(self, worker: StationWorker, pane: TrackedPane) -> bool:
        if pane.unit and worker.name == "lamination":
            return self.lamination.scan_in(pane, pane.unit)
        return pane.status != "pending" or worker.scan(pane, "scan_in")

    def _left(self, name: str, pane: TrackedPane) -> None:
        self.finished_at[name] += 1
        self.panes.enqueue(pane)
        if name == "qc" and pane.index % QUALITY_LOG_INTERVAL == 0:
            self.workers[name].log_quality(pane)

    def _recover(self, name: str, panes: Sequence[TrackedPane]) -> None:
        """After an outage, read where the panes are and continue from there."""
        for pane in panes:
            try:
                self._recover_one(name, pane)
            except Exception as error:
                self.results.add_problem(f"{name}, after an outage: {error!r}")

    def _recover_one(self, name: str, pane: TrackedPane) -> None:
        worker = self.workers[name]
        while True:
            worker.api.wait_until_ready()
            try:
                pane.update(worker.api.get(f"/api/panes/{pane.id}"))
                survivor = None
                if pane.unit and name == "lamination":
                    survivor = self.lamination.recover(pane, pane.unit)
                if not self._recover_fault(worker, pane):
                    self.panes.enqueue(survivor or pane)
                return
            except NoResponse:
                continue

    def _recover_fault(self, worker: StationWorker, pane: TrackedPane) -> bool:
        """True if the pane's fault was applied before the outage, and is handled."""
        if not pane.fault or pane.claim_pending:
            return False
        recovered = self.remakes.recover(worker, pane)
        return recovered or self.claims.recover(worker, pane)
