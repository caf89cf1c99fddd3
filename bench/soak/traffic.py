"""What the workshop does meanwhile, at a steady rate, through REST."""

from __future__ import annotations

import itertools
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from demo.client import Api, NoAnswer

PANES = 3  # a request
WAYS = 2  # stations that each pane passes
STEPS = ("scan_in", "complete", "scan_out")


@dataclass
class Traffic:
    """Some workers who order, scan and claim; `acknowledged` is what has to be told.

    An acknowledged change is named by the event that tells of it and the id in there.
    """

    admins: list[Api]
    rate: float  # changes a second, all workers together
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    requests: int = 0
    unanswered: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    _over: threading.Event = field(default_factory=threading.Event)
    _running: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Begin, each worker in a thread of its own."""
        api = self.admins[0]
        self.stations = [one["_id"] for one in api.get("/api/stations", limit=100)]
        self.customer = api.get("/api/customers", limit=1)[0]["_id"]
        self.material = api.get("/api/materials", limit=1)[0]["_id"]
        for admin in self.admins:
            thread = threading.Thread(target=self._work, args=(admin,), daemon=True)
            self._running.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stop as soon as what is under way is answered."""
        self._over.set()
        for thread in self._running:
            thread.join()

    def _work(self, api: Api) -> None:
        for number in itertools.count():
            try:
                self._job(api, number)
            except (NoAnswer, _Refused):
                continue  # nobody knows what became of the job; another one
            except _Over:
                return

    def _job(self, api: Api, number: int) -> None:
        """An order from the desk to the end of its way, with a claim now and then."""
        ways = [random.sample(self.stations, WAYS) for _ in range(PANES)]
        asked = {
            "customer": self.customer,
            "details": {"type": "soak", "quantity": PANES},
            "panes": [{"routing": way} for way in ways],
        }
        made = self._do(api, "POST", "/api/requests", asked)
        self._told("request:updated", made)
        ordered = {
            "customer": self.customer,
            "material": self.material,
            "quantity": PANES,
            "request": made["_id"],
        }
        self._told("order:updated", self._do(api, "POST", "/api/orders", ordered))
        if number % 5 == 0:
            note = {"name": f"soak {number}"}
            self._do(api, "PATCH", f"/api/materials/{self.material}", note)
        query = {"request": made["_id"], "limit": PANES, "sort": "paneNumber"}
        for pane, way in zip(api.get("/api/panes", **query), ways, strict=True):
            self._pass(api, pane["paneNumber"], way)
        if number % 2:
            claim = {
                "paneNumber": pane["paneNumber"],
                "source": "customer",
                "description": "soak",
                "reportedBy": api.id,
            }
            made = self._do(api, "POST", "/api/claims/from-pane", claim)
            self._told("claim:updated", made)

    def _pass(self, api: Api, number: str, way: list[str]) -> None:
        for station, action in itertools.product(way, STEPS):
            body = {"action": action, "station": station}
            said = self._do(api, "POST", f"/api/panes/{number}/scan", body)
            self._told("log:updated", said["log"])

    def _told(self, event: str, record: dict[str, Any]) -> None:
        self.acknowledged.add((event, record["_id"]))

    def _do(self, api: Api, method: str, path: str, body: dict[str, Any]) -> Any:
        pause = random.expovariate(self.rate / len(self.admins))
        if self._over.wait(pause):
            raise _Over
        try:
            answer = api.insist(method, path, body)
        except NoAnswer:
            self.unanswered += 1
            api.wait_until_back()
            raise
        self.requests += 1
        if not answer.ok:
            said = f"{answer.status} {method} {answer.message}"
            self.refused[said] = self.refused.get(said, 0) + 1
            time.sleep(0.2)
            raise _Refused
        return answer.data


class _Refused(Exception):
    """What was asked for is not to be had."""


class _Over(Exception):
    """The day is over."""
