"""Eight scanners on one order, beside eight scanners on an order each.

All scans that move a pane change the figures of its order, so those of one order wait for
one another. Both cases run on one service in turns; only their ratio is comparable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.connection import Connection, Request, send_shares
from bench.figures import number, percentile, table
from bench.processes import Service, running_service
from bench.section import Measured
from bench.workload import Workload

SCANNERS = 8
WHOLE, QUICK = (10, 6), (2, 1)  # panes a scanner in a round, rounds
ACTIONS = ("scan_in", "complete", "scan_out")
MAX_RATIO = 4.0  # of p99 to p50, the aim for one order


@dataclass
class Case:
    """The times of the scans in ms, and what all of them took, in s."""

    name: str
    times: list[float] = field(default_factory=list)
    processor_s: float = 0.0

    def scan(
        self,
        service: Service,
        scanners: Sequence[Connection],
        shares: Sequence[Sequence[Request]],
    ) -> None:
        """Let each scanner send its scans, all at once."""
        before = service.used()
        self.times += send_shares(scanners, shares)
        self.processor_s += sum(service.used().since(before))

    @property
    def ratio(self) -> float:
        """How many times p50 the p99 is."""
        return percentile(self.times, 99) / percentile(self.times, 50)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        times = [percentile(self.times, share) for share in (50, 95, 99)]
        processor_ms = 1000 * self.processor_s / len(self.times)
        return [self.name, *map(number, (*times, self.ratio, processor_ms))]


def section(quick: bool) -> Measured:
    """Measure both cases."""
    panes, rounds = QUICK if quick else WHOLE
    with running_service() as service:
        one, several = _measure(service, panes, rounds)
    head = ("scans of", "p50 ms", "p95", "p99", "p99/p50", "processor ms")
    faults = [f"p99 is {one.ratio:.1f} times p50"] if one.ratio > MAX_RATIO else []
    return Measured(list(table(head, [one.cells(), several.cells()])), faults)


def scans_of(panes: Sequence[str], station: str) -> Iterator[Request]:
    """Yield the scans that take panes through their first station."""
    for pane in panes:
        for action in ACTIONS:
            body = {"action": action, "station": station}
            yield "POST", f"/api/panes/{pane}/scan", body


def _measure(service: Service, panes: int, rounds: int) -> tuple[Case, Case]:
    """Let all scanners scan so many panes each, in turns on one order and on several."""
    workload, scanners = Workload(service.admin()), service.connections(SCANNERS)
    one, several = Case("one order"), Case(f"{SCANNERS} orders")

    def shares(orders: int, panes: int) -> list[list[Request]]:
        numbers = [pane for _ in range(orders) for pane in workload.order(panes)[1]]
        size = len(numbers) // SCANNERS
        return [
            list(scans_of(numbers[n * size : (n + 1) * size], workload.route[0]))
            for n in range(SCANNERS)
        ]

    warm_up = Case("what a process does once")
    warm_up.scan(service, scanners, shares(SCANNERS, 1))
    for _ in range(rounds):
        one.scan(service, scanners, shares(1, SCANNERS * panes))
        several.scan(service, scanners, shares(SCANNERS, panes))
    return one, several
