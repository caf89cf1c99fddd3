"""A start, and the service at rest: time, memory, a socket, and what it asks the store."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.client_pool import ClientPool
from bench.costs import resident_kb
from bench.figures import number, table
from bench.processes import Service
from bench.room_client import Client
from bench.section import Measured

SETTLE_S = 2.0
IDLE_S, CONNECT_TIMEOUT_S = 10.0, 60.0
# A second, to the store, of a process without requests: it reads the outbox twice, and
# reads and renews its lease once. The margin is for tokens, which are checked again.
MAX_IDLE_COMMANDS = 5.0
WHOLE, QUICK = 1000, 50  # sockets


def section(quick: bool) -> Measured:
    """Start a service twice, connect clients, and count what an idle one asks."""
    sockets = QUICK if quick else WHOLE
    with TemporaryDirectory(prefix="glassflow-bench-") as folder:
        service = Service(Path(folder))
        try:
            first_start_s = _start_s(service)
            service.stop()
            start_s = _start_s(service)
            time.sleep(SETTLE_S)
            service_mb = resident_kb(service.workers) / 1024
            store_mb = resident_kb([service.store_pid]) / 1024
            more_mb, idle_per_s = _with_sockets(service, sockets)
        finally:
            service.stop()
    socket_kb = 1024 * more_mb / sockets
    rows = {
        "first start with demo data, s": first_start_s,
        "start on existing data, s": start_s,
        "memory of the service at rest, MB": service_mb,
        "memory of the embedded store, MB": store_mb,
        f"memory a socket, of {sockets}, KB": socket_kb,
        f"commands to the store a second with {sockets} idle sockets": idle_per_s,
    }
    cells = [[name, number(value)] for name, value in rows.items()]
    faults = []
    if idle_per_s > MAX_IDLE_COMMANDS:
        faults.append(f"an idle process sends {idle_per_s:.1f} commands a second")
    return Measured(list(table(("at rest", "measured"), cells)), faults)


def _start_s(service: Service) -> float:
    started = time.monotonic()
    service.start()
    return time.monotonic() - started


def _commands(service: Service) -> float:
    return sum(one["count"] for one in service.commands().values())


def _with_sockets(service: Service, count: int) -> tuple[float, float]:
    """Return the memory of so many sockets, in MB, and the commands a second beside them."""
    pids, admin = service.workers, service.admin()
    before_kb = resident_kb(pids)
    joins = [("join_inventory", None, "inventory")]
    clients = [Client(admin, joins) for _ in range(count)]
    pool = ClientPool(service.port, clients)
    pool.wait_until_live(CONNECT_TIMEOUT_S)
    pool.serve(SETTLE_S)
    more_mb = (resident_kb(pids) - before_kb) / 1024
    before = _commands(service)
    pool.serve(IDLE_S)
    idle_per_s = (_commands(service) - before) / IDLE_S
    pool.close()
    return more_mb, idle_per_s
