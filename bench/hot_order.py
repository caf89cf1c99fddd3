"""Eight scanners on one order, beside eight scanners on an order each.

All scans that move a pane change the figures of its order, so those of one order wait for
one another. Both cases run on one service in turns; only their ratio is comparable.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from bench.costs import cpu_seconds
from bench.figures import number, percentile, table
from bench.processes import Service, running_service
from bench.section import Measured
from demo.client import Api, NoResponse

SCANNERS = 8
WHOLE, QUICK = (10, 6), (2, 1)  # panes a scanner in a round, rounds
ACTIONS = ("scan_in", "complete", "scan_out")
MAX_TRIES = 10
MAX_RATIO = 4.0  # of p99 to p50, the aim for one order


@dataclass
class Case:
    """The times of the scans in ms by action, and what all of them took, in s."""

    name: str
    times: dict[str, list[float]] = field(
        default_factory=lambda: {action: [] for action in ACTIONS}
    )
    processor_s: float = 0.0
    passed_s: float = 0.0

    @property
    def scans(self) -> list[float]:
        """The times of all scans, in ms."""
        return [one for times in self.times.values() for one in times]

    @property
    def processor_ms(self) -> float:
        """The processor time of service and store for a scan."""
        return 1000 * self.processor_s / len(self.scans)


def section(quick: bool) -> Measured:
    """Measure both cases."""
    panes, rounds = QUICK if quick else WHOLE
    with running_service() as service:
        one, several = measure(service, panes, rounds)
    ratio = percentile(one.scans, 99) / percentile(one.scans, 50)
    faults = [f"p99 is {ratio:.1f} times p50"] if ratio > MAX_RATIO else []
    figures = {"hot_order_scans_per_s": len(one.scans) / one.passed_s}
    return Measured(list(lines((one, several))), figures, faults)


def measure(service: Service, panes: int, rounds: int) -> tuple[Case, Case]:
    """Let all scanners scan so many panes each, in turns on one order and on several."""
    admin = service.admin()
    scanners = [service.admin() for _ in range(SCANNERS)]
    one, several = Case("one order"), Case(f"{SCANNERS} orders")
    first = [new_order(admin, 1) for _ in scanners]
    _scan_all(service, scanners, first, Case("what a process does once"))
    for _ in range(rounds):
        numbers = new_order(admin, SCANNERS * panes)
        shares = [numbers[index::SCANNERS] for index in range(SCANNERS)]
        _scan_all(service, scanners, shares, one)
        shares = [new_order(admin, panes) for _ in range(SCANNERS)]
        _scan_all(service, scanners, shares, several)
    return one, several


def lines(cases: Sequence[Case]) -> Iterator[str]:
    """Yield the table: each case, then its actions."""
    rows = []
    for case in cases:
        rows.append([*_cells(case.name, case.scans), number(case.processor_ms)])
        for action, times in case.times.items():
            rows.append([*_cells(f"{case.name}: {action}", times), ""])
    yield from table(
        ("scans of", "p50 ms", "p95", "p99", "p99/p50", "processor ms"), rows
    )


def _cells(name: str, times: Sequence[float]) -> list[str]:
    p50, p95, p99 = (percentile(times, share) for share in (50, 95, 99))
    return [name, *map(number, (p50, p95, p99, p99 / p50))]


def new_order(admin: Api, count: int) -> list[str]:
    """Create an order, and return the numbers of its panes."""
    stations = [row["_id"] for row in admin.get("/api/stations", sort="createdAt")][:2]
    customer = admin.get("/api/customers", limit=1)[0]["_id"]
    material = admin.get("/api/materials", limit=1)[0]["_id"]
    request = admin.post(
        "/api/requests",
        customer=customer,
        details={"type": "bench", "quantity": count},
        panes=[{"routing": stations}] * count,
    )
    admin.post(
        "/api/orders",
        request=request["_id"],
        customer=customer,
        material=material,
        quantity=count,
    )
    return [pane["paneNumber"] for pane in request["panes"]]


def _scan_all(
    service: Service, scanners: list[Api], shares: list[list[str]], case: Case
) -> None:
    """Let each scanner scan its panes through their first station, all at once."""
    processes = [*service.workers, service.store_pid]
    before, started = cpu_seconds(processes), time.monotonic()
    with ThreadPoolExecutor(SCANNERS) as threads:
        done = threads.map(_scan, scanners, shares)
        for action, ms in (one for times in done for one in times):
            case.times[action].append(ms)
    case.passed_s += time.monotonic() - started
    case.processor_s += cpu_seconds(processes) - before


def scan_until_accepted(scanner: Api, pane: str, action: str) -> None:
    """Scan a pane; again if the service was too busy, which is a duplicate at worst."""
    for _ in range(MAX_TRIES):
        try:
            scanner.post(f"/api/panes/{pane}/scan", action=action)
        except NoResponse:
            continue
        return
    raise RuntimeError(f"{pane} could not be scanned")


def _scan(scanner: Api, numbers: list[str]) -> list[tuple[str, float]]:
    times = []
    for pane in numbers:
        for action in ACTIONS:
            started = time.perf_counter()
            scan_until_accepted(scanner, pane, action)
            times.append((action, (time.perf_counter() - started) * 1000))
    return times
