"""Measures the service and the floor in turns, so that other load affects both alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.connection import Connection
from bench.costs import cpu_seconds
from bench.floor.client import Floor
from bench.outbox import Outbox
from bench.processes import Service
from bench.table.load import Sent, send_all
from bench.table.scenarios import CONCURRENCY, Scenario
from bench.table.workload import Workload
from demo.client import Api

MIN_ROUNDS = 4  # of a slow scenario, in a turn
WARM_UPS = 4  # requests of each side before the first turn


@dataclass
class Row:
    """The results of a scenario: times in ms, processor time in s.

    `panes` is how many were in the store, `requests` how many the processor times are for, `refused` how often the service
    was too busy while the times were measured. `trips` are the round trips of a request
    alone and at the concurrency, `max_ratio` is the target of the ratio. A scenario that failed has its `error`, and no more.
    """

    scenario: str
    panes: int = 0
    times: list[float] = field(default_factory=list)
    requests: int = 0
    refused: int = 0
    service_cpu_s: float = 0.0
    store_cpu_s: float = 0.0
    floor_cpu_s: float = 0.0
    trips: tuple[float, float] | None = None
    max_ratio: float | None = None
    error: str = ""

    @property
    def service_ms(self) -> float:
        """Processor time of the service for a request, without the store."""
        return self.service_cpu_s / self.requests * 1000

    @property
    def store_ms(self) -> float:
        """Processor time of the store for a request."""
        return self.store_cpu_s / self.requests * 1000

    @property
    def cpu_ms(self) -> float:
        """Processor time of service and store for a request."""
        return self.service_ms + self.store_ms

    @property
    def floor_ms(self) -> float:
        """Processor time of the bare driver and the store for the same."""
        return self.floor_cpu_s / self.requests * 1000

    @property
    def ratio(self) -> float:
        """How many times the floor the service needs."""
        return self.cpu_ms / self.floor_ms


class Bench:
    """The service and the floor on one store, with what the scenarios need."""

    def __init__(self, service: Service, panes: int) -> None:
        self._service = service
        api: Api = service.admin()
        self.workload = Workload(api, panes)
        self._outbox = Outbox(service.store)
        self._floor = Floor(service.store, api.id)
        self._connections = [
            Connection(service.port, api.token) for _ in range(CONCURRENCY)
        ]

    def close(self) -> None:
        """End the process of the floor."""
        self._floor.stop()
        self._outbox.close()

    def measure(self, scenario: Scenario, turns: int, rounds: int) -> Row:
        """Measure a scenario in turns of so many requests (fewer for slow ones)."""
        panes = self._outbox.panes()
        row = Row(scenario.name, panes, max_ratio=scenario.max_ratio)
        size = max(round(rounds * scenario.share), MIN_ROUNDS)
        items = list(scenario.items(self.workload, 3 * size * turns + 2 * WARM_UPS))
        self._warm_up(scenario, _take(items, 2 * WARM_UPS))
        for _ in range(turns):
            single, service, floor = (_take(items, size) for _ in range(3))
            sent = self._send(scenario, single, scenario.times_at_once)
            row.times += sent.times
            row.refused += sent.refused
            row.requests += size
            self._add_service_cost(row, scenario, service)
            row.floor_cpu_s += self._floor_cost(scenario, floor)
        return row

    def _warm_up(self, scenario: Scenario, items: Sequence[Any]) -> None:
        self._send(scenario, items[:WARM_UPS], scenario.at_once)
        self._floor.run(scenario.floor, items[WARM_UPS:], scenario.at_once)

    def _send(self, scenario: Scenario, items: Sequence[Any], at_once: int) -> Sent:
        return send_all(self._connections[:at_once], items, scenario.send)

    def _add_service_cost(
        self, row: Row, scenario: Scenario, items: Sequence[Any]
    ) -> None:
        workers, store = self._service.workers, [self._service.store_pid]
        service_before, store_before = cpu_seconds(workers), cpu_seconds(store)
        self._send(scenario, items, scenario.at_once)
        self._outbox.wait_until_published()
        row.service_cpu_s += cpu_seconds(workers) - service_before
        row.store_cpu_s += cpu_seconds(store) - store_before

    def _floor_cost(self, scenario: Scenario, items: Sequence[Any]) -> float:
        pids = [self._floor.pid, self._service.store_pid]
        before = cpu_seconds(pids)
        self._floor.run(scenario.floor, items, scenario.at_once)
        return cpu_seconds(pids) - before


def _take(items: list[Any], count: int) -> list[Any]:
    taken, items[:] = items[:count], items[count:]
    return taken
