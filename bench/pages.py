"""The pages in Chromium: first pictures, a scan at a station, and a busy wall board.

And the processor time that a load takes of a browser: with one file for each area, as
`make pages` joins them, beside the modules as they are written. The slow device has an empty cache, a network of 3 Mbit/s with 80 ms, and a processor six
times slower than this one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures import number, table
from bench.processes import Service, running_service
from bench.section import Measured
from bench.workload import Workload
from demo.workshop import demo_passwords

PROGRAM = Path(__file__).with_suffix(".mjs")
TIMEOUT_S = 600
KB = 1024
MAX_VERDICT_MS, MAX_SHOWN_MS, MAX_TASK_MS = 400, 250, 100
MAX_LOAD = 0.6  # of the same load as written, with an empty cache
ELEMENT = {"id": "number", "type": "text", "x": 5, "y": 5, "content": "{{paneNumber}}"}


#: Beyond a page without files; the files are fetched, or kept by the browser.
LOADS = ("a load, processor s", "fetched", "as written", "share")
LOADS += ("kept", "as written", "share")


class Size(NamedTuple):
    """Openings and loads of each page; scans; events a second on the board, for how many s."""

    openings: int
    loads: int
    scans: int
    rate: int
    seconds: int


WHOLE = Size(openings=5, loads=9, scans=40, rate=500, seconds=12)
QUICK = Size(openings=1, loads=1, scans=3, rate=50, seconds=2)


class Page(NamedTuple):
    """An address, and what is there with the first picture and with all of it."""

    path: str
    first: str
    all: str
    anonymous: bool = False


def section(quick: bool) -> Measured:
    """Measure all on one service, and loads on another one that has the modules as written."""
    size = QUICK if quick else WHOLE
    with running_service() as service:
        found = _run(service, _prepare(service, size))
    with running_service({"BENCH_PAGES": "written"}) as service:
        written = _run(service, {**_prepare(service, size), "isWritten": True})
    limited = list(_limited(found, size))
    cells = [[name, number(value), str(limit or "")] for name, value, limit in limited]
    faults = [
        f"{name}: {number(value)}"
        for name, value, limit in limited
        if limit and value > limit
    ]
    head = ("page", "code, KB", "texts, KB", "files", "first picture, ms", "all, ms")
    rows = [[name, *_opening(one)] for name, one in found["pages"].items()]
    loads = list(_loads(found["loads"], written["loads"]))
    for name, _, _, share, *_ in loads:
        if not quick and float(share) > MAX_LOAD:
            faults.append(f"{name}: {share} of the processor time as written")
    scans = table(("pages", "measured", "limit"), cells)
    return Measured([*table(head, rows), "", *table(LOADS, loads), "", *scans], faults)


def _loads(
    joined: Mapping[str, Mapping[str, float]],
    written: Mapping[str, Mapping[str, float]],
) -> Iterator[list[str]]:
    """Yield the cells of each page: joined, as written, and their ratio, by the cache."""
    for name, found in joined.items():
        cells = [name]
        for cache in ("empty", "kept"):
            mine, other = found[cache], written[name][cache]
            cells += [number(mine), number(other), f"{mine / other:.2f}"]
        yield cells


def _opening(found: Mapping[str, float]) -> list[str]:
    sizes = [number(found[key] / KB) for key in ("code", "texts")]
    return [*sizes, *(f"{found[key]:.0f}" for key in ("files", "first", "all"))]


def _limited(
    found: Mapping[str, Any], size: Size
) -> Iterator[tuple[str, float, int | None]]:
    """Yield what is measured on open pages, with its limit if it has one."""
    scans, board = found["scans"], found["board"]
    events = f"board, {size.rate} events a second"
    yield "station: from the tap to the verdict, p50 ms", scans["p50"], None
    yield "p95", scans["p95"], MAX_VERDICT_MS
    yield f"{events}: to the screen, p50 ms", board["p50"], None
    yield "p95", board["p95"], MAX_SHOWN_MS
    yield "the longest task, ms", board["longestTaskMs"], MAX_TASK_MS
    yield "heap, MB", board["heapMB"], None


def _prepare(service: Service, size: Size) -> dict[str, Any]:
    """Create what the pages show; return the options of the program."""
    workload = Workload(service.admin())
    station = workload.route[0]
    order, numbers = workload.order(max(size.scans, 50))
    template = workload.api.post(
        "/api/sticker-templates",
        name="A label",
        width=60,
        height=40,
        elements=[ELEMENT],
    )["_id"]
    office = "/floor/office"
    pages = {
        "login": Page("/floor/", "#username", "#password", anonymous=True),
        "board": Page("/floor/board", ".lanes .count b", ".lanes .rack"),
        "a station": Page(f"/floor/s/{station}", ".station .ready", ".queue li"),
        "an order": Page(
            f"{office}/orders/{order['_id']}", ".office .summary", ".office .group li"
        ),
        "the designer of a label": Page(
            f"{office}/labels/{template}", ".designer", ".designer .tool"
        ),
    }
    return {
        **size._asdict(),
        "pages": {name: page._asdict() for name, page in pages.items()},
        "station": station,
        "scans": numbers[: size.scans],
    }


def _run(service: Service, options: Mapping[str, object]) -> Any:
    """Return what the program measures as the admin of a service.

    It gets the options as JSON in `MEASURE`. It needs Node.js, Chromium and the packages
    of `tests/node`; raises `RuntimeError` without.
    """
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None or shutil.which("node") is None:
        raise RuntimeError("it needs Chromium and Node.js")
    login = {"username": "admin", "password": demo_passwords()["admin"]}
    given = {"chromium": chromium, "url": service.url, **login, **options}
    done = subprocess.run(
        ["node", PROGRAM],
        env=os.environ | {"MEASURE": json.dumps(given)},
        stdout=subprocess.PIPE,
        timeout=TIMEOUT_S,
        check=True,
    )
    return json.loads(done.stdout)
