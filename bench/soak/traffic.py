"""The changes during a soak: orders, scans and claims through REST at a steady rate."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from demo.client import Api, NoResponse
from demo.keyed_client import KeyedClient

PANES_PER_ORDER = 3
ROUTE_LENGTH = 2  # stations
SCANS = ("scan_in", "complete", "scan_out")
MATERIAL_INTERVAL = 5  # with every fifth order the material is changed
CLAIM_INTERVAL = 2  # every second order gets a claim
REFUSAL_PAUSE_S = 0.2


@dataclass
class Traffic:
    """Threads that make changes, one for each login; their clients are one `KeyedClient`.

    `acknowledged` holds the event name and record id of each acknowledged change: the
    event log must contain all of them.
    """

    logins: list[Api]
    rate: float  # changes a second, all threads together
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    requests: int = 0
    unanswered: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start the threads."""
        api = self.logins[0]
        self._stations = [row["_id"] for row in api.get("/api/stations", limit=100)]
        self._customer = api.get("/api/customers", limit=1)[0]["_id"]
        self._material = api.get("/api/materials", limit=1)[0]["_id"]
        for login in self.logins:
            thread = threading.Thread(target=self._run, args=(login,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stop the threads after their requests in progress."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    @property
    def sent_again(self) -> int:
        """How many POSTs were sent again with their key, because the answer was lost."""
        http = self.logins[0].http
        assert isinstance(http, KeyedClient)
        return http.sent_again

    def _run(self, api: Api) -> None:
        for number in itertools.count():
            try:
                self._process_order(api, number)
            except (NoResponse, _Refused):
                continue  # the state of the order is unknown; start another one
            except _Stopped:
                return

    def _process_order(self, api: Api, number: int) -> None:
        """Create an order with panes, scan them through their routes, maybe claim."""
        routes = [
            random.sample(self._stations, ROUTE_LENGTH) for _ in range(PANES_PER_ORDER)
        ]
        request = self._create_order(api, routes)
        if number % MATERIAL_INTERVAL == 0:
            body = {"name": f"soak {number}"}
            self._send(api, "PATCH", f"/api/materials/{self._material}", body)
        query = {"request": request, "limit": PANES_PER_ORDER, "sort": "paneNumber"}
        for pane, route in zip(api.get("/api/panes", **query), routes, strict=True):
            self._scan(api, pane["paneNumber"], route)
        if number % CLAIM_INTERVAL:
            body = {
                "paneNumber": pane["paneNumber"],
                "source": "customer",
                "description": "soak",
                "reportedBy": api.id,
            }
            claim = self._send(api, "POST", "/api/claims/from-pane", body)
            self._acknowledge("claim:updated", claim)

    def _create_order(self, api: Api, routes: list[list[str]]) -> str:
        """Create a request with one pane for each route, and its order; returns its id."""
        body = {
            "customer": self._customer,
            "details": {"type": "soak", "quantity": len(routes)},
            "panes": [{"routing": route} for route in routes],
        }
        request = self._send(api, "POST", "/api/requests", body)
        self._acknowledge("request:updated", request)
        body = {
            "customer": self._customer,
            "material": self._material,
            "quantity": len(routes),
            "request": request["_id"],
        }
        order = self._send(api, "POST", "/api/orders", body)
        self._acknowledge("order:updated", order)
        return str(request["_id"])

    def _scan(self, api: Api, number: str, route: list[str]) -> None:
        for station, action in itertools.product(route, SCANS):
            body = {"action": action, "station": station}
            data = self._send(api, "POST", f"/api/panes/{number}/scan", body)
            self._acknowledge("log:updated", data["log"])

    def _acknowledge(self, event: str, record: dict[str, Any]) -> None:
        self.acknowledged.add((event, record["_id"]))

    def _send(self, api: Api, method: str, path: str, body: dict[str, Any]) -> Any:
        """Send a request after a random pause and return its data."""
        pause_s = random.expovariate(self.rate / len(self.logins))
        if self._stopped.wait(pause_s):
            raise _Stopped
        try:
            response = api.send_retrying(method, path, body)
        except NoResponse:
            self.unanswered += 1
            api.wait_until_ready()
            raise
        self.requests += 1
        if not response.ok:
            self.refused[f"{response.status} {method} {response.message}"] += 1
            time.sleep(REFUSAL_PAUSE_S)
            raise _Refused
        return response.data


class _Refused(Exception):
    """The service refused a request."""


class _Stopped(Exception):
    """`Traffic.stop` was called."""
