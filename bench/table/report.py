"""The table of the requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from bench.figures import number, percentile, table
from bench.table.measure import Row
from bench.table.trips import Trips

HEAD = (
    "request",
    "trips alone",
    "trips at once",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "service ms",
    "floor ms",
    "ratio",
    "target",
    "refused",
)
SCANS = ("scan scan_in", "scan start", "scan complete", "scan scan_out")  # of a pane


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table; times and processor times are for one request."""
    yield from table(HEAD, [cells(row) for row in rows])


def cells(row: Row) -> list[str]:
    """Return the cells of a scenario; empty ones after its name if it failed."""
    if not row.requests:
        return [f"{row.scenario}: {row.error}", *[""] * (len(HEAD) - 1)]
    times = [number(percentile(row.times, share)) for share in (50, 95, 99)]
    costs = [number(one) for one in (row.cpu_ms, row.floor_ms, row.ratio)]
    target = "" if row.max_ratio is None else str(row.max_ratio)
    counts = [target, str(row.refused)]
    return [row.scenario, *_trips(row.trips), *times, *costs, *counts]


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what failed, and which ratios are above their targets."""
    for row in rows:
        if not row.requests:
            yield f"{row.scenario} failed"
        elif row.max_ratio is not None and row.ratio > row.max_ratio:
            yield f"{row.scenario}: {number(row.ratio)} times the floor"


def figures(rows: Sequence[Row]) -> dict[str, float]:
    """Return what a scan costs, if it was measured."""
    by_name = {row.scenario: row for row in rows if row.requests}
    scans = [by_name[name] for name in SCANS if name in by_name]
    found = {}
    if scans:
        found["scan_service_ms"] = mean(row.service_ms for row in scans)
        found["scan_store_ms"] = mean(row.store_ms for row in scans)
    return found


def _trips(trips: Trips | None) -> list[str]:
    return ["", ""] if trips is None else [f"{one:.1f}" for one in trips]
