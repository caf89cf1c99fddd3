"""What an export of many rows costs, and whether others wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench import job
from bench.figures import number, table
from bench.job import Job
from bench.many_panes import ManyPanes
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import download

WHOLE, QUICK = 100_000, 4000  # panes
MAX_MEMORY_MB, MAX_DELAY_MS = 60, 50


def section(quick: bool) -> Measured:
    """Measure the exports of one list."""
    count = QUICK if quick else WHOLE
    with running_service() as service:
        stations = [row["_id"] for row in service.database["stations"].find()]
        ManyPanes(count, stations).store(service)
        jobs = list(_measure(service))
    lines = table((f"{count} panes", *Job.HEAD), [one.cells() for one in jobs])
    return Measured(list(lines), list(faults(jobs)))


def faults(jobs: Sequence[Job]) -> Iterator[str]:
    """Yield the limits that an export has not kept; the first job does nothing."""
    idle, *exports = jobs
    for one in exports:
        if one.memory_mb > MAX_MEMORY_MB:
            yield f"{one.name}: {number(one.memory_mb)} MB, not {MAX_MEMORY_MB}"
        delay_ms = one.p95_ms - idle.p95_ms
        if delay_ms > MAX_DELAY_MS:
            yield f"{one.name}: others wait {number(delay_ms)} ms, not {MAX_DELAY_MS}"


def _measure(service: Service) -> Iterator[Job]:
    api = service.admin()

    def read(path: str) -> None:
        download(api, f"/api/panes{path}")

    yield job.idle(service)
    yield job.measure(service, "a page of the list", lambda: read(""))
    yield job.measure(service, "CSV", lambda: read("/export.csv"))
    yield job.measure(service, "XLSX", lambda: read("/export.xlsx"))
    yield job.measure(service, "XLSX again", lambda: read("/export.xlsx"))
