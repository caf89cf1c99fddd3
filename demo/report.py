"""What is seen of the day: a screen while it runs, a table and a verdict at its end."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TextIO

from demo import verdict
from demo.day import Day

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
    yield f"  besides  {', '.join(f'{n} {k}' for k, n in tally.done.most_common(4))}"
    yield (
        f"  scans    {tally.accepted} accepted, {tally.refused.total()} wrong ones"
        f" refused, p50 {_percentile(tally.millis, 50):.1f} ms"
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
    rows, faults = verdict.judge(day)
    done, total = _done(day)
    table = [*_table(rows), ""] if rows else []
    text = "\n".join([*_figures(day, done, total), "", *table, *_say(day, faults)])
    return text, not faults


def _figures(day: Day, done: int, total: int) -> Iterator[str]:
    tally = day.tally
    yield f"The day took {day.seconds:.1f} s on {day.admin.url}."
    yield ""
    yield f"  panes finished      {done:6} of {total}"
    yield f"  orders completed    {len(day.orders):6} (of {day.requests} requests)"
    yield f"  scans accepted      {tally.accepted:6}"
    yield f"  scans repeated      {tally.repeated:6}  answered again, counted once"
    line = day.admin.line
    if line.busy:
        yield f"  put off             {line.busy:6}  too busy (409), sent again"
    if line.outages:
        yield f"  waited for service  {line.outages:6}  it was away, and came back"
    yield f"  refused             {tally.refused.total():6}  as it had to be"
    for kind, n in sorted(tally.refused.items()):
        yield f"    {kind:<28}{n:4}"
    yield f"  done besides        {tally.done.total():6}"
    for kind, n in sorted(tally.done.items()):
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


def _say(day: Day, faults: Sequence[str]) -> Iterator[str]:
    if not faults:
        heard = ", every event was heard once by all who should"
        yield (
            "Every pane is finished, every order complete, the stock equals its log"
            f"{heard if day.count_events else ''}."
        )
        return
    yield f"{len(faults)} faults:"
    yield from (f"  {fault}" for fault in faults[:SHOWN_FAULTS])
    if len(faults) > SHOWN_FAULTS:
        yield f"  … and {len(faults) - SHOWN_FAULTS} more"


def _done(day: Day) -> tuple[int, int]:
    """The finished panes, and all that have to be: no scrap, no merged sheets."""
    pieces = day.pieces.all
    return sum(piece.done for piece in pieces), sum(not piece.gone for piece in pieces)


def _elapsed(day: Day) -> float:
    return day.seconds or time.monotonic() - day.started


def _events(day: Day) -> int:
    return sum(screen.heard.total() for screen in day.screens)


def _percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return sum(values)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
