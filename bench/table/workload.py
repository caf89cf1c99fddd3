"""The records that the scenarios use, created through the API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from demo.client import Api, NoResponse, Record

PANES_PER_REQUEST = 100
MAX_PANES_PER_REQUEST = 500
PANES_PER_ORDER = 10
BATCH_SIZE = 50
SHEETS = 2
GLASS = {"glassType": "Tempered", "color": "clear", "thickness": 6}
SIZE = {"width": 800, "height": 600, "thickness": 6}


class Workload:
    """A store with many panes, and new panes in the state that a scan needs."""

    def __init__(self, api: Api, panes: int) -> None:
        self.api = api
        stations = api.get("/api/stations", sort="createdAt", limit=50)
        self.lamination = next(
            row["_id"] for row in stations if row["isLaminateStation"]
        )
        others = [row["_id"] for row in stations if row["_id"] != self.lamination]
        self.route = others[:3]
        self.far_station = others[3]  # where the many panes wait
        self.customer = api.get("/api/customers", limit=1)[0]["_id"]
        self.material = api.get("/api/materials", limit=1)[0]["_id"]
        for start in range(0, panes, PANES_PER_REQUEST):
            self._request(min(PANES_PER_REQUEST, panes - start), [self.far_station])

    def orders(self, panes: int, per_order: int = PANES_PER_ORDER) -> list[Record]:
        """Create orders with so many panes altogether; return them with `panes`."""
        made = []
        for _ in range(-(-panes // per_order)):
            request = self._request(per_order, self.route)
            made.append({**self._order(request), "panes": request["panes"]})
        return made

    def numbers(self, count: int, *actions: str) -> list[str]:
        """Return new panes after these scans, neighbours of different orders."""
        columns = [
            [pane["paneNumber"] for pane in order["panes"]]
            for order in self.orders(count)
        ]
        numbers = _interleaved(columns)[:count]
        for action in actions:
            self.scan_all(numbers, action)
        return numbers

    def scan_all(self, numbers: Sequence[str], action: str, station: str = "") -> None:
        """Scan panes in batches, at the first station of the route."""
        for start in range(0, len(numbers), BATCH_SIZE):
            self._post(
                "/api/panes/batch-scan",
                paneNumbers=list(numbers[start : start + BATCH_SIZE]),
                action=action,
                station=station or self.route[0],
            )

    def complete_units(self, count: int) -> list[str]:
        """Return a sheet of each of so many new units that are ready to be laminated."""
        glass = {**GLASS, "sheetsPerPane": SHEETS}
        route = [self.lamination, *self.route]
        chosen, sheets = [], []
        for _ in range(count):
            request = self._request(1, route, rawGlass=glass)
            self._order(request)
            own = [p for p in request["panes"] if p["laminateRole"] == "sheet"]
            chosen.append(own[0]["paneNumber"])
            sheets += [pane["paneNumber"] for pane in own]
        self.scan_all(sheets, "scan_in", self.lamination)
        return chosen

    def _post(self, path: str, **body: Any) -> Any:
        """Send a POST; repeat it while the service is busy, on a slow machine."""
        while True:
            try:
                return self.api.post(path, **body)
            except NoResponse:
                self.api.wait_until_ready()

    def _request(self, panes: int, route: list[str], **values: Any) -> Record:
        pane = {"routing": route, "dimensions": SIZE, "rawGlass": GLASS, **values}
        details = {"type": "window", "quantity": panes}
        created: Record = self._post(
            "/api/requests",
            customer=self.customer,
            details=details,
            panes=[pane] * panes,
        )
        return created

    def _order(self, request: Record) -> Record:
        created: Record = self._post(
            "/api/orders",
            customer=self.customer,
            material=self.material,
            quantity=request["details"]["quantity"],
            request=request["_id"],
        )
        return created


def _interleaved(columns: Sequence[Sequence[str]]) -> list[str]:
    rows: Iterator[Sequence[Any]] = zip_longest(*columns)
    return [number for row in rows for number in row if number is not None]
