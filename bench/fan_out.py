"""One event to many clients in one room: the time until the last one has read it."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.client_pool import ClientPool
from bench.figures import number, percentile, table
from bench.processes import Service, running_service
from bench.room_client import Client, seq_of
from bench.section import Measured
from demo.client import Api

WHOLE, QUICK = (50, 200, 500, 1000), (50,)  # clients
SERIES, EMITS = 3, 40  # series of so many emits
MIN_INTERVAL_S, INTERVAL_OF_A_CLIENT_S = 0.02, 0.00015  # between emits
SETTLE_S, TIMEOUT_S = 1.0, 60.0
SENT = re.compile(rb'"sent":(\d+)')


@dataclass
class Delivery:
    """The deliveries of one event; times in ns on the monotonic clock."""

    sent: int
    count: int = 0
    last: int = 0


@dataclass
class Row:
    """The emits to so many clients: ms to the last client, processor us for a message."""

    clients: int
    to_last_ms: list[float] = field(default_factory=list)
    us_per_message: list[float] = field(default_factory=list)
    lost: int = 0

    @property
    def us(self) -> float:
        """The processor time of the service for a message, in microseconds."""
        return statistics.median(self.us_per_message)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        times = [percentile(self.to_last_ms, share) for share in (50, 95)]
        return [str(self.clients), *map(number, (*times, self.us)), str(self.lost)]


def section(quick: bool) -> Measured:
    """Measure each number of clients, on a new service each."""
    rows = [_measure(clients) for clients in (QUICK if quick else WHOLE)]
    head = ("clients", "emit to last, p50 ms", "p95 ms", "us/message", "lost")
    faults = [
        f"{row.lost} events to {row.clients} are lost" for row in rows if row.lost
    ]
    return Measured(list(table(head, [row.cells() for row in rows])), faults)


class _Client(Client):
    """A client that only notes that it has received an event."""

    def __init__(self, account: Api, deliveries: dict[int, Delivery]) -> None:
        super().__init__(account, [("join_inventory", None, "inventory")])
        self._deliveries = deliveries

    def on_event(self, packet: bytes) -> None:
        """Count an event, and note the time."""
        seq, sent = seq_of(packet), SENT.search(packet)
        if seq is None or sent is None:
            return
        delivery = self._deliveries.setdefault(seq, Delivery(int(sent[1])))
        delivery.count += 1
        delivery.last = time.monotonic_ns()


def _measure(count: int) -> Row:
    row = Row(count)
    deliveries: dict[int, Delivery] = {}
    with running_service() as service:
        admin = service.admin()
        clients = [_Client(admin, deliveries) for _ in range(count)]
        pool = ClientPool(service.port, clients)
        pool.wait_until_live(TIMEOUT_S)
        pool.serve(SETTLE_S)
        for _ in range(SERIES):
            deliveries.clear()
            _emit_series(row, service, pool, deliveries)
        pool.close()
    return row


def _emit_series(
    row: Row, service: Service, pool: ClientPool, deliveries: Mapping[int, Delivery]
) -> None:
    api = service.admin()
    material = api.get("/api/materials", limit=1)[0]
    interval_s = max(MIN_INTERVAL_S, row.clients * INTERVAL_OF_A_CLIENT_S)
    body = {"data": material, "times": EMITS, "every": interval_s}
    before, end = service.used(), time.monotonic() + TIMEOUT_S
    api.send_once("POST", "/bench/emit", body)

    def is_done() -> bool:
        counts = [one.count for one in deliveries.values()]
        return sum(counts) == EMITS * row.clients or time.monotonic() > end

    pool.run(is_done)
    used_s = service.used().since(before).service_s
    messages = EMITS * row.clients
    row.us_per_message.append(used_s * 1e6 / messages)
    row.to_last_ms += [(one.last - one.sent) / 1e6 for one in deliveries.values()]
    row.lost += messages - sum(one.count for one in deliveries.values())
