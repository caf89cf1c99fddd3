"""A worker at a station: how one pane is worked there, wrong scans included."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from demo.client import Api, Response
from demo.panes import TrackedPane
from demo.scanner import Scanner

REPEATED_WITHIN_S = 5.0  # the service's SCAN_REPEAT_SECONDS
UNKNOWN_NUMBER = "PNE-99999999"
#: Status -> the scans that are left at the station before the pane can leave it.
SCANS_LEFT = {
    "pending": ("scan_in", "complete"),
    "in_progress": ("complete",),
    "awaiting_scan_out": (),
}


class StationWorker:
    """One worker at one station. Methods that work a pane return True if it left."""

    def __init__(
        self,
        name: str,
        stations: Mapping[str, str],
        api: Api,
        competitor: Api,
        scanner: Scanner,
    ) -> None:
        """`stations` is name -> id; `competitor` is the other login in scan races."""
        self.name = name
        self.station = stations[name]
        self.all_stations = tuple(stations.values())
        self.api = api
        self.competitor = competitor
        self.scanner = scanner
        self.results = scanner.results
        self.leave_action = "qc_pass" if name == "qc" else "scan_out"

    def work(self, pane: TrackedPane, variant: str) -> bool:
        """Work a pane in the way of the variant (see `VARIANTS`)."""
        return VARIANTS[variant](self, pane)

    def work_batch(self, panes: Sequence[TrackedPane]) -> list[TrackedPane]:
        """Work several panes with batch scans; returns those that left."""
        numbers = [pane.number for pane in panes]
        response = self.scanner.send_batch(
            self.api, [*numbers, UNKNOWN_NUMBER], "start", self.station
        )
        self.results.expect_refusal("batch with an unknown pane", response, 400)
        for action in ("scan_in", "complete"):
            if not self.scanner.scan_batch(self.api, panes, action, self.station):
                return []
        return [pane for pane in panes if self.scan(pane, self.leave_action)]

    def log_quality(self, pane: TrackedPane) -> None:
        """Create a production log with the result of a quality check."""
        body = {
            "pane": pane.id,
            "order": pane.order,
            "station": self.station,
            "operator": self.api.id,
            "action": "qc_pass",
            "status": "pass",
            "qcResults": [{"label": "ขนาดตรงตามแบบ", "passed": True, "note": ""}],
        }
        path = "/api/production-logs"
        log = self.api.create_once(
            path, body, lambda: self.api.list_all(path, pane=pane.id)
        )
        expected = self.scanner.expected
        expected.record_changed("production-log:updated", "created", log)

    def scan(self, pane: TrackedPane, *actions: str) -> bool:
        """Scan a pane here with each action in turn, until one is refused."""
        return all(self.scanner.scan(self.api, pane, a, self.station) for a in actions)

    def send(self, code: str, action: str, station: str = "") -> Response:
        """Send a scan, at this station by default; its response is not counted."""
        return self.scanner.send(self.api, code, action, station or self.station)

    def complete(self, pane: TrackedPane) -> bool:
        """Do the scans that are left here, except the one that leaves the station."""
        return self.scan(pane, *SCANS_LEFT[pane.status])

    def _plain(self, pane: TrackedPane) -> bool:
        return self.complete(pane) and self.scan(pane, self.leave_action)

    def _with_start(self, pane: TrackedPane) -> bool:
        return self.scan(pane, "scan_in", "start", "complete", self.leave_action)

    def _without_scan_in(self, pane: TrackedPane) -> bool:
        return self.scan(pane, "complete", self.leave_action)

    def _by_qr_code(self, pane: TrackedPane) -> bool:
        code = pane.qr_code.lower()
        scanned = self.scanner.scan(self.api, pane, "scan_in", self.station, code=code)
        return bool(scanned) and self._without_scan_in(pane)

    def _scanned_twice(self, pane: TrackedPane) -> bool:
        repeated = [self._repeats(pane, action) for action in ("scan_in", "complete")]
        return all(repeated) and self.scan(pane, self.leave_action)

    def _repeats(self, pane: TrackedPane, action: str) -> bool:
        """Scan twice; the second one counts only if the service was away in between."""
        begin, before = time.monotonic(), self.results.repeated_scans
        ok = self.scan(pane, action, action)
        in_time = time.monotonic() - begin < REPEATED_WITHIN_S
        if in_time and self.results.repeated_scans == before:
            self.results.add_problem(f"a repeated scan of {pane.number} counted twice")
        return ok

    def _race(self, pane: TrackedPane) -> bool:
        if not self.scan(pane, "scan_in", "complete"):
            return False
        apis = (self.api, self.competitor)
        return self.scanner.race(apis, pane, self.leave_action, self.station)

    # Wrong scans: each must be refused and change nothing

    def _wrong_station(self, pane: TrackedPane) -> bool:
        # A station off the route, because policies may allow a jump along the route.
        # A pane without a route has no wrong station.
        wrong = [station for station in self.all_stations if station not in pane.route]
        if pane.route and wrong:
            response = self.send(pane.number, "scan_in", wrong[0])
            message = "กระจกอยู่ที่สถานี"
            self.results.expect_refusal("wrong station", response, 400, message)
        return self._plain(pane)

    def _left_too_early(self, pane: TrackedPane) -> bool:
        if not self.scan(pane, "scan_in"):
            return False
        response = self.send(pane.number, self.leave_action)
        kind = "scan_out before complete"
        self.results.expect_refusal(kind, response, 400, "เสร็จสิ้น")
        return self._without_scan_in(pane)

    def _unknown_pane(self, pane: TrackedPane) -> bool:
        response = self.send(UNKNOWN_NUMBER, "scan_in")
        self.results.expect_refusal("unknown pane", response, 404)
        return self._plain(pane)

    def _unknown_action(self, pane: TrackedPane) -> bool:
        response = self.send(pane.number, "polish")
        message = "Validation failed"
        self.results.expect_refusal("unknown action", response, 400, message)
        return self._plain(pane)

    def _scanned_when_finished(self, pane: TrackedPane) -> bool:
        left = self._plain(pane)
        if pane.finished:
            response = self.send(pane.number, "scan_in")
            message = "already completed"
            self.results.expect_refusal("completed pane", response, 400, message)
        return left


#: The ways to work a pane. Each pane gets one other than the plain one, at one station.
VARIANTS: dict[str, Callable[[StationWorker, TrackedPane], bool]] = {
    "plain": StationWorker._plain,
    "wrong station": StationWorker._wrong_station,
    "left too early": StationWorker._left_too_early,
    "unknown pane": StationWorker._unknown_pane,
    "unknown action": StationWorker._unknown_action,
    "scanned twice": StationWorker._scanned_twice,
    "race": StationWorker._race,
    "by QR code": StationWorker._by_qr_code,
    "without scan_in": StationWorker._without_scan_in,
    "with start": StationWorker._with_start,
    "scanned when finished": StationWorker._scanned_when_finished,
}
SPECIAL = tuple(VARIANTS)[1:]


def variant_for(pane: TrackedPane) -> str:
    """The variant in which a pane is worked at its present step.

    The pane's index decides which special variant it gets and at which step. A pane
    that is already in progress, after an interruption, is completed plainly.
    """
    variant = SPECIAL[pane.index % len(SPECIAL)]
    last = max(0, len(pane.route) - 1)
    step = last if variant == "scanned when finished" else pane.index % (last + 1)
    due = pane.status == "pending" and pane.route_index == step
    return variant if due else "plain"
