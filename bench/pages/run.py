"""Board and station in Chromium: opened slowly, scanned at, and for a whole day.

The slow device has a network of 3 Mbit/s with 80 ms, and a processor six times slower than
this one. The day is its number of events, given quickly: 5 a second make 432,000.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any, NamedTuple

import segno

from bench.chromium import measure_in_chromium
from bench.figures import number, table
from bench.panes import AT_ONCE, create_request
from bench.processes import Service, running_service
from bench.section import Measured

PROGRAM = Path(__file__).with_name("measure.mjs")
TIMEOUT_S = 900
CODE, MODULE_PX = "STDPLUS:PNE-0107", 6


class Size(NamedTuple):
    """How many requests with panes, openings of the board, scans, pictures and events."""

    requests: int
    openings: int
    scans: int
    frames: int
    events: int


WHOLE = Size(requests=12, openings=5, scans=40, frames=100, events=432_000)
QUICK = Size(requests=1, openings=1, scans=3, frames=5, events=18_000)


def section(quick: bool) -> Measured:
    """Measure all on one service."""
    size = QUICK if quick else WHOLE
    with running_service() as service:
        options = _prepare(service, size)
        found = measure_in_chromium(PROGRAM, service, options, TIMEOUT_S)
    opening, scans, day = found["opening"], found["scansMs"], found["day"]
    rows = [
        ("board on a slow device: first paint, ms", opening["paintMs"], 1000),
        ("its lanes, ms", opening["lanesMs"], 2500),
        ("its racks, ms", opening["racksMs"], None),
        ("its lanes when it was open before, ms", opening["keptLanesMs"], None),
        ("station: from the tap to the verdict, p50 ms", scans["p50"], None),
        ("p95", scans["p95"], 400),
        ("camera: to read a picture, p50 ms", found["decodeMs"], 40),
        ("board: heap before a day, MB", day["beforeMB"], None),
        (f"after {size.events:,} events", day["afterMB"], 60),
    ]
    faults = [
        f"{name}: {number(value)}"
        for name, value, limit in rows
        if limit and value > limit
    ]
    cells = [[name, number(value), str(limit or "")] for name, value, limit in rows]
    head = ("pages", "measured", "limit")
    return Measured(list(table(head, cells)), faults=faults)


def _prepare(service: Service, size: Size) -> dict[str, Any]:
    """Create what the pages show; return the options of the program."""
    api = service.admin()
    station = api.get("/api/stations", limit=1)[0]["_id"]
    for _ in range(size.requests):
        create_request(api, station)
    panes = api.get("/api/panes", station=station, status="pending", limit=AT_ONCE)
    return {
        **size._asdict(),
        "station": station,
        "scans": [pane["paneNumber"] for pane in panes[: size.scans]],
        "picture": _picture(),
    }


def _picture() -> str:
    """Return the code of a label as PNG, in base64."""
    buffer = io.BytesIO()
    segno.make(CODE, error="q", micro=False).save(
        buffer, kind="png", scale=MODULE_PX, border=4
    )
    return base64.b64encode(buffer.getvalue()).decode()
