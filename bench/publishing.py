"""What it costs to publish, with one process and with four.

Both services run at the same time, each on a store of its own, and take turns: other load
on the machine affects both. Batches are put into the outbox as other programs do it, so
that only publishing is measured, and the looks of the processes that do not publish.
"""

from __future__ import annotations

import statistics
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pymongo
import requests

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.outbox import Outbox
from bench.processes import Service
from bench.section import Measured
from demo.client import Api

PROCESSES = (1, 4)
STREAMS = 32  # of each service
WHOLE, QUICK = (1_000, 5), (100, 1)  # batches in a turn, turns
MAX_RATIO = 1.1  # of four processes to one; a few percent are the looks of the others


class Publishers:
    """A service with so many processes, and what its turns have cost."""

    def __init__(self, folder: Path, processes: int) -> None:
        self.processes = processes
        self.seconds: list[float] = []  # processor time of each turn
        self._service = Service(folder, {"WORKERS": processes})
        self._service.start()
        self._pids = [*self._service.workers, self._service.store_pid]
        self._client: pymongo.MongoClient[dict[str, object]] = pymongo.MongoClient(
            self._service.store
        )
        self._outbox = Outbox(self._service.store)
        self._start_all(self._service.admin())

    def _start_all(self, api: Api) -> None:
        """Open streams, the same number to each service: a process works from its first."""
        headers = {
            "Authorization": f"Bearer {api.token}",
            "Accept": "text/event-stream",
        }
        self._streams = [
            requests.get(f"{api.url}/api/events", headers=headers, stream=True)
            for _ in range(STREAMS)
        ]

    def take_turn(self, count: int) -> None:
        """Publish batches, and measure the processor time of processes and store."""
        message = {"event": "notification", "data": {"title": "bench"}}
        entry = {"is": "Message", **message, "stations": ["bench"], "workers": []}
        batches = [{"at": datetime.now(UTC), "entries": [entry]} for _ in range(count)]
        before = cpu_seconds(self._pids)
        self._client["glassflow"]["outbox"].insert_many(batches)
        self._outbox.wait_until_published()
        self.seconds.append(cpu_seconds(self._pids) - before)

    def stop(self) -> None:
        """Stop the service."""
        for stream in self._streams:
            stream.close()
        self._client.close()
        self._outbox.close()
        self._service.stop()


def section(quick: bool) -> Measured:
    """Measure in turns."""
    batches, turns = QUICK if quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        services: list[Publishers] = []
        try:
            for count in PROCESSES:
                services.append(Publishers(Path(folder) / str(count), count))
            for _ in range(turns):
                for service in services:
                    service.take_turn(batches)
        finally:
            for service in services:
                service.stop()
    medians = [statistics.median(service.seconds) for service in services]
    ratio = medians[-1] / medians[0]
    head = ("processes", f"processor s of {batches} batches", "least", "ratio")
    rows = [
        [
            str(one.processes),
            *map(number, (median, min(one.seconds), median / medians[0])),
        ]
        for one, median in zip(services, medians, strict=True)
    ]
    faults = [f"four processes cost {ratio:.2f} times one"] if ratio > MAX_RATIO else []
    return Measured(list(table(head, rows)), faults=faults)
