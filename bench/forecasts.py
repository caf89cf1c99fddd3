"""What a forecast of a large request costs, and whether others wait meanwhile.

The workshop makes 300 panes a day, which pass five stations each, with three scans at each:
the logs of the last 30 days are read. 600 panes are on the floor, and those of the request.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from bench import job
from bench.figures import number, table
from bench.job import Job
from bench.many_panes import ManyPanes
from bench.processes import Service, running_service
from bench.section import Measured
from glassflow.core.process import clock

WHOLE, QUICK = 9000, 600  # panes of the last 30 days
OPEN, PANES_OF_REQUEST, QUICK_REQUEST = 600, 500, 50
EVERY_S, STAY_S, ROUTE_LENGTH = 288, 1400, 5
ROUNDS = 5
MAX_S, MAX_DELAY_MS = 3.0, 20.0


def section(quick: bool) -> Measured:
    """Measure the forecast of a request, as things are and as they would be."""
    count = QUICK if quick else WHOLE
    panes = QUICK_REQUEST if quick else PANES_OF_REQUEST
    with running_service() as service:
        found = service.database["stations"].find(limit=ROUTE_LENGTH)
        stations = [row["_id"] for row in found]
        ManyPanes(count, stations, is_open=lambda n: n >= count - OPEN).store(service)
        rows = list(_logs(count, stations))
        for start in range(0, len(rows), 5000):
            service.database["pane_logs"].insert_many(rows[start : start + 5000])
        jobs = list(_measure(service, stations, panes))
    head = (f"{panes} panes, {len(rows):,} logs", *Job.HEAD)
    lines = table(head, [one.cells() for one in jobs])
    return Measured(list(lines), list(_faults(jobs)))


def _faults(jobs: Sequence[Job]) -> Iterator[str]:
    idle, *forecasts = jobs
    for one in forecasts:
        if one.passed_s / ROUNDS > MAX_S:
            yield f"{one.name}: {number(one.passed_s / ROUNDS)} s, not {MAX_S:g}"
        delay_ms = one.p95_ms - idle.p95_ms
        if delay_ms > MAX_DELAY_MS:
            yield f"{one.name}: others wait {number(delay_ms)} ms, not {MAX_DELAY_MS:g}"


def _measure(
    service: Service, stations: Sequence[ObjectId], panes: int
) -> Iterator[Job]:
    api = service.admin()
    customer = str(service.database["customers"].find_one()["_id"])
    body = {
        "customer": customer,
        "details": {"type": "windows", "quantity": panes},
        "panes": [{"routing": [*map(str, stations)]}] * panes,
    }
    path = f"/api/requests/{api.post('/api/requests', **body)['_id']}/forecast"

    def ask(what_if: dict[str, Any] | None = None) -> None:
        for _ in range(ROUNDS):
            answer = api.post(path, whatIf=what_if)
            assert answer["dates"], answer

    yield job.idle(service)
    yield job.measure(service, f"{ROUNDS} forecasts", ask)
    yield job.measure(
        service, f"{ROUNDS} times what if this were first", lambda: ask({"first": True})
    )


def _logs(count: int, stations: Sequence[ObjectId]) -> Iterator[dict[str, Any]]:
    """Yield the logs of panes that came one after the other, until now."""
    chosen = random.Random(1)
    begin = clock.now() - timedelta(seconds=EVERY_S * count)
    for n in range(count):
        pane, at = ObjectId(), begin + timedelta(seconds=EVERY_S * n)
        for step, station in enumerate(stations):
            began = at + timedelta(seconds=chosen.uniform(0, STAY_S / 2))
            ended = began + timedelta(seconds=chosen.uniform(0, STAY_S / 2))
            is_last = step == len(stations) - 1
            log = {"pane": pane, "station": station, "version": 1}
            yield {**log, "action": "start", "arrivedAt": at, **_at(began)}
            yield {**log, "action": "complete", "startedAt": began, **_at(ended)}
            finished = {"takenInAt": begin} if is_last else {}
            yield {
                **log,
                "action": "scan_out",
                "arrivedAt": at,
                **finished,
                **_at(ended),
            }
            at = ended


def _at(moment: datetime) -> dict[str, Any]:
    return {"_id": ObjectId(), "createdAt": moment, "updatedAt": moment}
