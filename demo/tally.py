"""The figures of the day, and everything that was not as it should be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from demo.client import Answer


@dataclass
class Tally:
    """What is counted by all at work; one problem is enough for a failed day.

    `done` are the acts besides scans: laminations, remakes, claims, withdrawals …
    """

    accepted: int = 0
    repeated: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    millis: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def problem(self, text: str) -> None:
        """Note a fault."""
        self.problems.append(text)

    def wrong(
        self, kind: str, answer: Answer, status: int, words: str = "", code: str = ""
    ) -> None:
        """Book what had to be refused, with that status, those words and that name."""
        self.refused[kind] += 1
        fits = answer.status == status and words in answer.message
        if not fits or (code and answer.code != code):
            told = f"{answer.status} {answer.message} {answer.code}"
            self.problem(f"{kind}: {status} {words!r} {code} expected, got {told}")

    @property
    def moves(self) -> int:
        """How much has been done so far; a day in which it stands still has stalled."""
        return self.accepted + self.done.total()
