"""The counts of the day, and every problem that was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from demo.client import Response


@dataclass
class Results:
    """Counts that all threads of the demo share; one problem makes the demo fail.

    `refused` counts the deliberately wrong requests by kind, `actions` whatever was
    done besides scans: laminations, remakes, claims, withdrawals ...
    """

    accepted_scans: int = 0
    repeated_scans: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    scan_times_ms: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add_problem(self, text: str) -> None:
        """Record a problem."""
        self.problems.append(text)

    def expect_refusal(
        self,
        kind: str,
        response: Response,
        status: int,
        message: str = "",
        code: str = "",
    ) -> None:
        """Count a wrong request, which must be refused with this status.

        The response's message must contain `message`, and its error code be `code` if
        one is given; anything else is a problem.
        """
        self.refused[kind] += 1
        expected = response.status == status and message in response.message
        if not expected or (code and response.code != code):
            received = f"{response.status} {response.message} {response.code}"
            self.add_problem(
                f"{kind}: expected {status} {message!r} {code}, received {received}"
            )

    @property
    def completed_steps(self) -> int:
        """The number of steps done so far; it stands still when the day has stalled."""
        return self.accepted_scans + self.actions.total()
