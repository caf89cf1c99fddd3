"""What pages load on a slow device before they show something, in Chromium.

The device has an empty cache, a network of 3 Mbit/s with 80 ms, and a processor six times
slower than this one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bench.chromium import measure_in_chromium
from bench.figures import number, table
from bench.panes import create_request
from bench.processes import Service, running_service
from bench.section import Measured

PROGRAM = Path(__file__).with_suffix(".mjs")
TIMEOUT_S = 600
WHOLE, QUICK = 5, 1  # openings of each page
KB = 1024
ELEMENT = {"id": "number", "type": "text", "x": 5, "y": 5, "content": "{{paneNumber}}"}


class Page(NamedTuple):
    """An address, and what is there with the first picture and with all of it."""

    path: str
    first: str
    all: str
    anonymous: bool = False


def section(quick: bool) -> Measured:
    """Open all pages of one service."""
    with running_service() as service:
        pages = _prepare(service)
        options = {
            "openings": QUICK if quick else WHOLE,
            "pages": {name: page._asdict() for name, page in pages.items()},
        }
        found = measure_in_chromium(PROGRAM, service, options, TIMEOUT_S)
    head = ("page", "code, KB", "texts, KB", "files", "first picture, ms", "all, ms")
    return Measured(list(table(head, [_row(name, found[name]) for name in pages])))


def _row(name: str, found: dict[str, Any]) -> list[str]:
    sizes = [number(found[key] / KB) for key in ("code", "texts")]
    return [name, *sizes, *(f"{found[key]:.0f}" for key in ("files", "first", "all"))]


def _prepare(service: Service) -> dict[str, Page]:
    """Create what the pages show; return them by name."""
    api = service.admin()
    station = api.get("/api/stations", limit=1)[0]["_id"]
    request = create_request(api, station)
    order = api.post(
        "/api/orders",
        request=request["_id"],
        customer=request["customer"],
        material=api.get("/api/materials", limit=1)[0]["_id"],
        quantity=len(request["panes"]),
    )["_id"]
    template = api.post(
        "/api/sticker-templates",
        name="A label",
        width=60,
        height=40,
        elements=[ELEMENT],
    )["_id"]
    return {
        "login": Page("/floor/", "#username", "#password", anonymous=True),
        "board": Page("/floor/board", ".lanes .count b", ".lanes .rack"),
        "a station": Page(f"/floor/s/{station}", ".station .ready", ".queue li"),
        "an order": Page(
            f"/floor/office/orders/{order}", ".office .summary", ".office .group li"
        ),
        "the designer of a label": Page(
            f"/floor/office/labels/{template}", ".designer", ".designer .tool"
        ),
    }
