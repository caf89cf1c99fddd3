"""Actions over many panes: alone, and beside eight scanners.

Each is one request of a user: ordering, cancelling, restoring and deleting a request, a
batch scan, and printing labels on a network printer.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.figures import number, percentile, table
from bench.hot_order import SCANNERS, scans_of
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import Request, timed_ms
from bench.workload import PANES_AT_ONCE, Workload
from demo.client import Api

WHOLE, QUICK = 1000, 50  # panes of a request
PRINTER = "zebra"
MAX_ALONE_S, MAX_BESIDE_S, MAX_SCAN_P95_MS = 10, 30, 1000
PANES_OF_A_SCANNER = 100  # in each action; it scans them three times


@dataclass
class Action:
    """An action over many panes: what it took, and the times of the scans beside it."""

    name: str
    panes: int
    request: Request
    seconds: float = 0.0
    used: Sequence[float] = ()  # processor s of service and store
    scans_ms: list[float] = field(default_factory=list)

    def faults(self, limit_s: float) -> Iterator[str]:
        """Yield what is not good enough."""
        if self.seconds > limit_s:
            yield f"{self.name} took {self.seconds:.1f} s"
        if self.scans_ms and percentile(self.scans_ms, 95) > MAX_SCAN_P95_MS:
            yield f"beside {self.name} the p95 of scans is over {MAX_SCAN_P95_MS} ms"


def section(quick: bool) -> Measured:
    """Measure all actions alone and beside scanners."""
    panes = QUICK if quick else WHOLE
    with _printer() as address, running_service({"PRINTERS": address}) as service:
        workload = Workload(service.admin())
        alone = _measure(service, workload, panes, scanners=0)
        beside = _measure(service, workload, panes, SCANNERS)
    faults = [fault for one in alone for fault in one.faults(MAX_ALONE_S)]
    faults += [fault for one in beside for fault in one.faults(MAX_BESIDE_S)]
    return Measured(list(_lines(alone, beside)), faults)


@contextmanager
def _printer() -> Iterator[str]:
    """Run a printer that reads all; yield it as the setting `PRINTERS` names one."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Reader) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{PRINTER}=tcp://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class _Reader(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.rfile.read()


def _lines(alone: Sequence[Action], beside: Sequence[Action]) -> Iterator[str]:
    head = ("action", "s", "service ms/pane", "store ms/pane", "s beside scanners")
    rows = []
    for one, other in zip(alone, beside, strict=True):
        used = [1000 * seconds / one.panes for seconds in one.used]
        scans = [percentile(other.scans_ms, share) for share in (50, 95)]
        cells = map(number, (one.seconds, *used, other.seconds, *scans))
        rows.append([f"{one.name}, {one.panes} panes", *cells])
    yield from table((*head, "scan p50 ms", "scan p95 ms"), rows)


def _measure(
    service: Service, workload: Workload, panes: int, scanners: int
) -> list[Action]:
    actions, api = list(_actions(workload, panes)), workload.api
    for action in actions:
        shares = [workload.order(PANES_OF_A_SCANNER)[1] for _ in range(scanners)]
        done = threading.Event()
        with ThreadPoolExecutor(max(1, scanners)) as threads:
            for numbers in shares:
                scans = scans_of(numbers, workload.route[0])
                threads.submit(_scan_until, done, api, scans, action.scans_ms)
            before = service.used()
            action.seconds = timed_ms(api, *action.request) / 1000
            action.used = service.used().since(before)
            done.set()
    return actions


def _actions(workload: Workload, panes: int) -> Iterator[Action]:
    """Yield the actions in their order; all but the last are on the same request."""
    request, other = workload.request(panes), workload.request(panes)
    path = f"/api/requests/{request['_id']}"
    batch = [row["paneNumber"] for row in request["panes"]][:PANES_AT_ONCE]
    order = ("POST", "/api/orders", workload.order_body(request))
    yield Action("order a request", panes, order)
    labels = {"request": request["_id"], "printer": PRINTER}
    yield Action("print labels", panes, ("POST", "/api/labels/print", labels))
    for name in ("scan_in", "complete"):
        body = {"paneNumbers": batch, "action": name}
        scans = ("POST", "/api/panes/batch-scan", body)
        yield Action(f"batch of {name}", len(batch), scans)
    cancelled = {"status": "cancelled", "cancelReason": "bench"}
    yield Action("cancel", panes, ("PATCH", path, cancelled))
    yield Action("restore", panes, ("PATCH", path, {"status": "pending"}))
    yield Action("delete", panes, ("DELETE", f"/api/requests/{other['_id']}", None))


def _scan_until(
    done: threading.Event,
    api: Api,
    scans: Iterator[Request],
    times: list[float],
) -> None:
    """Send scans until the action is done; append what each took, in ms."""
    for scan in scans:
        if done.is_set():
            return
        times.append(timed_ms(api, *scan))
