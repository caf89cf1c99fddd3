"""How long labels take, and whether other requests wait.

Makes 1,000 labels as a PDF, and 50 as ZPL. The processor time depends less than the time on
what else the machine does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import job
from bench.figures import number, table
from bench.job import Job
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import download
from bench.workload import Workload

WHOLE, QUICK, FEW = 1000, 100, 50  # labels
GLASS = "กระจกนิรภัย ชั้นที่ ๒ สีเขียวตัดแสง 10 มม."
MAX_S, MAX_P95_MS = 4, 50  # of all labels, and of the health meanwhile


def section(quick: bool) -> Measured:
    """Measure all jobs on one service."""
    with running_service() as service:
        jobs = list(_measure(service, QUICK if quick else WHOLE))
    faults = []
    for one in jobs:
        if one.p95_ms > MAX_P95_MS:
            faults.append(f"{one.name}: health p95 {number(one.p95_ms)} ms")
        if one.passed_s > MAX_S:
            faults.append(f"{one.name}: {number(one.passed_s)} s")
    lines = table(("labels", *Job.HEAD), [one.cells() for one in jobs])
    return Measured(list(lines), faults)


def _measure(service: Service, count: int) -> Iterator[Job]:
    workload = Workload(service.admin())
    few, many = (
        workload.request(panes, glassTypeLabel=GLASS)["_id"] for panes in (FEW, count)
    )

    def labels(request: str, **query: str) -> Callable[[], None]:
        def make() -> None:
            download(workload.api, "/api/labels", request=request, **query)

        return make

    yield job.idle(service)
    first = "the first label, which loads the libraries"
    yield job.measure(service, first, labels(few, format="json"))
    yield job.measure(service, f"{count} labels, PDF", labels(many, format="pdf"))
    on_sheets = labels(many, layout="L7160")
    yield job.measure(service, f"{count} labels on L7160, PDF", on_sheets)
    zpl = labels(few, format="zpl")
    yield job.measure(service, f"{FEW} labels, ZPL at 203 dpi", zpl)
