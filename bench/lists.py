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
from bench.list_store import RARE, WITH_TOTAL_MS, Ids, fill, queries
from bench.section import ROOT, Measured
from glassflow.app import create_app
from glassflow.core.process import deadlines
from glassflow.embedded import store as embedded_store
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from glassflow.services.prepare import ensure_indexes
from glassflow.settings import load_settings

WHOLE, QUICK = 24_000, 2_000  # panes
ROUNDS = 5
MEASURED_UP_TO_S = 60.0
COUNT = "aggregate"  # the command of a count


@dataclass
class Recorder(monitoring.CommandListener):
    """The commands on the panes, and how long the store took for rows and for totals."""

    commands: list[str] = field(default_factory=list)
    rows_ms: float = 0.0
    total_ms: float = 0.0
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
            ms = event.duration_micros / 1000
            if event.command_name == COUNT:
                self.total_ms += ms
            else:
                self.rows_ms += ms

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """Forget a command that failed."""
        self._of_panes.discard(event.request_id)

    def clear(self) -> None:
        """Begin again."""
        self.commands.clear()
        self.rows_ms = self.total_ms = 0.0


@dataclass(frozen=True)
class Row:
    """A list: the store's ms for the rows and for the total.

    Those of the first request, and the best of the others (`then`). `answer_s` is how
    long the first request took altogether. `processor_ms` is the store's processor time for
    one of the others, `commands` what it was asked, `max_ms` the target for the rows, if
    there is one.
    """

    name: str
    first_ms: float
    then_ms: float
    first_total_ms: float
    then_total_ms: float
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
    """Yield the targets that were missed, and what a service would have answered 503.

    A list with a target for its rows has one for rows and total together too.
    """
    for row in rows:
        if row.max_ms is not None:
            most = max(row.max_ms, WITH_TOTAL_MS)
            both_ms = row.then_ms + row.then_total_ms
            if row.then_ms > row.max_ms:
                yield f"{row.name}: {number(row.then_ms)} ms, target {row.max_ms:g}"
            if both_ms > most:
                yield f"{row.name} with its total: {number(both_ms)} ms, target {most:g}"
        if row.answer_s > deadlines.REQUEST_TIMEOUT_S:
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
        "total: first ms",
        "then ms",
        "processor ms",
        "commands then",
    )
    cells = [
        [
            f"`{row.name}`",
            *map(number, (row.first_ms, row.then_ms)),
            "" if row.max_ms is None else f"{row.max_ms:g}",
            *map(number, (row.first_total_ms, row.then_total_ms, row.processor_ms)),
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
    """Yield each list."""
    token = _token()
    client = app.test_client()
    for name, query, max_ms in queries(ids):
        rows_ms, totals_ms = [], []
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
            rows_ms.append(recorder.rows_ms)
            totals_ms.append(recorder.total_ms)
        yield Row(
            name,
            rows_ms[0],
            min(rows_ms[1:]),
            totals_ms[0],
            min(totals_ms[1:]),
            answer_s,
            (cpu_seconds([store_pid]) - cpu) * 1000 / ROUNDS,
            list(recorder.commands),
            max_ms,
        )


def _token() -> str:
    role = Role(name="Admin", slug="admin", permissions=["*"]).save()
    worker = Worker(name="A", username="a", role=role.pk, position="b").save()
    token: str = identity.issue(worker.pk)
    return token


if __name__ == "__main__":
    main()
