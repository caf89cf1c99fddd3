"""A job of a service: what it takes, and whether others wait meanwhile.

Others are a thread that asks for `GET /api/health` at a fixed rate. A request is due
whether or not the one before has been answered, and its time counts from when it was due:
a service that does not respond for a second delays twenty requests, not one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.costs import reset_most, resident_kb
from bench.figures import number, percentile
from bench.processes import Service
from demo.client import HttpClient

IDLE_S = 3
INTERVAL_S = 0.05


@dataclass(frozen=True)
class Job:
    """The time and processor time of a job, in s; the health's times meanwhile, in ms.

    `memory_mb` is the most that the service had above what it had before.
    """

    name: str
    passed_s: float
    processor_s: float
    p95_ms: float
    longest_ms: float
    memory_mb: float

    HEAD = ("s", "processor s", "health p95 ms", "longest ms", "more MB")

    def cells(self) -> list[str]:
        """Return the row of the table."""
        figures = (self.passed_s, self.processor_s, self.p95_ms, self.longest_ms)
        return [self.name, *map(number, (*figures, self.memory_mb))]


def idle(service: Service) -> Job:
    """Return what happens while the service does nothing."""
    return measure(service, f"nothing, for {IDLE_S} s", lambda: time.sleep(IDLE_S))


def measure(service: Service, name: str, act: Callable[[], object]) -> Job:
    """Carry out a job."""
    pids = service.workers
    start_kb = resident_kb(pids)
    reset_most(pids)
    with _health_times(service.url) as times:
        before, started = service.used(), time.perf_counter()
        act()
        passed_s = time.perf_counter() - started
        used_s = service.used().since(before).service_s
    memory_mb = (resident_kb(pids, most=True) - start_kb) / 1024
    return Job(name, passed_s, used_s, percentile(times, 95), max(times), memory_mb)


@contextmanager
def _health_times(url: str) -> Iterator[list[float]]:
    """Time the health on a thread, as long as the block lasts; the list has the ms."""
    times: list[float] = []
    ended = threading.Event()
    client = HttpClient(url)
    client.send_once("GET", "/api/health")

    def ask() -> None:
        due = time.perf_counter()
        while not (ended.wait(max(0.0, due - time.perf_counter())) and times):
            client.send_once("GET", "/api/health")
            times.append((time.perf_counter() - due) * 1000)
            due += INTERVAL_S

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield times
    finally:
        ended.set()
        thread.join()
