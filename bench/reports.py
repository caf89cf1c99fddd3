"""How long the Overview and the wall board take to read, in a store of three months.

The store has 24,000 panes, 2,000 of them open, and daily figures of 90 days with their
histograms. Measured is the answer to a request, and the processor time of the store.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from bson import ObjectId
from flask import Flask
from mongoengine.connection import get_db

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.section import ROOT, Measured
from glassflow.app import create_app
from glassflow.core.process import clock
from glassflow.domain.stays import bucket_of
from glassflow.embedded import store as embedded_store
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.role import Role
from glassflow.models.station import Station
from glassflow.models.worker import Worker
from glassflow.services import daily_figures
from glassflow.services.auth import identity
from glassflow.services.prepare import ensure_indexes
from glassflow.settings import load_settings

WHOLE, QUICK = 24_000, 2_400  # panes
OPEN_SHARE = 12  # one pane of so many is open
PANES_PER_ORDER = 40
DAYS, STATIONS = 90, 8
ROUNDS = 15
# What is read, and in how many ms it has to be answered.
TARGETS = {
    "/api/dashboard/stats?chartRange=7d": 150.0,
    "/api/dashboard/stats?chartRange=30d": 150.0,
    "/api/board": 50.0,
}


@dataclass(frozen=True)
class Row:
    """A read: the ms until its answer (median and worst), and the store's processor ms."""

    path: str
    median_ms: float
    worst_ms: float
    processor_ms: float


def section(quick: bool) -> Measured:
    """Fill a store, and measure each read."""
    panes = QUICK if quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        output = subprocess.run(
            [sys.executable, "-m", "bench.reports", str(panes), folder],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    rows = [Row(**row) for row in json.loads(output)]
    return Measured(list(_lines(panes, rows)), faults=list(_faults(rows)))


def _faults(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.median_ms > TARGETS[row.path]:
            yield f"{row.path}: {number(row.median_ms)} ms, target {TARGETS[row.path]:g}"


def _lines(panes: int, rows: Sequence[Row]) -> Iterator[str]:
    head = f"reports of {panes:,} panes", "median ms", "worst ms", "target", "store ms"
    cells = [
        [
            f"`{row.path}`",
            *map(number, (row.median_ms, row.worst_ms, TARGETS[row.path])),
            number(row.processor_ms),
        ]
        for row in rows
    ]
    yield from table(head, cells)


def main() -> None:
    """Measure in a process of its own; prints JSON.

    The arguments are the number of panes and a folder for the store.
    """
    panes, folder = int(sys.argv[1]), sys.argv[2]
    store = embedded_store.start(folder)
    try:
        app = create_app(load_settings("testing", env={"MONGODB_URI": store.uri}))
        ensure_indexes()
        fill(panes)
        rows = [asdict(row) for row in measure(app, store.process.pid)]
    finally:
        store.stop()
    print(json.dumps(rows))


def measure(app: Flask, store_pid: int) -> Iterator[Row]:
    """Yield each read."""
    role = Role(name="Admin", slug="admin", permissions=["*"]).save()
    worker = Worker(name="A", username="a", role=role.pk, position="b").save()
    headers = {"Authorization": f"Bearer {identity.issue(worker.pk)}"}
    client = app.test_client()
    for path in TARGETS:
        client.get(path, headers=headers)
        times, cpu = [], cpu_seconds([store_pid])
        for _ in range(ROUNDS):
            begun = time.monotonic()
            answer = client.get(path, headers=headers)
            times.append((time.monotonic() - begun) * 1000)
            assert answer.status_code == 200, answer.text
        used_ms = (cpu_seconds([store_pid]) - cpu) * 1000 / ROUNDS
        yield Row(path, sorted(times)[ROUNDS // 2], max(times), used_ms)


def fill(panes: int) -> None:
    """Store stations, requests, orders, panes and the figures of the days."""
    stations = [
        Station(name=f"Station {n}", template_id=ObjectId()).save().pk
        for n in range(STATIONS)
    ]
    orders = [ObjectId() for _ in range(panes // PANES_PER_ORDER)]
    closed = len(orders) - len(orders) // OPEN_SHARE
    for place, order in enumerate(orders):
        _order(order, is_open=place >= closed)
    for start in range(0, panes, 1000):
        numbers = range(start, min(start + 1000, panes))
        Pane._get_collection().insert_many(
            _pane(n, stations, orders, closed) for n in numbers
        )
    get_db()[daily_figures.COLLECTION].insert_many(_days(panes, stations))


def _order(id: ObjectId, *, is_open: bool) -> None:
    now, status = clock.now(), "in_progress" if is_open else "completed"
    request = Request(
        pk=id,
        request_number=f"REQ-{id}",
        customer=ObjectId(),
        details={"type": "window", "quantity": PANES_PER_ORDER, "estimatedPrice": 9000},
        deadline=now + timedelta(days=3),
        status="in_progress",
    )
    order = Order(
        pk=id,
        order_number=f"ORD-{id}",
        request=id,
        customer=ObjectId(),
        material=ObjectId(),
        quantity=PANES_PER_ORDER,
        status=status,
    )
    for record in (request, order):
        record.stamp()
        record._get_collection().insert_one(dict(record.to_mongo()))


def _pane(
    n: int, stations: list[ObjectId], orders: list[ObjectId], closed: int
) -> dict[str, Any]:
    place, now = n // PANES_PER_ORDER, clock.now()
    is_open = place >= closed
    pane = Pane(
        pk=ObjectId(),
        created_at=now - timedelta(hours=1, days=DAYS * (1 - place / len(orders))),
        arrived_at=now if is_open else None,
        completed_at=None if is_open else now,
        pane_number=f"PNE-{n:05d}",
        qr_code=f"STDPLUS:PNE-{n:05d}",
        order=orders[place],
        request=orders[place],
        material=ObjectId(),
        current_station=stations[n % STATIONS] if is_open else None,
        current_status="in_progress" if is_open else "completed",
        routing=stations,
        dimensions={"width": 900, "height": 1200, "thickness": 6, "area": 1_080_000},
    )
    pane.stamp()
    return dict(pane.to_mongo())


def _days(panes: int, stations: list[ObjectId]) -> Iterator[dict[str, Any]]:
    """Yield figures as those panes make them, each of which passes all stations."""
    chosen, today = random.Random(1), clock.now().date()
    for age in range(DAYS):
        counts: Counter[str] = Counter()
        for _ in range(panes // DAYS):
            hour = chosen.randrange(8, 17)
            counts.update((f"takenIn:{hour}", f"finished:{hour}"))
            for station in stations:
                bucket = bucket_of(chosen.lognormvariate(9, 1))  # hours
                counts[f"arrived:{station}"] += 1
                counts[f"left:{station}"] += 1
                counts[f"stays:{station}:{bucket}"] += 1
        yield {"_id": (today - timedelta(age)).isoformat(), **counts}


if __name__ == "__main__":
    main()
