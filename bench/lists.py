"""How long the embedded store works for a list of panes.

Measures the commands on the panes only, by a listener of the driver, and the processor
time of the store, which does not depend on what else the machine does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from bson import ObjectId
from flask import Flask
from pymongo import monitoring

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.section import ROOT, Measured
from glassflow.app import create_app
from glassflow.core import clock, deadlines, kept
from glassflow.embedded import store as embedded_store
from glassflow.models import ensure_indexes
from glassflow.models.pane import Pane
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from glassflow.settings import load_settings

WHOLE, QUICK = 24_000, 2_000  # panes
LIST_MS, NUMBER_MS, TEXT_MS = 15.0, 10.0, 120.0  # targets for the store's time
RARE = "search, no pane"
PANES_PER_ORDER = 40
SECONDS_PER_PANE = 600
STATIONS, MATERIALS = 12, 40
ROUNDS = 5
NOW = clock.now()
BATCH = 1000
# One of fifty panes is merged into another, one of a hundred a sheet.
STATUSES = ("pending",) * 5 + ("in_progress",) * 3 + ("completed",) * 42


@dataclass
class Recorder(monitoring.CommandListener):
    """The commands on the panes, and how long the store took for them."""

    commands: list[str] = field(default_factory=list)
    ms: float = 0.0
    _of_panes: set[int] = field(default_factory=set)

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """Note a command on the panes."""
        if event.command.get(event.command_name) == "panes":
            self.commands.append(event.command_name)
            self._of_panes.add(event.request_id)

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """Add the time of a command on the panes."""
        if event.request_id in self._of_panes:
            self._of_panes.discard(event.request_id)
            self.ms += event.duration_micros / 1000

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """Forget a command that failed."""
        self._of_panes.discard(event.request_id)

    def clear(self) -> None:
        """Begin anew."""
        self.commands.clear()
        self.ms = 0.0


@dataclass
class Ids:
    """The ids of the records that so many panes refer to."""

    panes: int
    stations: list[ObjectId] = field(
        default_factory=lambda: [ObjectId() for _ in range(STATIONS)]
    )
    materials: list[ObjectId] = field(
        default_factory=lambda: [ObjectId() for _ in range(MATERIALS)]
    )
    orders: list[ObjectId] = field(init=False)

    def __post_init__(self) -> None:
        self.orders = [ObjectId() for _ in range(self.panes // PANES_PER_ORDER)]


@dataclass(frozen=True)
class Row:
    """A list: the store's ms for the first request and the best of the others.

    `processor_ms` is the store's processor time for one of the others, `commands` what it
    was asked, `max_ms` the target for `then_ms`.
    """

    name: str
    first_ms: float
    then_ms: float
    processor_ms: float
    commands: Sequence[str]
    max_ms: float


def section(quick: bool) -> Measured:
    """Fill a store, and measure what each list costs it."""
    panes = QUICK if quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        output = subprocess.run(
            [sys.executable, "-m", "bench.lists", str(panes), folder],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    rows = [Row(**row) for row in json.loads(output)]
    faults = [
        f"{row.name}: {number(row.then_ms)} ms, target {row.max_ms:g}"
        for row in rows
        if row.then_ms > row.max_ms
    ]
    by_name = {row.name: row for row in rows}
    rare = by_name[RARE].processor_ms / panes
    figures = {"rare_search_us_per_pane": 1000 * rare}
    return Measured(list(lines(panes, rows)), figures, faults)


def lines(panes: int, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table."""
    head = (
        f"lists of {panes:,} panes",
        "first ms",
        "then ms",
        "target",
        "processor ms",
        "commands then",
    )
    cells = [
        [
            f"`{row.name}`",
            *map(number, (row.first_ms, row.then_ms)),
            f"{row.max_ms:g}",
            number(row.processor_ms),
            ", ".join(row.commands),
        ]
        for row in rows
    ]
    yield from table(head, cells)


def main() -> None:
    """Measure in a process of its own, as the listener of the driver is for all of it.

    Prints JSON. The arguments are the number of panes and a folder for the store.
    """
    panes, folder = int(sys.argv[1]), sys.argv[2]
    deadlines.REQUEST_TIMEOUT_S = 60.0  # the machine may be busy with something else
    recorder = Recorder()
    monitoring.register(recorder)
    store = embedded_store.start(folder)
    try:
        env = {"MONGODB_URI": store.uri}
        app = create_app(load_settings("testing", env=env))
        ensure_indexes()
        ids = Ids(panes)
        _fill(ids)
        rows = [asdict(row) for row in measure(app, recorder, store.process.pid, ids)]
    finally:
        store.stop()
    print(json.dumps(rows))


def measure(app: Flask, recorder: Recorder, store_pid: int, ids: Ids) -> Iterator[Row]:
    """Yield each list."""
    token = _token()
    client = app.test_client()
    for name, query, max_ms in _queries(ids):
        kept.clear()
        times = []
        for turn in range(ROUNDS + 1):
            recorder.clear()
            if turn == 1:
                cpu = cpu_seconds([store_pid])
            answer = client.get(
                f"/api/panes?{urlencode(query)}",
                headers={"Authorization": f"Bearer {token}"},
            )
            assert answer.status_code == 200, answer.text
            times.append(recorder.ms)
        cpu = (cpu_seconds([store_pid]) - cpu) * 1000 / ROUNDS
        commands = list(recorder.commands)
        yield Row(name, times[0], min(times[1:]), cpu, commands, max_ms)


def _queries(ids: Ids) -> Iterator[tuple[str, dict[str, Any], float]]:
    middle = _created(ids.panes // 2, ids.panes)
    yield "default", {}, LIST_MS
    yield "default, 100 rows", {"limit": 100}, LIST_MS
    yield "page 10", {"page": 10}, LIST_MS
    yield "oldest first", {"sort": "createdAt"}, LIST_MS
    yield "cursor=*", {"cursor": "*"}, LIST_MS
    yield "count=capped", {"count": "capped"}, LIST_MS
    yield "with merged panes", {"includeMerged": "true"}, LIST_MS
    yield "status=pending", {"status": "pending"}, LIST_MS
    yield "status=completed", {"status": "completed"}, LIST_MS
    yield "status_ne=completed", {"status_ne": "completed"}, LIST_MS
    yield "station", {"station": ids.stations[3]}, LIST_MS
    yield "material", {"material": ids.materials[5]}, LIST_MS
    yield "order", {"order": ids.orders[9]}, LIST_MS
    yield "request", {"request": ids.orders[9]}, LIST_MS
    yield "laminateRole=sheet", {"laminateRole": "sheet"}, LIST_MS
    yield "isWithdrawn=true", {"isWithdrawn": "true"}, LIST_MS
    yield "createdAt_lt", {"createdAt_lt": middle.isoformat()}, LIST_MS
    yield "search=PNE-1234", {"search": "PNE-1234"}, NUMBER_MS
    yield "search=01234", {"search": "01234"}, NUMBER_MS
    yield "search, every second pane", {"search": "tempered"}, TEXT_MS
    yield "the same, count=capped", {"search": "tempered", "count": "capped"}, TEXT_MS
    yield "search, 240 panes", {"search": "hole 77"}, TEXT_MS
    yield "the same, count=capped", {"search": "hole 77", "count": "capped"}, TEXT_MS
    yield RARE, {"search": "nothing"}, TEXT_MS
    yield "sort=paneNumber", {"sort": "paneNumber"}, LIST_MS


def _fill(ids: Ids) -> None:
    collection = Pane._get_collection()
    for start in range(0, ids.panes, BATCH):
        numbers = range(start, min(start + BATCH, ids.panes))
        collection.insert_many(_pane(ids, n) for n in numbers)


def _created(n: int, panes: int) -> datetime:
    """The time of a pane: the last one is an hour old."""
    return NOW - timedelta(hours=1, seconds=SECONDS_PER_PANE * (panes - n))


def _pane(ids: Ids, n: int) -> dict[str, Any]:
    number = f"PNE-{n:04d}"
    status = "merged_into" if n % 50 == 7 else STATUSES[n * 7 % len(STATUSES)]
    order = ids.orders[n // PANES_PER_ORDER]
    start = n % STATIONS
    pane = Pane(
        pk=ObjectId(),
        created_at=_created(n, ids.panes),
        pane_number=number,
        qr_code=f"STDPLUS:{number}",
        order=order,
        request=order,
        material=ids.materials[n % MATERIALS],
        current_station=None if status == "completed" else ids.stations[n % STATIONS],
        current_status=status,
        routing=(ids.stations * 2)[start : start + 5],
        laminate_role="sheet" if n % 100 == 8 else "single",
        is_withdrawn=n % 3 == 0,
        glass_type="tempered" if n % 2 else "clear",
        glass_type_label="กระจกนิรภัย 10 มม.",
        notes=f"hole {n % 100}",
    )
    pane.stamp()
    return dict(pane.to_mongo())


def _token() -> str:
    role = Role(name="Admin", slug="admin", permissions=["*"]).save()
    worker = Worker(name="A", username="a", role=role.pk, position="b").save()
    token: str = identity.issue(worker.pk)
    return token


if __name__ == "__main__":
    main()
