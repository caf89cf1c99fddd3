"""500 events a second on the wall board, in Chromium.

The events are made in the page, so that what is measured is the board: from the moment a
socket hands it an event until the event is drawn.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bench.chromium import measure_in_chromium
from bench.figures import number, table
from bench.processes import running_service
from bench.section import Measured

PROGRAM = Path(__file__).with_name("measure.mjs")
TIMEOUT_S = 180
MAX_P95_MS, MAX_TASK_MS = 250, 100


class Size(NamedTuple):
    """Events a second, and for how many seconds."""

    rate: int
    seconds: int


WHOLE, QUICK = Size(rate=500, seconds=12), Size(rate=50, seconds=2)


def section(quick: bool) -> Measured:
    """Open the board of a service in Chromium."""
    size = QUICK if quick else WHOLE
    with running_service() as service:
        found = measure_in_chromium(PROGRAM, service, size._asdict(), TIMEOUT_S)
    delays, frames = found["delayMs"], found["frameMs"]
    rows = [
        ("from the socket to the screen, p50 ms", delays["p50"], ""),
        ("p95", delays["p95"], str(MAX_P95_MS)),
        ("p99", delays["p99"], ""),
        ("frame, p95 ms", frames["p95"], ""),
        ("tasks of more than 50 ms", found["longTasks"], ""),
        ("the longest, ms", found["longestTaskMs"], str(MAX_TASK_MS)),
        ("heap, MB", found["heapMB"], ""),
    ]
    faults = [
        f"{name}: {value}"
        for name, value, limit in rows
        if limit and value > int(limit)
    ]
    head = (f"{size.rate} events a second for {size.seconds} s", "measured", "limit")
    cells = [[name, number(value), limit] for name, value, limit in rows]
    return Measured(list(table(head, cells)), faults=faults)
