"""What an export of many rows costs, and whether others wait.

Exports many panes as CSV and as XLSX, and times `GET /api/health` meanwhile. The memory is
the most that the service had above what it had before; the delay is the p95 of the other
requests, less that of a service that does nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self

import pymongo
import requests
from bson import ObjectId

from bench.costs import cpu_seconds, resident_kb
from bench.figures import number, percentile, table
from bench.health_probe import HealthProbe
from bench.processes import Service, running_service
from bench.section import Measured
from glassflow.core.process import clock

ROWS, QUICK, BATCH, PANES_PER_ORDER = 100_000, 4000, 2000, 40
MAX_MEMORY_MB, MAX_DELAY_MS = 60, 50
IDLE_S = 3
CHUNK_BYTES, SAMPLE_S, TIMEOUT_S = 65_536, 0.02, 1200
NOTES = "ส่งของก่อนเที่ยง; โทรก่อนเข้า, =ไม่ใช่สูตร"


class MemoryPeak:
    """Samples the memory of processes inside the block; `mb` is the most above the start."""

    def __init__(self, pids: list[int]) -> None:
        self._pids, self._ended = pids, threading.Event()
        self._start = self._most = resident_kb(pids)
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @property
    def mb(self) -> float:
        """The most memory above that of the start, in MB."""
        return (self._most - self._start) / 1024

    def _sample(self) -> None:
        while not self._ended.wait(SAMPLE_S):
            self._most = max(self._most, resident_kb(self._pids))


def fill(service: Service, rows: int) -> None:
    """Store panes, forty of them for each order."""
    now = clock.now()
    with pymongo.MongoClient[dict[str, Any]](service.store) as client:
        database = client["glassflow"]
        stations = [row["_id"] for row in database["stations"].find({}, {"_id": 1})]
        orders = [ObjectId() for _ in range(-(-rows // PANES_PER_ORDER))]
        numbered = [
            {"_id": one, "orderNumber": f"ORD-B{n}"} for n, one in enumerate(orders)
        ]
        database["orders"].insert_many(numbered)
        for start in range(0, rows, BATCH):
            database["panes"].insert_many(
                _pane(n, orders[n // PANES_PER_ORDER], stations[:5], now)
                for n in range(start, min(start + BATCH, rows))
            )


def _pane(
    n: int, order: ObjectId, routing: list[ObjectId], now: datetime
) -> dict[str, Any]:
    created = now - timedelta(seconds=60 * n)
    return {
        "_id": ObjectId(),
        "createdAt": created,
        "updatedAt": now,
        "version": 1,
        "listed": True,
        "searchText": f"pne-b{n}",
        "searchDigits": [],
        "paneNumber": f"PNE-B{n}",
        "qrCode": f"STDPLUS:PNE-B{n}",
        "order": order,
        "currentStatus": "in_progress",
        "currentStation": routing[n % len(routing)],
        "routing": routing,
        "dimensions": {"width": 1200.5, "height": n % 2000, "thickness": 10, "area": n},
        "glassTypeLabel": "กระจกนิรภัย 10 มม.",
        "notes": NOTES,
        "startedAt": created,
    }


@dataclass(frozen=True)
class Job:
    """What one export took: time and processor time, what others felt, and memory."""

    name: str
    passed_s: float
    processor_s: float
    p95_ms: float
    longest_ms: float
    memory_mb: float

    def cells(self) -> list[str]:
        """Return the row of the table."""
        figures = (self.passed_s, self.processor_s, self.p95_ms, self.longest_ms)
        return [self.name, *map(number, (*figures, self.memory_mb))]


def measure(service: Service) -> Iterator[Job]:
    """Yield what each job took; the first one does nothing."""
    api = service.admin()
    headers = {"Authorization": f"Bearer {api.token}"}
    url = f"{service.url}/api/panes"
    jobs = {
        f"nothing, for {IDLE_S} s": lambda: time.sleep(IDLE_S),
        "a page of the list": lambda: _read(url, headers),
        "CSV": lambda: _read(f"{url}/export.csv", headers),
        "XLSX": lambda: _read(f"{url}/export.xlsx", headers),
        "XLSX again": lambda: _read(f"{url}/export.xlsx", headers),
    }
    for name, act in jobs.items():
        pids = service.workers
        with HealthProbe(service.port) as probe, MemoryPeak(pids) as memory:
            begun, used = time.perf_counter(), cpu_seconds(pids)
            act()
            passed = time.perf_counter() - begun
            used = cpu_seconds(pids) - used
        p95 = percentile(probe.times, 95) if probe.times else 0.0
        yield Job(name, passed, used, p95, max(probe.times, default=0.0), memory.mb)


def _read(url: str, headers: dict[str, str]) -> None:
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_S) as answer:
        assert answer.status_code == 200, answer.text
        for _ in answer.iter_content(CHUNK_BYTES):
            pass


def faults(jobs: Sequence[Job]) -> Iterator[str]:
    """Yield the limits that an export has not kept; the first job does nothing."""
    idle, *exports = jobs
    for job in exports:
        if job.memory_mb > MAX_MEMORY_MB:
            yield f"{job.name}: {number(job.memory_mb)} MB, not {MAX_MEMORY_MB}"
        delay_ms = job.p95_ms - idle.p95_ms
        if delay_ms > MAX_DELAY_MS:
            yield f"{job.name}: others wait {number(delay_ms)} ms, not {MAX_DELAY_MS}"


def section(quick: bool) -> Measured:
    """Measure the exports of one list."""
    rows = QUICK if quick else ROWS
    with running_service() as service:
        fill(service, rows)
        jobs = list(measure(service))
    head = (
        f"{rows} panes",
        "s",
        "processor s",
        "health p95 ms",
        "longest ms",
        "more MB",
    )
    return Measured(
        list(table(head, [job.cells() for job in jobs])), faults=list(faults(jobs))
    )
