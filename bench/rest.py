"""A start, and the service at rest: time, memory, a socket, and what it asks the store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.connection import Connection
from bench.costs import resident_kb
from bench.fanout.servers import ClientProcess
from bench.figures import number, table
from bench.processes import Service
from bench.section import Measured
from bench.table.trips import APP, commands

SETTLE_S = 2.0
IDLE_S = 10.0
MAX_IDLE_COMMANDS = 2.0  # a second, to the store, of a process without requests
WHOLE, QUICK = 1000, 50  # sockets


@dataclass(frozen=True)
class AtRest:
    """Starts in s: the first one, with seeds, and a later one. Memory in KB."""

    first_start_s: float
    start_s: float
    service_kb: int
    store_kb: int
    sockets: int
    socket_kb: float
    idle_commands_per_s: float

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        rows = [
            ("first start with demo data, s", number(self.first_start_s)),
            ("start on existing data, s", number(self.start_s)),
            ("memory of the service at rest, MB", number(self.service_kb / 1024)),
            ("memory of the embedded store, MB", number(self.store_kb / 1024)),
            (f"memory a socket, of {self.sockets}, KB", number(self.socket_kb)),
            (
                f"commands to the store a second with {self.sockets} idle sockets",
                number(self.idle_commands_per_s),
            ),
        ]
        yield from table(("at rest", "measured"), rows)

    def faults(self) -> Iterator[str]:
        """Yield what is not good enough."""
        if self.idle_commands_per_s > MAX_IDLE_COMMANDS:
            yield f"an idle process sends {self.idle_commands_per_s:.1f} commands a second"


def section(quick: bool) -> Measured:
    """Start a service twice, connect clients, and count what an idle one asks."""
    sockets = QUICK if quick else WHOLE
    with TemporaryDirectory(prefix="glassflow-bench-") as folder:
        service, counting = Service(Path(folder)), Service(Path(folder), app=APP)
        try:
            first_start_s = _start_s(service)
            service.stop()
            start_s = _start_s(service)
            service_kb, store_kb, socket_kb = _memory(service, sockets)
            service.stop()
            idle = _idle_commands_per_s(counting.start(), sockets)
        finally:
            service.stop()
            counting.stop()
    result = AtRest(
        first_start_s, start_s, service_kb, store_kb, sockets, socket_kb, idle
    )
    figures = {"socket_kb": socket_kb, "service_mb": service_kb / 1024}
    return Measured(list(result.lines()), figures, list(result.faults()))


def _start_s(service: Service) -> float:
    started = time.monotonic()
    service.start()
    return time.monotonic() - started


def _memory(service: Service, sockets: int) -> tuple[int, int, float]:
    """Return the KB of the service, of its store, and of a socket."""
    time.sleep(SETTLE_S)
    service_kb = resident_kb(service.workers)
    store_kb = resident_kb([service.store_pid])
    with _open_sockets(service, sockets):
        socket_kb = (resident_kb(service.workers) - service_kb) / sockets
    return service_kb, store_kb, socket_kb


def _idle_commands_per_s(service: Service, sockets: int) -> float:
    with _open_sockets(service, sockets):
        connection = Connection(service.port)
        before = commands(connection)
        time.sleep(IDLE_S)
        return (commands(connection) - before) / IDLE_S


@contextmanager
def _open_sockets(service: Service, sockets: int) -> Iterator[None]:
    clients = ClientProcess()
    try:
        token = service.admin().token
        clients.call("open", ports=[service.port], count=sockets, token=token)
        time.sleep(SETTLE_S)
        yield
    finally:
        clients.kill()
