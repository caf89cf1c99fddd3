"""Measures one event to many clients in one room, on several servers in turn."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.costs import cpu_seconds, resident_kb
from bench.fanout.servers import ClientProcess, Server

SERIES = 3  # of emits, in turns, so that the load of the machine affects all servers
EMITS = 40  # in a series
CHANGES = 30
REQUESTS = 200  # timed
EVENTS_PER_S = 10.0  # emitted while requests are timed
SETTLE_S = 1.0
DELIVERY_TIMEOUT_S = 60.0
_numbers = itertools.count(1)


@dataclass
class Result:
    """The figures of one server with a number of clients; times in ms."""

    server: str
    clients: int
    client_kb: float = 0.0  # memory of a client
    emit_to_last: list[float] = field(default_factory=list)
    us_per_message: list[float] = field(default_factory=list)  # processor time
    request_to_last: list[float] = field(default_factory=list)
    idle_requests: list[float] = field(default_factory=list)
    broadcasting_requests: list[float] = field(default_factory=list)
    lost: int = 0  # messages that were not delivered


class Room:
    """A server with its clients in one room, during one measurement."""

    def __init__(self, server: Server, clients: int) -> None:
        self.server = server
        self.connection = server.connect()
        self.clients = ClientProcess()
        self.result = Result(server.name, clients)
        before = resident_kb(server.pids)
        self.clients.call("open", ports=server.ports, count=clients, token=server.token)
        time.sleep(SETTLE_S)
        self.result.client_kb = (resident_kb(server.pids) - before) / clients

    def measure_emits(self) -> None:
        """Emit a series; measure the time to the last client, and processor time."""
        interval_s = max(0.02, self.result.clients * 0.00015)
        before = cpu_seconds(self.server.pids)
        rows = self._wait(self._emit(EMITS, interval_s), EMITS)
        used = cpu_seconds(self.server.pids) - before
        self.result.emit_to_last += [(last - sent) / 1e6 for sent, _, _, last in rows]
        messages = EMITS * self.result.clients
        self.result.us_per_message.append(used * 1e6 / messages)

    def measure_changes(self) -> None:
        """Send requests that cause events; measure the time to the last client."""
        for _ in range(CHANGES):
            number = next(_numbers)
            start = time.monotonic_ns()
            self.server.change(self.connection, number)
            for _, _, _, last in self._wait(number, 1):
                self.result.request_to_last.append((last - start) / 1e6)
            time.sleep(0.01)

    def measure_requests(self) -> None:
        """Time a small request: idle, and while the room receives events."""
        connection = self.server.connect()

        def request() -> None:
            connection.request("GET", self.server.health_path)

        self.result.idle_requests += timed(request)
        with self._broadcasting(int(EVENTS_PER_S * REQUESTS * 0.03)):
            self.result.broadcasting_requests += timed(request)

    @contextmanager
    def _broadcasting(self, times: int) -> Iterator[None]:
        first = self._emit(times, 1 / EVENTS_PER_S)
        yield
        self._wait(first, times)

    def _emit(self, times: int, interval_s: float) -> int:
        numbers = [next(_numbers) for _ in range(times)]
        body = {"first": numbers[0], "times": times, "every": interval_s}
        self.connection.request("POST", "/bench/emit", body)
        return numbers[0]

    def _wait(self, first: int, times: int) -> list[list[int]]:
        """Wait for the deliveries of events; return their rows of `Deliveries`."""
        count = self.result.clients
        expected = {"first": first, "times": times, "count": count}
        answer = self.clients.call("wait", **expected, seconds=DELIVERY_TIMEOUT_S)
        rows: list[list[int]] = list(answer["events"].values())
        self.result.lost += times * count - sum(row[1] for row in rows)
        return rows


def timed(call: Callable[[], object]) -> list[float]:
    """Call a function `REQUESTS` times with pauses; return the times in ms."""
    times = []
    for _ in range(REQUESTS):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1000)
        time.sleep(0.02)
    return times


def share_payload(servers: Sequence[Server], payload: dict[str, object]) -> None:
    """Set the payload that all servers emit."""
    for server in servers:
        server.connect().request("POST", "/bench/payload", payload)


def measure(
    servers: Sequence[Server], clients: int, *, with_emits: bool
) -> list[Result]:
    """Measure the servers with that many clients each, in turns.

    Without `with_emits` only events caused by requests are measured: for two processes,
    because glassflow stores an event to pass it to the second one.
    """
    rooms = [Room(server, clients) for server in servers]
    try:
        for _ in range(SERIES if with_emits else 0):
            for room in rooms:
                room.measure_emits()
        for room in rooms:
            room.measure_changes()
        for room in rooms if with_emits else ():
            room.measure_requests()
        return [room.result for room in rooms]
    finally:
        for room in rooms:
            room.clients.kill()


def p50(times: Sequence[float]) -> float:
    """Return the median; nan without values."""
    return statistics.median(times) if times else float("nan")


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile; nan for fewer than two values."""
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else float("nan")
