"""The report: what was done on the day and checked, and every problem that was found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from demo.client import Record, Response
from demo.panes import Pane, Scan, scan_of

SHOWN_PROBLEMS = 20
#: What is counted of each event, over all screens.
COLUMNS = ("expected", "missing", "too many")


@dataclass
class Report:
    """The counts that all threads of the day share; one problem makes the demo fail.

    `scans` are all accepted scans, `refused` counts the deliberately wrong requests by
    kind, `actions` everything else that was done. `events` has, by the name of the event,
    the counts that `COLUMNS` names.
    """

    url: str
    stage: str = "logging in"
    panes: list[Pane] = field(default_factory=list)
    orders_completed: int = 0
    scans: set[Scan] = field(default_factory=set)
    repeated_scans: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    events: dict[str, Counter[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def scanned(self, log: Record) -> None:
        """Count an accepted scan by its log; a repeated scan returns the first one."""
        scan = scan_of(log)
        self.repeated_scans += scan in self.scans
        self.scans.add(scan)

    def expect_refusal(
        self,
        kind: str,
        response: Response,
        status: int,
        message: str = "",
        code: str = "",
    ) -> None:
        """Count a wrong request, which must be refused with this status.

        The message of the response must contain `message`, and its error code be `code`
        if one is given; anything else is a problem.
        """
        self.refused[kind] += 1
        expected = response.status == status and message in response.message
        if not expected or (code and response.code != code):
            received = f"{response.status} {response.message} {response.code}"
            self.problems.append(
                f"{kind}: expected {status} {message!r} {code}, received {received}"
            )

    def progress(self) -> str:
        """The state of the running day in one line."""
        finished, total = self._finished_and_total()
        return (
            f"{self._elapsed_s():5.1f} s  {self.stage:<20}  panes {finished}/{total}"
            f"  scans {len(self.scans)} (+{self.refused.total()} refused)"
            f"  problems {len(self.problems)}"
        )

    def text(self) -> str:
        """The report at the end of the day."""
        return "\n".join([*self._figures(), *self._event_table(), *self._conclusion()])

    def _figures(self) -> Iterator[str]:
        finished, total = self._finished_and_total()
        yield f"The day took {self._elapsed_s():.1f} s on {self.url}."
        yield ""
        yield f"  panes finished      {finished:6} of {total}"
        yield f"  orders completed    {self.orders_completed:6}"
        yield f"  scans accepted      {len(self.scans):6}"
        yield f"  scans repeated      {self.repeated_scans:6}  counted once"
        yield f"  refused             {self.refused.total():6}  wrong on purpose"
        for kind, n in sorted(self.refused.items()):
            yield f"    {kind:<28}{n:4}"
        yield f"  other actions       {self.actions.total():6}"
        for action, n in sorted(self.actions.items()):
            yield f"    {action:<28}{n:4}"
        yield ""

    def _event_table(self) -> Iterator[str]:
        if not self.events:
            return
        yield f"  {'event':<24}" + "".join(f"{name:>10}" for name in COLUMNS)
        rows = [*sorted(self.events.items())]
        for event, counts in [*rows, ("all", sum(self.events.values(), Counter()))]:
            cells = "".join(f"{counts[name]:>10}" for name in COLUMNS)
            yield f"  {event:<24}{cells}"
        yield ""

    def _conclusion(self) -> Iterator[str]:
        if not self.problems:
            yield (
                "Every pane is finished, every order complete, the stock equals its"
                " ledger, every scan has one log"
                + (", every screen received its events once." if self.events else ".")
            )
            return
        yield f"{len(self.problems)} problems:"
        yield from (f"  {problem}" for problem in self.problems[:SHOWN_PROBLEMS])
        if len(self.problems) > SHOWN_PROBLEMS:
            yield f"  … and {len(self.problems) - SHOWN_PROBLEMS} more"

    def _finished_and_total(self) -> tuple[int, int]:
        """The finished panes, and all that must be finished: no scrap, no merged sheets."""
        panes = self.panes
        return sum(one.finished for one in panes), sum(not one.removed for one in panes)

    def _elapsed_s(self) -> float:
        return time.monotonic() - self.started
