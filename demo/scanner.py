"""Scans: sends them, measures their time, and adds the events that they must cause."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from demo.client import Api, NoResponse, Response
from demo.expected_events import ExpectedEvents, Scan
from demo.panes import TrackedPane
from demo.results import Results

LOST_RACE = (400, 409)


class Scanner:
    """Sends scans for any worker. Every method that sends raises `NoResponse`."""

    def __init__(self, expected: ExpectedEvents, results: Results) -> None:
        self.expected = expected
        self.results = results

    def scan(
        self,
        api: Api,
        pane: TrackedPane,
        action: str,
        station: str,
        *,
        code: str = "",
        **fields: str,
    ) -> dict[str, Any] | None:
        """Scan a pane, by `code` if that is not its number; None if it is refused.

        A refusal is a problem. Returns the response's data.
        """
        response = self.send(api, code or pane.number, action, station, **fields)
        if not response.ok:
            reason = f"{response.status} {response.message}"
            self.results.add_problem(f"{action} of {pane.number} was refused: {reason}")
            return None
        self._accept(action, {pane.number: pane}, [response.data])
        return dict(response.data)

    def scan_batch(
        self, api: Api, panes: Sequence[TrackedPane], action: str, station: str
    ) -> bool:
        """Scan several panes in one request; False, and a problem, if it is refused."""
        response = self.send_batch(api, [p.number for p in panes], action, station)
        if not response.ok:
            self.results.add_problem(f"batch {action} was refused: {response.message}")
            return False
        data = response.data
        scanned = [
            {"pane": pane, "log": log}
            for pane, log in zip(data["panes"], data["logs"], strict=True)
        ]
        self._accept(action, {pane.number: pane for pane in panes}, scanned)
        return True

    def race(
        self, apis: Sequence[Api], pane: TrackedPane, action: str, station: str
    ) -> bool:
        """Let several workers send the same scan at once: exactly one must succeed."""
        responses = send_at_once(
            apis, lambda api: self.send(api, pane.number, action, station)
        )
        accepted = [response for response in responses if response.ok]
        for response in accepted[:1]:
            self._accept(action, {pane.number: pane}, [response.data])
        lost = [response for response in responses if response.status in LOST_RACE]
        self.results.refused["lost a race"] += len(lost)
        if len(accepted) != 1 or len(lost) != len(responses) - 1:
            received = ", ".join(f"{r.status} {r.message}" for r in responses)
            self.results.add_problem(f"a race for {pane.number} returned: {received}")
        return bool(accepted)

    def send(
        self, api: Api, code: str, action: str, station: str, **fields: str
    ) -> Response:
        """Send one scan and return the response, accepted or refused."""
        body = {"action": action, "station": station, **fields}
        path = f"/api/panes/{quote(code, safe='')}/scan"
        response = api.send_retrying("POST", path, body)
        self.results.scan_times_ms.append(response.time_ms)
        return response

    def send_batch(
        self, api: Api, numbers: Sequence[str], action: str, station: str
    ) -> Response:
        """Send one batch scan and return the response, accepted or refused."""
        body = {"paneNumbers": list(numbers), "action": action, "station": station}
        return api.send_retrying("POST", "/api/panes/batch-scan", body)

    def _accept(
        self,
        action: str,
        panes: Mapping[str, TrackedPane],
        results: Sequence[Mapping[str, Any]],
    ) -> None:
        scanned = [(panes[result["pane"]["paneNumber"]], result) for result in results]
        new = len(results)
        if action != "laminate":  # its events are added by `LaminationStation`
            scans = [Scan(res["pane"], res["log"], p.station) for p, res in scanned]
            assigned_to = next(pane.assigned_to for pane, _ in scanned)
            new = self.expected.scanned(action, scans, assigned_to)
        for pane, result in scanned:
            pane.update(result["pane"])
        self.results.accepted_scans += new
        self.results.repeated_scans += len(scanned) - new


def send_at_once(
    apis: Sequence[Api], send: Callable[[Api], Response]
) -> list[Response]:
    """Call `send` for each login in a thread of its own and return the responses.

    Raises `NoResponse` if one of them got none.
    """
    responses: list[Response] = []

    def run(api: Api) -> None:
        try:
            responses.append(send(api))
        except NoResponse:
            pass  # reported below, for the missing response

    threads = [threading.Thread(target=run, args=(api,)) for api in apis]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(responses) < len(threads):
        raise NoResponse("requests sent at once were not all answered")
    return responses
