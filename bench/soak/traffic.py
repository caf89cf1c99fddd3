"""The changes during a soak: orders, scans and claims through REST at a steady rate."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.workload import Workload
from demo.client import Api, RequestRefused

PANES_PER_ORDER = 3
ROUTE_LENGTH = 2  # stations
SCANS = ("scan_in", "complete", "scan_out")
RATE = 10  # changes a second, all threads together
REFUSAL_PAUSE_S = 0.2


class Traffic:
    """Threads that make changes, one for each login."""

    def __init__(self, logins: Sequence[Api]) -> None:
        self.requests = 0
        self.refused: Counter[str] = Counter()
        self._workload = Workload(logins[0])
        stations = logins[0].get("/api/stations", limit=100)
        self._stations = [row["_id"] for row in stations]
        self._mean_pause_s = len(logins) / RATE
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(login,), daemon=True)
            for login in logins
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop the threads after their requests in progress."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _run(self, api: Api) -> None:
        while True:
            try:
                self._process_order(api)
            except RequestRefused as refused:
                response = refused.response
                self.requests += 1
                self.refused[f"{response.status} {response.message}"] += 1
                time.sleep(REFUSAL_PAUSE_S)
            except _Stopped:
                return

    def _process_order(self, api: Api) -> None:
        """Create an order with panes, scan them through their routes, claim the last."""
        routes = [
            random.sample(self._stations, ROUTE_LENGTH) for _ in range(PANES_PER_ORDER)
        ]
        body = {
            "customer": self._workload.customer,
            "details": {"type": "soak", "quantity": len(routes)},
            "panes": [{"routing": route} for route in routes],
        }
        request = self._post(api, "/api/requests", **body)
        self._post(api, "/api/orders", **self._workload.order_body(request))
        for pane in request["panes"]:
            path = f"/api/panes/{pane['paneNumber']}/scan"
            for station in pane["routing"]:
                for action in SCANS:
                    self._post(api, path, action=action, station=station)
        claim = {
            "paneNumber": pane["paneNumber"],
            "source": "customer",
            "description": "soak",
            "reportedBy": api.id,
        }
        self._post(api, "/api/claims/from-pane", **claim)

    def _post(self, api: Api, path: str, **body: object) -> Any:
        """Send a request after a random pause and return its data."""
        if self._stopped.wait(random.expovariate(1 / self._mean_pause_s)):
            raise _Stopped
        data = api.post(path, **body)
        self.requests += 1
        return data


class _Stopped(Exception):
    """`Traffic.stop` was called."""
