"""A worker at a station: how panes are scanned there, and which wrong scans are tried."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import quote

from demo.client import RequestRefused, Response
from demo.panes import Pane
from demo.plan import STATION_WORKERS
from demo.workshop import Workshop

REPEATED_WITHIN_S = 5  # the service's SCAN_REPEAT_SECONDS
UNKNOWN_NUMBER = "PNE-99999999"
#: Status -> the scans that are left at the station before the pane can leave it.
SCANS_LEFT = {
    "pending": ("scan_in", "complete"),
    "in_progress": ("complete",),
    "awaiting_scan_out": (),
}
#: Scans that are refused before a pane is scanned in: code, action, status and message of
#: the refusal.
WRONG_SCANS = {
    "unknown pane": (UNKNOWN_NUMBER, "scan_in", 404, ""),
    "unknown action": ("", "polish", 400, "Validation failed"),
}
#: What is special about each pane, at one of its stations.
SPECIAL = (
    *WRONG_SCANS,
    "wrong station",
    "scan_out before complete",
    "completed pane",
    "scanned twice",
    "by QR code",
    "without scan_in",
    "with start",
)


class Station:
    """One station and its worker. Scans raise `RequestRefused` if they are refused."""

    def __init__(self, workshop: Workshop, name: str) -> None:
        self.workshop = workshop
        self.report = workshop.report
        self.name = name
        self.id = workshop.stations[name]
        self.api = workshop.logins[STATION_WORKERS[name]]
        self.leave_action = "qc_pass" if name == "qc" else "scan_out"

    def send(
        self, code: str, action: str, station: str = "", **fields: str
    ) -> Response:
        """Send a scan, at this station by default; its response is not counted."""
        path = f"/api/panes/{quote(code, safe='')}/scan"
        body = {"action": action, "station": station or self.id, **fields}
        return self.api.send("POST", path, body)

    def scan(
        self, pane: Pane, action: str, *, code: str = "", **fields: str
    ) -> Response:
        """Scan a pane, by `code` if that is not its number."""
        response = self.send(code or pane.number, action, **fields)
        if not response.ok:
            raise RequestRefused(action, pane.number, response)
        self.report.scanned(response.data["log"])
        pane.update(response.data["pane"])
        return response

    def complete(self, pane: Pane) -> None:
        """Do the scans that are left here, except the one that leaves the station."""
        for action in SCANS_LEFT[pane.status]:
            self.scan(pane, action)

    def leave(self, pane: Pane) -> None:
        """Scan a completed pane out; it must be at the next station of its route."""
        following = pane.route[pane.step + 1 :]
        expected = (following[0], "pending") if following else ("", "completed")
        self.scan(pane, self.leave_action)
        if (pane.station, pane.status) != expected:
            self.report.problems.append(
                f"{pane.number} left {self.name} for {pane.station or 'no station'}"
                f" as {pane.status}, expected {expected}"
            )

    def work(self, pane: Pane) -> None:
        """Work a pane from its present status until it leaves the station."""
        special = special_for(pane)
        self._begin(pane, special)
        self.complete(pane)
        self.leave(pane)
        if special == "completed pane" and pane.finished:
            self.refuse(special, pane.number, "scan_in", 400, "already completed")

    def work_batch(self, panes: Sequence[Pane]) -> None:
        """Work several panes with batch scans."""
        numbers = [pane.number for pane in panes]
        wrong = self._send_batch([*numbers, UNKNOWN_NUMBER], "scan_in")
        self.report.expect_refusal("batch with an unknown pane", wrong, 400)
        for action in ("scan_in", "complete"):
            response = self._send_batch(numbers, action)
            if not response.ok:
                raise RequestRefused(action, "a batch", response)
            for log in response.data["logs"]:
                self.report.scanned(log)
            records = {row["paneNumber"]: row for row in response.data["panes"]}
            for pane in panes:
                pane.update(records[pane.number])
        for pane in panes:
            self.leave(pane)

    def refuse(
        self, kind: str, code: str, action: str, status: int, message: str = ""
    ) -> None:
        """Send a wrong scan, which must be refused."""
        response = self.send(code, action)
        self.report.expect_refusal(kind, response, status, message)

    def _begin(self, pane: Pane, special: str) -> None:
        """Do what is special about a pane here, before it is completed."""
        if special in WRONG_SCANS:
            code, action, status, message = WRONG_SCANS[special]
            self.refuse(special, code or pane.number, action, status, message)
        elif special == "wrong station":
            self._scan_at_a_wrong_station(pane)
        elif special == "scan_out before complete":
            self.scan(pane, "scan_in")
            self.refuse(special, pane.number, self.leave_action, 400, "เสร็จสิ้น")
        elif special == "scanned twice":
            self._scan_twice(pane)
        elif special == "by QR code":
            self.scan(pane, "scan_in", code=pane.qr_code.lower())
        elif special == "without scan_in":
            self.scan(pane, "complete")
        elif special == "with start":
            self.scan(pane, "scan_in")
            self.scan(pane, "start")

    def _scan_at_a_wrong_station(self, pane: Pane) -> None:
        # A station off the route, because policies may allow a jump along the route.
        # A pane without a route has no wrong station.
        wrong = [
            one for one in self.workshop.stations.values() if one not in pane.route
        ]
        if pane.route and wrong:
            response = self.send(pane.number, "scan_in", wrong[0])
            message = "กระจกอยู่ที่สถานี"
            self.report.expect_refusal("wrong station", response, 400, message)

    def _scan_twice(self, pane: Pane) -> None:
        """Scan in twice; a second scan that is late counts as another one."""
        begin = time.monotonic()
        first, second = (self.scan(pane, "scan_in") for _ in range(2))
        in_time = time.monotonic() - begin < REPEATED_WITHIN_S
        same = first.data["log"]["_id"] == second.data["log"]["_id"]
        if in_time and not same:
            self.report.problems.append(
                f"a repeated scan of {pane.number} counts twice"
            )

    def _send_batch(self, numbers: Sequence[str], action: str) -> Response:
        body = {"paneNumbers": list(numbers), "action": action, "station": self.id}
        return self.api.send("POST", "/api/panes/batch-scan", body)


def special_for(pane: Pane) -> str:
    """What is special about a pane at its present step; empty if nothing is.

    The pane's index decides what it is and at which step. A pane that is already in
    progress is completed plainly.
    """
    special = SPECIAL[pane.index % len(SPECIAL)]
    last = max(0, len(pane.route) - 1)
    step = last if special == "completed pane" else pane.index % (last + 1)
    return special if pane.status == "pending" and pane.step == step else ""
