"""The office: decides the claims that the floor hands in, each one once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from demo.client import Answer, Api, NoAnswer, Record
from demo.heard import id_of
from demo.pieces import Piece

if TYPE_CHECKING:
    from demo.floor import Floor

VERDICTS: dict[str, dict[str, Any]] = {
    "remade": {"status": "approved", "decision": "destroy"},
    "customer": {"status": "approved", "decision": "destroy"},
    "written off": {"status": "approved", "decision": "keep", "remake": False},
    "rejected": {"status": "rejected"},
}


class Office:
    """Those who may approve; by turns one of them decides, or two at once."""

    def __init__(self, floor: Floor, approvers: Sequence[Api]) -> None:
        self.floor = floor
        self.approvers = approvers
        self.inbox: queue.Queue[tuple[Record, Piece]] = queue.Queue()
        self.decided = 0

    def hand_in(self, claim: Record, piece: Piece) -> None:
        """Lay a pending claim on the desk."""
        self.inbox.put((claim, piece))

    def tend(self, closed: Callable[[], bool]) -> None:
        """Decide claims until the day closes."""
        while not closed():
            try:
                claim, piece = self.inbox.get(timeout=0.2)
            except queue.Empty:
                continue
            try:
                self.decide(claim, piece)
            except NoAnswer:
                self.inbox.put((claim, piece))
            except Exception as error:  # told in the report, and the others go on
                self.floor.tally.problem(f"office: {error!r}")

    def decide(self, claim: Record, piece: Piece) -> None:
        """Decide a claim and let its piece go on, or its remake begin."""
        assert piece.mishap
        verdict = VERDICTS[piece.mishap.kind]
        path = f"/api/claims/{claim['_id']}"
        self.decided += 1
        now = self.approvers[0].get(path)
        if now["status"] == "pending":  # else decided before an interruption
            ask = self._race if self.decided % 2 else self._decide
            answer = ask(path, verdict)
            if answer is None or not answer.ok:
                told = answer and f"{answer.status} {answer.message}"
                self.floor.tally.problem(f"{path} was not decided: {told}")
                return
            now = answer.data
        self._carry_out(now, piece)

    def _decide(self, path: str, verdict: dict[str, Any]) -> Answer:
        approver = self.approvers[self.decided // 2 % len(self.approvers)]
        answer = approver.insist("PATCH", path, verdict)
        other = "approved" if verdict["status"] == "rejected" else "rejected"
        second = self.approvers[0].insist("PATCH", path, {"status": other})
        self.floor.tally.wrong("claim decided again", second, 400)
        return answer

    def _race(self, path: str, verdict: dict[str, Any]) -> Answer | None:
        """Two decide at once: one of them does, the other is told so."""
        answers: list[Answer] = []

        def run(api: Api) -> None:
            try:
                answers.append(api.insist("PATCH", path, verdict))
            except NoAnswer:
                pass

        rivals = [
            threading.Thread(target=run, args=(api,)) for api in self.approvers[:2]
        ]
        for rival in rivals:
            rival.start()
        for rival in rivals:
            rival.join()
        if len(answers) < len(rivals):
            raise NoAnswer(f"a race for {path} was not answered")
        won = [answer for answer in answers if answer.ok]
        if len(won) != 1:
            told = ", ".join(f"{a.status} {a.message}" for a in answers)
            self.floor.tally.problem(f"two decided {path}: {told}")
        self.floor.tally.refused["claim decided by two"] += len(answers) - len(won)
        return won[0] if won else None

    def _carry_out(self, claim: Record, piece: Piece) -> None:
        """Follow the piece where the decision has put it."""
        floor, kind = self.floor, piece.mishap.kind if piece.mishap else ""
        pane = self.approvers[0].get(f"/api/panes/{piece.id}")
        piece.follow(pane)
        floor.ledger.decided(claim, pane, piece.assigned_to)
        floor.tally.done[f"claims {claim['status']}"] += 1
        left = "" if kind == "customer" else id_of(claim["defectStation"])
        remake = id_of(claim["remadePane"])
        if bool(remake) is not (kind in ("remade", "customer")):
            floor.tally.problem(f"{claim['claimNumber']} has the remake {remake!r}")
        piece.written_off = claim["status"] == "approved"
        piece.mishap = None
        if remake:
            made = self.approvers[0].get(f"/api/panes/{remake}")
            floor.remade(piece, made, left=left, notice="claim_approved")
        piece.held = False
        floor.hand_on(piece)
