"""Scans as they are sent: timed, tallied, and entered in the ledger when accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from demo.client import Answer, Api
from demo.expected import Ledger, Scan
from demo.pieces import Piece
from demo.tally import Tally


class Scanner:
    """Sends scans for anybody and keeps the books. All of it raises `NoAnswer`."""

    def __init__(self, ledger: Ledger, tally: Tally) -> None:
        self.ledger = ledger
        self.tally = tally

    def scan(
        self,
        api: Api,
        piece: Piece,
        action: str,
        station: str,
        *,
        by: str = "",
        **said: str,
    ) -> dict[str, Any] | None:
        """Scan a pane; None, and a problem noted, if the service refuses."""
        answer = self.send(api, by or piece.number, action, station, **said)
        if not answer.ok:
            told = f"{answer.status} {answer.message}"
            self.tally.problem(f"{action} of {piece.number} was refused: {told}")
            return None
        self._accept(action, {piece.number: piece}, [answer.data])
        return dict(answer.data)

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

    def send(
        self, api: Api, number: str, action: str, station: str, **said: str
    ) -> Answer:
        """Send one scan, whatever comes of it."""
        body = {"action": action, "station": station, **said}
        path = f"/api/panes/{quote(number, safe='')}/scan"
        answer = api.insist("POST", path, body)
        self.tally.millis.append(answer.millis)
        return answer

    def send_batch(
        self, api: Api, numbers: Sequence[str], action: str, station: str
    ) -> Answer:
        """Send one batch scan, whatever comes of it."""
        body = {"paneNumbers": list(numbers), "action": action, "station": station}
        return api.insist("POST", "/api/panes/batch-scan", body)

    def _accept(
        self,
        action: str,
        pieces: Mapping[str, Piece],
        results: Sequence[Mapping[str, Any]],
    ) -> None:
        scanned = [(pieces[one["pane"]["paneNumber"]], one) for one in results]
        scans = [Scan(one["pane"], one["log"], p.station) for p, one in scanned]
        new = len(results)
        if action != "laminate":  # the bench enters what else that changes
            assigned_to = next(piece.assigned_to for piece, _ in scanned)
            new = self.ledger.scanned(action, scans, assigned_to)
        for piece, one in scanned:
            piece.follow(one["pane"])
        self.tally.accepted += new
        self.tally.repeated += len(scanned) - new
