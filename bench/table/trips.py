"""Round trips to the store for each scenario, publishing included.

Counted by a service of its own with few records, because counting costs time. What the
service asks by itself while nothing happens is subtracted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from bench.connection import Connection, RequestRefusedError
from bench.outbox import Outbox
from bench.processes import Service, running_service
from bench.table.load import send_all
from bench.table.scenarios import CONCURRENCY, Scenario
from bench.table.workload import Workload

APP = "bench.table.counting:app"
PANES = 200  # so that lists have more than a page
ALONE = 4  # requests, one after another
AT_ONCE = 24  # requests, `CONCURRENCY` at once
IDLE_S = 3.0
Trips = tuple[float, float]  # for a request alone, and at the concurrency


def count_trips(scenarios: Sequence[Scenario]) -> Mapping[str, Trips]:
    """Start a counting service and return the round trips of each scenario."""
    with running_service(app=APP) as service:
        return dict(_all_trips(_CountedService(service), scenarios))


def _all_trips(
    counted: _CountedService, scenarios: Sequence[Scenario]
) -> Iterator[tuple[str, Trips]]:
    for one in scenarios:
        with suppress(RequestRefusedError):  # the cell stays empty
            yield one.name, counted.trips(one)


class _CountedService:
    def __init__(self, service: Service) -> None:
        api = service.admin()
        self._workload = Workload(api, PANES)
        self._connections = [
            Connection(service.port, api.token) for _ in range(CONCURRENCY)
        ]
        self._outbox = Outbox(service.store)
        self._idle_per_s = 0.0
        commands, seconds = self._count(lambda: time.sleep(IDLE_S))
        self._idle_per_s = commands / seconds

    def trips(self, scenario: Scenario) -> Trips:
        """Return the round trips for a request, alone and at the concurrency.

        A request before them fills the caches of the process, such as that of stations.
        """
        count = max(round(AT_ONCE * scenario.share), CONCURRENCY)
        items = list(scenario.items(self._workload, 1 + ALONE + count))
        warm_up, alone, rest = items[:1], items[1 : 1 + ALONE], items[1 + ALONE :]
        self._sent(scenario, warm_up, 1)
        first = sum(self._sent(scenario, [one], 1) for one in alone) / len(alone)
        return first, self._sent(scenario, rest, scenario.at_once) / len(rest)

    def _sent(self, scenario: Scenario, items: Sequence[Any], at_once: int) -> float:
        """Return the commands for these requests, without those of an idle service."""

        def send() -> None:
            send_all(self._connections[:at_once], items, scenario.send)
            self._outbox.wait_until_published()

        commands, seconds = self._count(send)
        return max(commands - self._idle_per_s * seconds, 0.0)

    def _count(self, work: Any) -> tuple[int, float]:
        asked = self._connections[0]
        before, started = commands(asked), time.monotonic()
        work()
        return commands(asked) - before, time.monotonic() - started


def commands(connection: Connection) -> int:
    """Return how many commands the store was sent by a service that counts them."""
    return int(connection.request("GET", "/bench/commands")["commands"])
