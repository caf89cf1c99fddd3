"""Scans as they are sent: timed, tallied, and entered in the ledger when accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from demo.client import Answer, Api
from demo.expected import Ledger, Scan
from demo.heard import id_of

BUSY = 409  # too many change one order at once: nothing was done, try again
PATIENCE = 3


@dataclass
class Piece:
    """One pane in the day's hands, as the service last described it."""

    n: int
    id: str
    number: str
    qr: str
    order: str
    assigned_to: str
    route: tuple[str, ...]
    station: str
    status: str
    step: int

    @property
    def done(self) -> bool:
        """True once the service says that the pane is finished."""
        return self.status == "completed"

    def follow(self, pane: dict[str, Any]) -> None:
        """Take over what the service says of the pane."""
        self.station = id_of(pane["currentStation"])
        self.status = pane["currentStatus"]
        self.step = int(pane.get("routeIndex") or 0)


@dataclass
class Tally:
    """The figures of the day, and everything that was not as it should be."""

    accepted: int = 0
    repeated: int = 0
    busy: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    millis: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def problem(self, text: str) -> None:
        """Note a fault; one is enough for the day to count as failed."""
        self.problems.append(text)


class Scanner:
    """Sends scans for anybody and keeps the books."""

    def __init__(self, ledger: Ledger, tally: Tally) -> None:
        self.ledger = ledger
        self.tally = tally

    def scan(
        self, api: Api, piece: Piece, action: str, station: str, *, by: str = ""
    ) -> bool:
        """Scan a pane; False, and a problem noted, if the service refuses."""
        answer = self.send(api, by or piece.number, action, station)
        if answer.ok:
            self._accept(action, {piece.number: piece}, [answer.data])
        else:
            told = f"{answer.status} {answer.message}"
            self.tally.problem(f"{action} of {piece.number} was refused: {told}")
        return answer.ok

    def scan_batch(
        self, api: Api, pieces: Sequence[Piece], action: str, station: str
    ) -> bool:
        """Scan several panes at once, all or nothing."""
        answer = self.send_batch(api, [p.number for p in pieces], action, station)
        if not answer.ok:
            self.tally.problem(f"batch {action} was refused: {answer.message}")
            return False
        results = [
            {"pane": pane, "log": log}
            for pane, log in zip(answer.data["panes"], answer.data["logs"], strict=True)
        ]
        self._accept(action, {piece.number: piece for piece in pieces}, results)
        return True

    def race(self, rivals: Sequence[Answer], piece: Piece, action: str) -> bool:
        """Book two answers to one scan by two workers: exactly one may have won."""
        won = [answer for answer in rivals if answer.ok]
        for answer in won[:1]:
            self._accept(action, {piece.number: piece}, [answer.data])
        lost = [answer for answer in rivals if answer.status in (400, 409)]
        self.tally.refused["lost a race"] += len(lost)
        if len(won) != 1 or len(lost) != len(rivals) - 1:
            told = ", ".join(f"{a.status} {a.message}" for a in rivals)
            self.tally.problem(f"a race for {piece.number} ended with: {told}")
        return bool(won)

    def wrong(self, kind: str, answer: Answer, status: int, words: str = "") -> None:
        """Book a scan that had to be refused, with that status and those words."""
        self.tally.refused[kind] += 1
        if answer.status != status or words not in answer.message:
            told = f"{answer.status} {answer.message}"
            self.tally.problem(f"{kind}: {status} {words!r} expected, got {told}")

    def send(self, api: Api, number: str, action: str, station: str) -> Answer:
        """Send one scan, whatever comes of it."""
        body = {"action": action, "station": station}
        answer = self._post(api, f"/api/panes/{quote(number, safe='')}/scan", body)
        self.tally.millis.append(answer.millis)
        return answer

    def send_batch(
        self, api: Api, numbers: Sequence[str], action: str, station: str
    ) -> Answer:
        """Send one batch scan, whatever comes of it."""
        body = {"paneNumbers": list(numbers), "action": action, "station": station}
        return self._post(api, "/api/panes/batch-scan", body)

    def _post(self, api: Api, path: str, body: dict[str, Any]) -> Answer:
        """Send; a 409 asks to try again, and a worker whose phone says so does."""
        for _ in range(PATIENCE):
            answer = api.send("POST", path, body)
            if answer.status != BUSY:
                break
            self.tally.busy += 1
        return answer

    def _accept(
        self,
        action: str,
        pieces: Mapping[str, Piece],
        results: Sequence[Mapping[str, Any]],
    ) -> None:
        scanned = [(pieces[one["pane"]["paneNumber"]], one) for one in results]
        new = self.ledger.scanned(
            action,
            [Scan(one["pane"], one["log"], piece.station) for piece, one in scanned],
            next(piece.assigned_to for piece, _ in scanned),
        )
        for piece, one in scanned:
            piece.follow(one["pane"])
        self.tally.accepted += new
        self.tally.repeated += len(scanned) - new
