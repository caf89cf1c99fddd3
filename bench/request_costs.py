"""The table of requests: round trips, times, and processor time of service and store.

With another commit, the service of that commit is measured in turns with this one, each on
a store of its own: other load on the machine affects both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from bench.figures import number, percentile, table
from bench.processes import Processor, Service, running_service
from bench.scenarios import SCENARIOS, Scenario
from bench.section import ROOT, Measured
from bench.timing import Request, send_at_once
from bench.workload import PANES_AT_ONCE, Workload

CONCURRENCY = 8
ALONE = 4  # requests, one after another, whose round trips are counted
WARM_UPS = 4  # requests before the first turn: they fill the caches
MIN_ROUNDS = 4  # of a slow scenario, in a turn
IDLE_S = 3.0


class Size(NamedTuple):
    """How much is measured: panes in the store, turns, and requests in a turn."""

    panes: int
    turns: int
    rounds: int


WHOLE = Size(panes=10_000, turns=5, rounds=40)
QUICK = Size(panes=300, turns=2, rounds=8)  # to try whether it works


@dataclass
class Row:
    """The results of a scenario: times in ms, processor time in s.

    `trips` are the round trips of a request alone, and of one of several at once. The
    processor times are for `requests` requests, also that of the other commit.
    """

    scenario: str
    trips_alone: float = 0.0
    trips_at_once: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    requests: int = 0
    service_s: float = 0.0
    store_s: float = 0.0
    other_s: float = 0.0

    def cells(self, *, with_ratio: bool) -> list[str]:
        """Return the row of the table."""
        trips = [self.trips_alone, mean(self.trips_at_once)]
        times = [number(percentile(self.times, share)) for share in (50, 95, 99)]
        used_s = self.service_s + self.store_s
        cells = [f"{one:.1f}" for one in trips] + [*times, self._ms(used_s)]
        if with_ratio:
            cells += [self._ms(self.other_s), f"{used_s / self.other_s:.2f}"]
        return [self.scenario, *cells]

    def _ms(self, seconds: float) -> str:
        return number(1000 * seconds / self.requests)


class Side:
    """A service with what the scenarios need."""

    def __init__(self, service: Service, panes: int) -> None:
        self.service = service
        self.workload = Workload(service.admin())
        for start in range(0, panes, PANES_AT_ONCE):
            self.workload.request(
                min(PANES_AT_ONCE, panes - start), [self.workload.far_station]
            )

    def send(self, requests: Sequence[Request], at_once: int) -> list[float]:
        """Send requests and wait until all is published; return the times in ms."""
        times = send_at_once(self.workload.api, requests, at_once)
        self.service.wait_until_published()
        return times

    def used_by(self, requests: Sequence[Request]) -> Processor:
        """Send requests at once; return the processor time that they take."""
        before = self.service.used()
        self.send(requests, CONCURRENCY)
        return self.service.used().since(before)


class RoundTrips:
    """Counts the commands of a service to its store, without those when it is idle."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._idle_per_s = 0.0
        before = self.so_far()
        time.sleep(IDLE_S)
        self._idle_per_s = self.since(before) / IDLE_S

    def so_far(self) -> tuple[float, float]:
        """Return the commands so far, and the time in s."""
        commands = sum(one["count"] for one in self._service.commands().values())
        return commands, time.monotonic()

    def since(self, before: tuple[float, float]) -> float:
        """Return the commands after an earlier reading."""
        commands, seconds = (b - a for a, b in zip(before, self.so_far(), strict=True))
        return max(commands - self._idle_per_s * seconds, 0.0)


def section(quick: bool) -> Measured:
    """Measure all scenarios."""
    return compare("", quick)


def compare(against: str, quick: bool) -> Measured:
    """Measure all scenarios, in turns with the service of another commit if one is named."""
    rows = list(_measure_all(QUICK if quick else WHOLE, against))
    head = ["request", "trips alone", "trips at once", "p50 ms", "p95 ms", "p99 ms"]
    head.append("service ms")
    if against:
        head += [f"{against} ms", "ratio"]
    cells = [row.cells(with_ratio=bool(against)) for row in rows]
    return Measured(list(table(head, cells)))


def _measure_all(size: Size, against: str) -> Iterator[Row]:
    """Measure the scenarios one after another; print each row once it is known."""
    with ExitStack() as cleanup:
        side = Side(cleanup.enter_context(running_service()), size.panes)
        other = None
        if against:
            service = cleanup.enter_context(service_of(against))
            other = Side(service, size.panes)
        round_trips = RoundTrips(side.service)
        for scenario in SCENARIOS:
            row = Row(scenario.name)
            _measure(row, scenario, size, side, other, round_trips)
            cells = row.cells(with_ratio=bool(against))
            print("  ".join(cells), file=sys.stderr, flush=True)
            yield row


def _measure(
    row: Row,
    scenario: Scenario,
    size: Size,
    side: Side,
    other: Side | None,
    round_trips: RoundTrips,
) -> None:
    """Measure a scenario in turns, fewer requests of slow ones."""
    rounds = max(round(size.rounds * scenario.share), MIN_ROUNDS)
    count = WARM_UPS + ALONE + 2 * rounds * size.turns
    left = iter(scenario.requests(side.workload, count))
    side.send(_take(left, WARM_UPS), CONCURRENCY)
    before = round_trips.so_far()
    for request in _take(left, ALONE):
        side.send([request], 1)
    row.trips_alone = round_trips.since(before) / ALONE
    if other:
        count = WARM_UPS + rounds * size.turns
        others = iter(scenario.requests(other.workload, count))
        other.send(_take(others, WARM_UPS), CONCURRENCY)
    for _ in range(size.turns):
        row.times += side.send(_take(left, rounds), 1)
        before = round_trips.so_far()
        service_s, store_s = side.used_by(_take(left, rounds))
        row.trips_at_once.append(round_trips.since(before) / rounds)
        row.requests += rounds
        row.service_s += service_s
        row.store_s += store_s
        if other:
            row.other_s += sum(other.used_by(_take(others, rounds)))


def _take(left: Iterator[Request], count: int) -> list[Request]:
    return [next(left) for _ in range(count)]


@contextmanager
def service_of(commit: str) -> Iterator[Service]:
    """Run the service of another commit, from a work tree that exists meanwhile."""
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--detach", str(tree), commit)
        # Python does not put the present directory before the packages of that tree.
        settings = {"PYTHONPATH": tree, "PYTHONSAFEPATH": "1"}
        try:
            with running_service(settings, app="wsgi:app") as service:
                yield service
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=sys.stderr)
