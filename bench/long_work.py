"""Actions over many panes: alone, and beside eight scanners.

Each is one request of a user: ordering, cancelling, restoring and deleting a request, a
batch scan, and printing labels on a network printer.
"""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import requests

from bench.costs import cpu_seconds
from bench.figures import number, percentile, table
from bench.hot_order import ACTIONS, SCANNERS, new_order, scan_until_accepted
from bench.processes import Service, running_service
from bench.section import Measured
from demo.client import Api, Record

WHOLE, QUICK = 1000, 50  # panes of a request
BATCHES = ("scan_in", "complete")
BATCH = 500  # panes of a batch scan: the longest array of a request
PRINTER = "zebra"
MAX_ALONE_S, MAX_BESIDE_S, MAX_SCAN_P95_MS = 10, 30, 1000
TIMEOUT_S = 120  # of the request that is measured
PANES_OF_A_SCANNER = 100  # in each action; it scans them three times
SHARE_AT_ONCE = 50  # panes that a request is given at once


@dataclass
class Action:
    """An action over many panes: what it took, in all and of each process."""

    name: str
    panes: int
    status: int
    seconds: float
    service_s: float
    store_s: float
    scans_ms: Sequence[float]


def section(quick: bool) -> Measured:
    """Measure all actions alone and beside scanners."""
    panes = QUICK if quick else WHOLE
    with printer() as address, running_service({"PRINTERS": address}) as service:
        alone = list(_actions(service, panes, ()))
        scanners = [service.admin() for _ in range(SCANNERS)]
        beside = list(_actions(service, panes, scanners))
    faults = [*_faults(alone, MAX_ALONE_S), *_faults(beside, MAX_BESIDE_S)]
    return Measured(list(_lines(alone, beside)), faults=faults)


@contextmanager
def printer() -> Iterator[str]:
    """Run a printer that reads all; yield it as the setting `PRINTERS` names one."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Reader) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{PRINTER}=tcp://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class _Reader(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.rfile.read()


def _faults(actions: Sequence[Action], limit_s: float) -> Iterator[str]:
    for one in actions:
        if one.status >= 400:
            yield f"{one.name} was answered {one.status}"
        if one.seconds > limit_s:
            yield f"{one.name} took {one.seconds:.1f} s"
        if one.scans_ms and percentile(one.scans_ms, 95) > MAX_SCAN_P95_MS:
            yield f"beside {one.name} the p95 of scans is over {MAX_SCAN_P95_MS} ms"


def _lines(alone: Sequence[Action], beside: Sequence[Action]) -> Iterator[str]:
    rows = []
    for one, other in zip(alone, beside, strict=True):
        scans = [percentile(other.scans_ms, share) for share in (50, 95)]
        rows.append(
            [
                f"{one.name}, {one.panes} panes",
                number(one.seconds),
                number(1000 * one.service_s / one.panes),
                number(1000 * one.store_s / one.panes),
                number(other.seconds),
                *map(number, scans),
            ]
        )
    yield from table(
        (
            "action",
            "s",
            "service ms/pane",
            "store ms/pane",
            "s beside scanners",
            "scan p50 ms",
            "scan p95 ms",
        ),
        rows,
    )


def _actions(service: Service, count: int, scanners: Sequence[Api]) -> Iterator[Action]:
    """Carry out the actions one after the other, on the same request."""
    admin = service.admin()
    stations = [row["_id"] for row in admin.get("/api/stations", sort="createdAt")][:2]
    customer = admin.get("/api/customers", limit=1)[0]["_id"]
    material = admin.get("/api/materials", limit=1)[0]["_id"]

    def measured(name: str, panes: int, send: Callable[[], int]) -> Action:
        return _measured(service, scanners, (name, panes, send))

    def big_request() -> Record:
        return _request(admin, customer, stations, count)

    request = big_request()
    path = f"/api/requests/{request['_id']}"
    numbers = [row["paneNumber"] for row in request["panes"]]
    batch = numbers[:BATCH]
    order = {"request": request["_id"], "customer": customer, "material": material}
    yield measured(
        "order a request",
        count,
        lambda: _send(admin, "POST", "/api/orders", {**order, "quantity": count}),
    )
    labels = {"request": request["_id"], "printer": PRINTER}
    yield measured(
        "print labels",
        count,
        lambda: _send(admin, "POST", "/api/labels/print", labels),
    )
    for action in BATCHES:
        body = {"paneNumbers": batch, "action": action}
        yield measured(
            f"batch of {action}",
            len(batch),
            lambda body=body: _send(admin, "POST", "/api/panes/batch-scan", body),
        )
    cancelled = {"status": "cancelled", "cancelReason": "bench"}
    yield measured("cancel", count, lambda: _send(admin, "PATCH", path, cancelled))
    restored = {"status": "pending"}
    yield measured("restore", count, lambda: _send(admin, "PATCH", path, restored))
    other = big_request()
    path = f"/api/requests/{other['_id']}"
    yield measured("delete", count, lambda: _send(admin, "DELETE", path, None))


def _request(admin: Api, customer: str, stations: Sequence[str], count: int) -> Record:
    """Create a request of so many panes, some at a time."""
    details = {"type": "bench", "quantity": count}
    made = admin.post("/api/requests", customer=customer, details=details, panes=[])
    made["panes"] = []
    for _ in range(count // SHARE_AT_ONCE):
        panes = [{"routing": stations}] * SHARE_AT_ONCE
        added = admin.post(f"/api/requests/{made['_id']}/panes", panes=panes)
        made["panes"] += added["panes"]
    return made


def _send(admin: Api, method: str, path: str, body: object) -> int:
    """Send the request that is measured; return the status of its answer."""
    response = requests.request(
        method,
        admin.url + path,
        json=body,
        headers={"Authorization": f"Bearer {admin.token}"},
        timeout=TIMEOUT_S,
    )
    return response.status_code


def _measured(
    service: Service,
    scanners: Sequence[Api],
    work: tuple[str, int, Callable[[], int]],
) -> Action:
    name, panes, send = work
    done, scans = threading.Event(), list[float]()
    shares = [new_order(scanner, PANES_OF_A_SCANNER) for scanner in scanners]
    with ThreadPoolExecutor(max(1, len(scanners))) as threads:
        for scanner, numbers in zip(scanners, shares, strict=True):
            threads.submit(_scan_until, done, scanner, numbers, scans)
        before = [cpu_seconds(service.workers), cpu_seconds([service.store_pid])]
        started = time.perf_counter()
        status = send()
        seconds = time.perf_counter() - started
        service_s = cpu_seconds(service.workers) - before[0]
        store_s = cpu_seconds([service.store_pid]) - before[1]
        done.set()
    return Action(name, panes, status, seconds, service_s, store_s, scans)


def _scan_until(
    done: threading.Event, scanner: Api, numbers: Sequence[str], times: list[float]
) -> None:
    """Scan panes until the action is done; append what each scan took, in ms."""
    for pane in numbers:
        for action in ACTIONS:
            if done.is_set():
                return
            started = time.perf_counter()
            scan_until_accepted(scanner, pane, action)
            times.append((time.perf_counter() - started) * 1000)
