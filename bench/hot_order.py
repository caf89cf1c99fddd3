"""Eight scanners on one order, beside eight scanners on an order each.

All scans that move a pane change the figures of its order, so those of one order wait for
one another. Both cases run on one service in turns; only their ratios are comparable. The
orders have equally many panes, as the store counts the panes of an order for its figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.figures import number, percentile, table
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import Request, send_shares
from bench.workload import Workload
from demo.client import Api

SCANNERS = 8
WHOLE, QUICK = (10, 6), (2, 1)  # panes a scanner in a round, rounds
ACTIONS = ("scan_in", "complete", "scan_out")
MAX_RATIO = 2.5  # of p99 to p50, the aim for one order
MAX_PROCESSOR_RATIO = 1.25  # of one order to several, the aim for the service


@dataclass
class Case:
    """The times of the scans in ms, and what all of them took, in s."""

    name: str
    times: list[float] = field(default_factory=list)
    service_s: float = 0.0
    store_s: float = 0.0
    aborted: float = 0.0

    def scan(
        self, service: Service, api: Api, shares: Sequence[Sequence[Request]]
    ) -> None:
        """Let each scanner send its scans, all at once."""
        before, aborted = service.used(), _aborted(service)
        self.times += send_shares(api, shares)
        used = service.used().since(before)
        self.service_s += used.service_s
        self.store_s += used.store_s
        self.aborted += _aborted(service) - aborted

    @property
    def ratio(self) -> float:
        """How many times p50 the p99 is."""
        return percentile(self.times, 99) / percentile(self.times, 50)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        times = [percentile(self.times, share) for share in (50, 95, 99)]
        used_ms = [
            1000 * one / len(self.times) for one in (self.service_s, self.store_s)
        ]
        aborted = f"{self.aborted / len(self.times):.2f}"
        return [self.name, *map(number, (*times, self.ratio, *used_ms)), aborted]


def section(quick: bool) -> Measured:
    """Measure both cases."""
    panes, rounds = QUICK if quick else WHOLE
    with running_service() as service:
        one, several = _measure(service, panes, rounds)
    times = "p50 ms", "p95", "p99", "p99/p50"
    head = ("scans of", *times, "service ms", "store ms", "aborted")
    service_ratio = one.service_s / several.service_s
    ratios = (
        f"One order takes {service_ratio:.2f} times the processor time of the service, and "
        f"{one.store_s / several.store_s:.2f} times that of the store."
    )
    faults = [f"p99 is {one.ratio:.1f} times p50"] if one.ratio > MAX_RATIO else []
    if service_ratio > MAX_PROCESSOR_RATIO:
        faults.append(f"the service takes {service_ratio:.2f} times the processor time")
    return Measured([*table(head, [one.cells(), several.cells()]), "", ratios], faults)


def _aborted(service: Service) -> float:
    """Return how many transactions the service has aborted so far."""
    return service.commands().get("abortTransaction", {}).get("count", 0)


def scans_of(panes: Sequence[str], station: str) -> Iterator[Request]:
    """Yield the scans that take panes through their first station."""
    for pane in panes:
        for action in ACTIONS:
            body = {"action": action, "station": station}
            yield "POST", f"/api/panes/{pane}/scan", body


def _measure(service: Service, panes: int, rounds: int) -> tuple[Case, Case]:
    """Let all scanners scan so many panes each, in turns on one order and on several."""
    api = service.admin()
    workload = Workload(api)
    one, several = Case("one order"), Case(f"{SCANNERS} orders")

    def shares(orders: int) -> list[list[Request]]:
        size = SCANNERS * panes // orders  # of the panes of an order that are scanned
        made = [workload.order(SCANNERS * panes)[1][:size] for _ in range(orders)]
        numbers = [pane for one in made for pane in one]
        return [
            list(scans_of(numbers[n * panes : (n + 1) * panes], workload.route[0]))
            for n in range(SCANNERS)
        ]

    warm_up = Case("what a process does once")
    warm_up.scan(service, api, shares(SCANNERS))
    for _ in range(rounds):
        one.scan(service, api, shares(1))
        several.scan(service, api, shares(SCANNERS))
    return one, several
