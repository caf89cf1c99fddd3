"""How long the morning page, the Overview and the wall board take to read, after three months.

The store has 24,000 panes, 2,000 of them open, and daily figures of 90 days with their
histograms. Measured is the answer to a request, and the processor time of the store.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from bson import ObjectId

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.many_panes import ManyPanes
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import timed_ms
from glassflow.core.process import clock
from glassflow.domain.stays import bucket_of
from glassflow.services import daily_figures

WHOLE, QUICK = 24_000, 2_400  # panes
OPEN_SHARE = 12  # one pane of so many is open, the newest ones
DAYS, STATIONS = 90, 8
ROUNDS = 15
# What is read, and in how many ms it has to be answered.
TARGETS = {
    "/api/dashboard/today": 150.0,
    "/api/dashboard/stats?chartRange=7d": 150.0,
    "/api/dashboard/stats?chartRange=30d": 150.0,
    "/api/board": 50.0,
}


def section(quick: bool) -> Measured:
    """Fill a store, and measure each read."""
    count = QUICK if quick else WHOLE
    closed = count - count // OPEN_SHARE
    with running_service() as service:
        found = service.database["stations"].find(limit=STATIONS)
        stations = [row["_id"] for row in found]
        ManyPanes(count, stations, is_open=lambda n: n >= closed).store(service)
        figures = service.database[daily_figures.COLLECTION]
        figures.delete_many({})  # those of the demo
        figures.insert_many(_days(count, stations))
        rows = {path: _measure(service, path) for path in TARGETS}
    head = (
        f"reports of {count:,} panes",
        "median ms",
        "worst ms",
        "target",
        "store ms",
    )
    cells = [
        [f"`{path}`", *map(number, (median, worst, TARGETS[path], store))]
        for path, (median, worst, store) in rows.items()
    ]
    faults = [
        f"{path}: {number(median)} ms, target {TARGETS[path]:g}"
        for path, (median, _, _) in rows.items()
        if median > TARGETS[path]
    ]
    return Measured(list(table(head, cells)), faults)


def _measure(service: Service, path: str) -> tuple[float, float, float]:
    """Return the median and the longest ms of a read, and the store's processor ms."""
    api = service.admin()
    api.get(path)
    before = cpu_seconds([service.store_pid])
    times = [timed_ms(api, "GET", path) for _ in range(ROUNDS)]
    used_s = cpu_seconds([service.store_pid]) - before
    return sorted(times)[ROUNDS // 2], max(times), 1000 * used_s / ROUNDS


def _days(panes: int, stations: Sequence[ObjectId]) -> Iterator[dict[str, Any]]:
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
