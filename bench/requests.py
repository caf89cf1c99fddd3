"""How long single requests take in a workshop with many panes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from demo.client import Api

PANES = 10_000
PER_REQUEST = 100  # panes made with one request
ROUNDS = 100


def fill(api: Api, station: str, customer: str) -> None:
    """Put the panes in the store that every measured request has to live with."""
    details = {"type": "bench", "quantity": PER_REQUEST}
    panes = [{"routing": [station]}] * PER_REQUEST
    for _ in range(PANES // PER_REQUEST):
        api.post("/api/requests", customer=customer, details=details, panes=panes)


def measure(api: Api) -> Iterator[tuple[str, list[float]]]:
    """Yield each kind of request with its times in ms."""
    stations = [s["_id"] for s in api.get("/api/stations", sort="createdAt")]
    customer = api.get("/api/customers", limit=1)[0]["_id"]
    material = api.get("/api/materials", limit=1)[0]["_id"]
    fill(api, stations[0], customer)
    yield "GET /api/health", _times(lambda _: api.get("/api/health"))
    yield "GET /api/panes?limit=20", _times(lambda _: api.get("/api/panes", limit=20))
    populated = {"limit": 20, "populate": "true"}
    yield "the same, populated", _times(lambda _: api.get("/api/panes", **populated))

    def request(count: int) -> dict[str, Any]:
        details = {"type": "bench", "quantity": count}
        panes = [{"routing": stations[:2]}] * count
        made: dict[str, Any] = api.post(
            "/api/requests", customer=customer, details=details, panes=panes
        )
        return made

    yield "POST /api/requests, 20 panes", _times(lambda _: request(20))
    made = request(ROUNDS)
    order = {"customer": customer, "material": material, "quantity": ROUNDS}
    api.post("/api/orders", request=made["_id"], **order)
    numbers = [
        pane["paneNumber"]
        for pane in api.get("/api/panes", request=made["_id"], limit=ROUNDS)
    ]
    for action in ("scan_in", "complete", "scan_out"):
        yield (
            f"scan {action}",
            _times(
                lambda i, action=action: api.post(  # type: ignore[misc]
                    f"/api/panes/{numbers[i]}/scan", action=action, station=stations[0]
                )
            ),
        )
    batch = {"paneNumbers": numbers[:50], "action": "start", "station": stations[1]}
    yield (
        "batch-scan of 50",
        _times(lambda _: api.post("/api/panes/batch-scan", **batch)),
    )


def _times(act: Callable[[int], Any]) -> list[float]:
    found = []
    for index in range(ROUNDS):
        begun = time.perf_counter()
        act(index)
        found.append((time.perf_counter() - begun) * 1000)
    return found


def table(rows: list[tuple[str, list[float]]]) -> Iterator[str]:
    """Give the lines of the table; the ratio is of the medians."""
    usual = statistics.median(rows[0][1])
    yield f"{'request':32} {'p50 ms':>8} {'p95 ms':>8} {'ratio':>7}"
    for name, times in rows:
        p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        yield f"{name:32} {p50:8.2f} {p95:8.2f} {p50 / usual:7.1f}"
