"""A shift begins: many workers with the right password log in at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from bench.costs import cpu_seconds
from bench.figures import number, percentile, table
from bench.processes import running_service
from bench.section import Measured
from demo.client import Api

WHOLE, QUICK = 25, 5  # workers
PASSWORD = "shift-shift-shift"


def section(quick: bool) -> Measured:
    """Create workers, and let all of them log in at the same moment."""
    count = QUICK if quick else WHOLE
    with running_service() as service:
        names = _create_workers(service.admin(), count)
        before = cpu_seconds(service.workers)
        with ThreadPoolExecutor(count) as threads:
            times = list(threads.map(lambda name: _login_s(service.url, name), names))
        processor_s = (cpu_seconds(service.workers) - before) / count
    accepted = [one for one in times if one is not None]
    faults = [f"{count - len(accepted)} were refused"] if len(accepted) < count else []
    rows = [
        ("accepted", f"{len(accepted)} of {count}"),
        ("p50, s", number(percentile(accepted, 50))),
        ("longest, s", number(max(accepted))),
        ("processor time of the service for one, ms", number(1000 * processor_s)),
    ]
    return Measured(list(table(("logins at once", "measured"), rows)), faults=faults)


def _create_workers(admin: Api, count: int) -> list[str]:
    role = admin.get("/api/roles", limit=1)[0]["_id"]
    names = [f"shift-{number}" for number in range(count)]
    for name in names:
        body = {"name": name, "username": name, "position": "bench"}
        admin.post("/api/workers", **body, password=PASSWORD, role=role)
    return names


def _login_s(url: str, name: str) -> float | None:
    """Return how long a login took; `None` if it was refused."""
    started = time.monotonic()
    try:
        Api.login(url, name, PASSWORD)
    except RuntimeError:
        return None
    return time.monotonic() - started
