"""How long the embedded store works for a list of panes.

Measures the commands on the panes only, by a listener of the driver, and the processor
time of the store, which does not depend on what else the machine does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from urllib.parse import urlencode

from flask import Flask
from pymongo import monitoring

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.list_store import RARE, Ids, fill, queries
from bench.section import ROOT, Measured
from glassflow.app import create_app
from glassflow.core import deadlines, kept
from glassflow.embedded import store as embedded_store
from glassflow.models import ensure_indexes
from glassflow.models.pane import Pane
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from glassflow.services.records import block_search
from glassflow.settings import load_settings

WHOLE, QUICK = 24_000, 2_000  # panes
ROUNDS = 5
MEASURED_UP_TO_S = 60.0
COLLECTIONS = frozenset({"panes", "panes_search"})
BUILDING = "building the search blocks"


@dataclass
class Recorder(monitoring.CommandListener):
    """The commands on the panes and their search blocks, and how long the store took for them."""

    commands: list[str] = field(default_factory=list)
    ms: float = 0.0
    _of_panes: set[int] = field(default_factory=set)

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """Note a command on the panes or their search blocks."""
        if event.command.get(event.command_name) in COLLECTIONS:
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
        """Begin again."""
        self.commands.clear()
        self.ms = 0.0


@dataclass(frozen=True)
class Row:
    """A list: the store's ms for the first request and the best of the others.

    `answer_s` is how long the first request took altogether. `processor_ms` is the store's
    processor time for one of the others, `commands` what it was asked, `max_ms` the target
    for `then_ms`, if there is one.
    """

    name: str
    first_ms: float
    then_ms: float
    answer_s: float
    processor_ms: float
    commands: Sequence[str]
    max_ms: float | None


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
    by_name = {row.name: row for row in rows}
    rare = by_name[RARE].processor_ms / panes
    figures = {"rare_search_us_per_pane": 1000 * rare}
    return Measured(list(lines(panes, rows)), figures, list(faults(rows)))


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the targets that were missed, and what a service would have answered 503."""
    for row in rows:
        if row.max_ms is not None and row.then_ms > row.max_ms:
            yield f"{row.name}: {number(row.then_ms)} ms, target {row.max_ms:g}"
        if row.name != BUILDING and row.answer_s > deadlines.REQUEST_TIMEOUT_S:
            yield (
                f"{row.name}: {number(row.answer_s)} s for the first one, which a "
                f"service refuses after {deadlines.REQUEST_TIMEOUT_S:g}"
            )


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
            "" if row.max_ms is None else f"{row.max_ms:g}",
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
    # A list that takes longer is measured too; `faults` names it.
    deadlines.REQUEST_TIMEOUT_S = MEASURED_UP_TO_S
    recorder = Recorder()
    monitoring.register(recorder)
    store = embedded_store.start(folder)
    try:
        env = {"MONGODB_URI": store.uri}
        app = create_app(load_settings("testing", env=env))
        ensure_indexes()
        ids = Ids(panes)
        fill(ids)
        rows = [asdict(row) for row in measure(app, recorder, store.process.pid, ids)]
    finally:
        store.stop()
    print(json.dumps(rows))


def measure(app: Flask, recorder: Recorder, store_pid: int, ids: Ids) -> Iterator[Row]:
    """Yield each list, and first what building the search blocks takes."""
    yield _building(recorder, store_pid)
    token = _token()
    client = app.test_client()
    for name, query, max_ms in queries(ids):
        kept.clear()
        times = []
        begun = time.monotonic()
        for turn in range(ROUNDS + 1):
            recorder.clear()
            if turn == 1:
                answer_s = time.monotonic() - begun
                cpu = cpu_seconds([store_pid])
            answer = client.get(
                f"/api/panes?{urlencode(query)}",
                headers={"Authorization": f"Bearer {token}"},
            )
            assert answer.status_code == 200, answer.text
            times.append(recorder.ms)
        cpu = (cpu_seconds([store_pid]) - cpu) * 1000 / ROUNDS
        commands = list(recorder.commands)
        yield Row(name, times[0], min(times[1:]), answer_s, cpu, commands, max_ms)


def _building(recorder: Recorder, store_pid: int) -> Row:
    """Build the search blocks, as the first search does in the background."""
    begun, cpu = time.monotonic(), cpu_seconds([store_pid])
    recorder.clear()
    block_search.build(Pane)
    cpu = (cpu_seconds([store_pid]) - cpu) * 1000
    took_s = time.monotonic() - begun
    commands = [f"{len(recorder.commands)} commands"]
    return Row(BUILDING, recorder.ms, 0.0, took_s, cpu, commands, None)


def _token() -> str:
    role = Role(name="Admin", slug="admin", permissions=["*"]).save()
    worker = Worker(name="A", username="a", role=role.pk, position="b").save()
    token: str = identity.issue(worker.pk)
    return token


if __name__ == "__main__":
    main()
