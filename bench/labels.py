"""How long labels take, and whether other requests wait.

Makes 1,000 labels as a PDF, and 50 as ZPL, and times `GET /api/health` meanwhile. Beside
the time passed it prints the processor time of the service, which depends less on what
else the machine does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pymongo
import requests
from bson import ObjectId

from bench.costs import cpu_seconds, resident_kb
from bench.figures import number, percentile, table
from bench.health_probe import HealthProbe
from bench.panes import AT_ONCE, create_request
from bench.processes import Service, running_service
from bench.section import Measured

WHOLE, QUICK = 1000, 100  # labels
TIMEOUT_S = 120
#: For 1,000 labels as a PDF, and for the health meanwhile.
MAX_WHOLE_S, MAX_P95_MS = 4, 50


class Labels:
    """A request with many panes, and the labels of its panes."""

    def __init__(self, service: Service, count: int) -> None:
        self._service = service
        api = service.admin()
        self._headers = {"Authorization": f"Bearer {api.token}"}
        station = api.get("/api/stations", limit=1)[0]["_id"]
        self._small, self._request, *others = (
            create_request(api, station)["_id"] for _ in range(1 + count // AT_ONCE)
        )
        with pymongo.MongoClient(service.store) as client:  # as if it were one request
            client["glassflow"]["panes"].update_many(
                {"request": {"$in": [ObjectId(one) for one in others]}},
                {"$set": {"request": ObjectId(self._request)}},
            )

    def whole(self, **query: str) -> None:
        """Make the labels of the whole request."""
        self._make(request=self._request, **query)

    def part(self, **query: str) -> None:
        """Make the labels of a request with fewer panes."""
        self._make(request=self._small, **query)

    def _make(self, **query: str) -> None:
        url = f"{self._service.url}/api/labels"
        answer = requests.get(
            url, params=query, headers=self._headers, timeout=TIMEOUT_S
        )
        assert answer.status_code == 200, answer.text


def measure(service: Service, count: int) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the name of each job with its figures."""
    labels = Labels(service, count)
    jobs = {
        "nothing, for 3 s": lambda: time.sleep(3),
        "the first label, which loads the libraries": lambda: labels.part(
            format="json"
        ),
        f"{count} labels, PDF": lambda: labels.whole(format="pdf"),
        f"{count} labels on L7160, PDF": lambda: labels.whole(layout="L7160"),
        f"{AT_ONCE} labels, ZPL at 203 dpi": lambda: labels.part(format="zpl"),
    }
    for name, act in jobs.items():
        with HealthProbe(service.port) as probe:
            begun, used = time.perf_counter(), cpu_seconds(service.workers)
            act()
            passed = time.perf_counter() - begun
            used = cpu_seconds(service.workers) - used
        p95 = percentile(probe.times, 95) if probe.times else 0.0
        memory_mb = resident_kb(service.workers) / 1024
        yield name, (passed, used, p95, memory_mb)


def section(quick: bool) -> Measured:
    """Measure all jobs on one service."""
    with running_service() as service:
        found = list(measure(service, QUICK if quick else WHOLE))
    rows = [[name, *map(number, figures)] for name, figures in found]
    faults = [
        f"{name}: health p95 {number(p95)} ms"
        for name, (_, _, p95, _) in found
        if p95 > MAX_P95_MS
    ]
    faults += [
        f"{name}: {number(passed)} s"
        for name, (passed, _, _, _) in found
        if passed > MAX_WHOLE_S
    ]
    head = ("labels", "s", "processor s", "health p95 ms", "memory MB")
    return Measured(list(table(head, rows)), faults=faults)
