"""What is seen of the day: a screen while it runs, a table and a verdict at its end."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TextIO

from demo.day import Day
from demo.heard import Heard

BAR = 36
SHOWN_FAULTS = 20
CLEAR, HIDE, SHOW = "\x1b[H\x1b[J", "\x1b[?25l", "\x1b[?25h"


class Progress:
    """Shows the day while it runs: one screen redrawn, or now and then a plain line."""

    def __init__(self, day: Day, out: TextIO = sys.stdout) -> None:
        self.day = day
        self.out = out
        self.drawn = out.isatty()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.last = ""

    def __enter__(self) -> Progress:
        self._write(HIDE if self.drawn else "")
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        self._show()
        self._write(SHOW if self.drawn else "")

    def _run(self) -> None:
        while not self.over.wait(0.25 if self.drawn else 2):
            self._show()

    def _show(self) -> None:
        text = CLEAR + "\n".join(screen(self.day)) if self.drawn else line(self.day)
        if text != self.last:
            self.last = text
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()


def line(day: Day) -> str:
    """The state of the day in one plain line."""
    done, total = _done(day)
    return (
        f"{_elapsed(day):5.1f} s  {day.stage:<24}  panes {done}/{total}"
        f"  scans {day.tally.accepted} (+{day.tally.refused.total()} refused)"
        f"  events {_events(day)}"
    )


def screen(day: Day) -> Iterator[str]:
    """The state of the day as a screenful."""
    done, total = _done(day)
    filled = BAR * done // total if total else 0
    tally = day.tally
    yield f"glassflow · a day in the workshop · {day.admin.url} · run {day.run}"
    yield ""
    yield f"  {day.stage:<26} {_elapsed(day):6.1f} s"
    yield f"  panes    {'█' * filled}{'░' * (BAR - filled)} {done}/{total} finished"
    yield f"  orders   {len(day.orders)} of {day.requests}"
    yield (
        f"  scans    {tally.accepted} accepted, {tally.refused.total()} refused as"
        f" they should be, p50 {_percentile(tally.millis, 50):.1f} ms"
    )
    yield f"  events   {_events(day)} heard on {len(day.screens)} screens"
    yield f"  faults   {len(tally.problems)}"
    yield ""
    if day.floor:
        yield "  waiting   done   station"
        for name, waiting in day.floor.queues.items():
            yield f"  {waiting.qsize():7} {day.floor.done_at[name]:6}   {name}"


def finish(day: Day) -> tuple[str, bool]:
    """The closing report, and whether the day was without a fault."""
    rows, event_faults = compare(day)
    done, total = _done(day)
    faults = list(day.tally.problems)
    if done < total:
        faults.append(f"{total - done} of {total} panes are unfinished")
    if not total or not rows:
        faults.append("no pane was made and nothing was heard: the day proves nothing")
    faults += event_faults
    text = "\n".join(
        [*_figures(day, done, total), "", *_table(rows), "", *_say(faults)]
    )
    return text, not faults


def compare(day: Day) -> tuple[dict[str, tuple[int, int, int, int]], list[str]]:
    """Hold what every screen heard against what it had to hear.

    Gives per event name: expected, received, missing, too many; and the faults by name.
    Events about records that are not of this day (somebody else at work) are left out.
    """
    ours = day.ledger.subjects()
    counts: dict[str, Counter[str]] = {}
    faults: list[str] = []
    for each in day.screens:
        expected = day.ledger.for_screen(each)
        heard = Counter({k: n for k, n in each.heard.items() if _is_ours(k, ours)})
        for name, found in (
            ("expected", expected),
            ("received", heard),
            ("missing", expected - heard),
            ("too many", heard - expected),
        ):
            _add(counts, name, found)
            if name in ("missing", "too many"):
                faults += [
                    f"screen {each.name}: {name}: {key}"
                    + (f" ({n} ×)" if n > 1 else "")
                    for key, n in found.items()
                ]
    columns = ("expected", "received", "missing", "too many")
    rows = {event: tuple(count[c] for c in columns) for event, count in counts.items()}
    return rows, faults  # type: ignore[return-value]


def _is_ours(key: Heard, ours: frozenset[str]) -> bool:
    return not key.subject or key.subject in ours


def _add(counts: dict[str, Counter[str]], column: str, found: Counter[Heard]) -> None:
    for key, n in found.items():
        counts.setdefault(key.event, Counter())[column] += n


def _figures(day: Day, done: int, total: int) -> Iterator[str]:
    tally = day.tally
    yield f"The day took {day.seconds:.1f} s on {day.admin.url}."
    yield ""
    yield f"  panes finished      {done:6} of {total}"
    yield f"  orders completed    {len(day.orders):6} (of {day.requests} requests)"
    yield f"  scans accepted      {tally.accepted:6}"
    yield f"  scans repeated      {tally.repeated:6}  answered again, counted once"
    if tally.busy:
        yield f"  scans put off       {tally.busy:6}  too busy (409), scanned again"
    yield f"  scans refused       {tally.refused.total():6}"
    for kind, n in sorted(tally.refused.items()):
        yield f"    {kind:<28}{n:4}"
    yield f"  scan time p50       {_percentile(tally.millis, 50):8.1f} ms"
    yield f"  scan time p95       {_percentile(tally.millis, 95):8.1f} ms"


def _table(rows: dict[str, tuple[int, int, int, int]]) -> Iterator[str]:
    head = ("expected", "received", "missing", "too many")
    yield f"  {'event':<24}" + "".join(f"{name:>10}" for name in head)
    for event, cells in sorted(rows.items()):
        yield f"  {event:<24}" + "".join(f"{n:>10}" for n in cells)
    sums = [sum(column) for column in zip(*rows.values(), strict=True)]
    yield f"  {'all':<24}" + "".join(f"{n:>10}" for n in sums)


def _say(faults: Sequence[str]) -> Iterator[str]:
    if not faults:
        yield "Every pane is finished, every event was heard once by all who should."
        return
    yield f"{len(faults)} faults:"
    yield from (f"  {fault}" for fault in faults[:SHOWN_FAULTS])
    if len(faults) > SHOWN_FAULTS:
        yield f"  … and {len(faults) - SHOWN_FAULTS} more"


def _done(day: Day) -> tuple[int, int]:
    return sum(piece.done for piece in day.pieces), len(day.pieces)


def _elapsed(day: Day) -> float:
    return day.seconds or time.monotonic() - day.started


def _events(day: Day) -> int:
    return sum(screen.heard.total() for screen in day.screens)


def _percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return sum(values)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
