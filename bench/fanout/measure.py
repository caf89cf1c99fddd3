"""What is measured of a server with so many clients in one room."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.costs import kilobytes_of, seconds_of
from bench.fanout.sides import People, Side

SERIES = 3  # of emits, one server after the other, so that both have the same weather
EMITS = 40  # a series
CHANGES = 30
ROUNDS = 200  # requests whose times are taken
LIVELY = 10.0  # events a second while requests are timed
SETTLE = 1.0  # seconds
PATIENCE = 60.0  # seconds
_numbers = itertools.count(1)


@dataclass
class Result:
    """Of one server and so many clients; times in ms."""

    side: str
    clients: int
    kilobytes: float = 0.0  # a client
    emits: list[float] = field(default_factory=list)  # emit to the last client
    microseconds: list[float] = field(default_factory=list)  # of processor, a message
    changes: list[float] = field(default_factory=list)  # request to the last client
    quiet: list[float] = field(default_factory=list)  # requests, nobody emits
    lively: list[float] = field(default_factory=list)  # the same while it is emitting
    lost: int = 0  # deliveries that never came


class Audience:
    """A server with its clients, as they are through one round."""

    def __init__(self, side: Side, clients: int) -> None:
        self.side = side
        self.line = side.line()
        self.people = People()
        self.result = Result(side.name, clients)
        before = kilobytes_of(side.pids)
        self.people.do("open", ports=side.ports, count=clients, token=side.token)
        time.sleep(SETTLE)
        self.result.kilobytes = (kilobytes_of(side.pids) - before) / clients

    def emits(self) -> None:
        """A series of emits of the server's own: how long, and for how much work."""
        every = max(0.02, self.result.clients * 0.00015)
        before = seconds_of(self.side.pids)
        rows = self._series(EMITS, every)
        spent = seconds_of(self.side.pids) - before
        self.result.emits += [(last - sent) / 1e6 for sent, _, _, last in rows]
        self.result.microseconds.append(spent * 1e6 / (EMITS * self.result.clients))

    def changes(self) -> None:
        """Requests that change something: how long until the last client knows."""
        for _ in range(CHANGES):
            number = next(_numbers)
            asked = time.monotonic_ns()
            self.side.change(self.line, number)
            for _, _, _, last in self._heard(number, 1):
                self.result.changes.append((last - asked) / 1e6)
            time.sleep(0.01)

    def requests(self) -> None:
        """Times of a small request: in quiet, and while the room hears events."""
        line = self.side.line()
        ask = lambda: line.ask("GET", self.side.health)  # noqa: E731
        self.result.quiet += timed(ask)
        with self._emitting(int(LIVELY * ROUNDS * 0.03)):
            self.result.lively += timed(ask)

    @contextmanager
    def _emitting(self, times: int) -> Iterator[None]:
        first = self._emit(times, 1 / LIVELY)
        yield
        self._heard(first, times)

    def _series(self, times: int, every: float) -> Sequence[list[int]]:
        return self._heard(self._emit(times, every), times)

    def _emit(self, times: int, every: float) -> int:
        numbers = [next(_numbers) for _ in range(times)]
        order = {"first": numbers[0], "times": times, "every": every}
        self.line.ask("POST", "/bench/emit", order)
        return numbers[0]

    def _heard(self, first: int, times: int) -> list[list[int]]:
        count = self.result.clients
        order = {"first": first, "times": times, "count": count, "seconds": PATIENCE}
        said = self.people.do("wait", **order)
        rows: list[list[int]] = list(said["events"].values())
        self.result.lost += times * count - sum(row[1] for row in rows)
        return rows


def timed(act: Callable[[], object]) -> list[float]:
    """Do something many times with pauses; give the times in ms."""
    found = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        act()
        found.append((time.perf_counter() - begun) * 1000)
        time.sleep(0.02)
    return found


def share_payload(sides: Sequence[Side], payload: dict[str, object]) -> None:
    """Let all servers emit the same."""
    for side in sides:
        side.line().ask("POST", "/bench/payload", payload)


def measure(sides: Sequence[Side], clients: int, *, pure: bool) -> list[Result]:
    """Measure the servers with so many clients each, in turns.

    Without `pure` emits only what requests bring about is measured: for two processes,
    between which an event of glassflow has to be stored.
    """
    audiences = [Audience(side, clients) for side in sides]
    try:
        for _ in range(SERIES if pure else 0):
            for audience in audiences:
                audience.emits()
        for audience in audiences:
            audience.changes()
        for audience in audiences if pure else ():
            audience.requests()
        return [audience.result for audience in audiences]
    finally:
        for audience in audiences:
            audience.people.leave()


def p50(found: Sequence[float]) -> float:
    """The median; nan for nothing."""
    return statistics.median(found) if found else float("nan")


def p95(found: Sequence[float]) -> float:
    """What all but one of twenty are below; nan for too few."""
    return statistics.quantiles(found, n=20)[-1] if len(found) > 1 else float("nan")
