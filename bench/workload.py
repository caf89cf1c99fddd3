"""The records that load programs use, created through the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from demo.client import Api, Record

PANES_AT_ONCE = 500  # the longest array of a request
PANES_PER_ORDER = 10
SCANS_AT_ONCE = 50
SHEETS = 2
GLASS = {"glassType": "Tempered", "color": "clear", "thickness": 6}
SIZE = {"width": 800, "height": 600, "thickness": 6}


class Workload:
    """Requests, orders, and new panes in the state that a scan needs."""

    def __init__(self, api: Api) -> None:
        self.api = api
        stations = api.get("/api/stations", sort="createdAt", limit=50)
        self.lamination = next(
            row["_id"] for row in stations if row["isLaminateStation"]
        )
        others = [row["_id"] for row in stations if row["_id"] != self.lamination]
        self.route, self.far_station = others[:3], others[3]
        self.customer = api.get("/api/customers", limit=1)[0]["_id"]
        self.material = api.get("/api/materials", limit=1)[0]["_id"]

    def request(
        self, panes: int, route: Sequence[str] = (), **values: object
    ) -> Record:
        """Create a request and return it with all its panes, which have these values."""
        pane = {"routing": list(route or self.route), "dimensions": SIZE, **values}
        first = min(panes, PANES_AT_ONCE)
        made: Record = self.api.post(
            "/api/requests",
            customer=self.customer,
            details={"type": "window", "quantity": panes},
            panes=[pane] * first,
        )
        for start in range(first, panes, PANES_AT_ONCE):
            more = [pane] * min(PANES_AT_ONCE, panes - start)
            added = self.api.post(f"/api/requests/{made['_id']}/panes", panes=more)
            made["panes"] += added["panes"]
        return made

    def order_body(self, request: Record) -> dict[str, Any]:
        """Return what to send for the order of a request."""
        return {
            "customer": self.customer,
            "material": self.material,
            "quantity": request["details"]["quantity"],
            "request": request["_id"],
        }

    def order(self, panes: int, **values: Any) -> tuple[Record, list[str]]:
        """Create an order; return it, and the numbers of its panes."""
        request = self.request(panes, rawGlass=GLASS, **values)
        created = self.api.post("/api/orders", **self.order_body(request))
        return created, [pane["paneNumber"] for pane in request["panes"]]

    def numbers(self, count: int, *actions: str) -> list[str]:
        """Return new panes after these scans, neighbours of different orders."""
        orders = -(-count // PANES_PER_ORDER)
        columns = [self.order(PANES_PER_ORDER)[1] for _ in range(orders)]
        rows = zip(*columns, strict=True)
        numbers = [number for row in rows for number in row][:count]
        for action in actions:
            self._scan_all(numbers, action, self.route[0])
        return numbers

    def complete_units(self, count: int) -> list[str]:
        """Return a sheet of each of so many new units that are ready to be laminated."""
        glass = {**GLASS, "sheetsPerPane": SHEETS}
        route = [self.lamination, *self.route]
        chosen, sheets = [], []
        for _ in range(count):
            request = self.request(1, route, rawGlass=glass)
            self.api.post("/api/orders", **self.order_body(request))
            own = [p for p in request["panes"] if p["laminateRole"] == "sheet"]
            chosen.append(own[0]["paneNumber"])
            sheets += [pane["paneNumber"] for pane in own]
        self._scan_all(sheets, "scan_in", self.lamination)
        return chosen

    def _scan_all(self, numbers: Sequence[str], action: str, station: str) -> None:
        for start in range(0, len(numbers), SCANS_AT_ONCE):
            batch = list(numbers[start : start + SCANS_AT_ONCE])
            body = {"paneNumbers": batch, "action": action, "station": station}
            self.api.post("/api/panes/batch-scan", **body)
