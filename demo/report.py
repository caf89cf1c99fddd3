"""What the user sees of the day: its progress while it runs, and the final report."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TextIO

from demo.day import Day
from demo.events import EventKey

BAR_WIDTH = 36
SHOWN_PROBLEMS = 20
CLEAR, HIDE_CURSOR, SHOW_CURSOR = "\x1b[H\x1b[J", "\x1b[?25l", "\x1b[?25h"
COLUMNS = ("expected", "received", "missing", "too many")
EventCounts = dict[str, tuple[int, int, int, int]]  # event -> one count a column


class ProgressDisplay:
    """Shows a running day: redraws the terminal, or prints a line every two seconds."""

    def __init__(self, day: Day, out: TextIO = sys.stdout) -> None:
        self.day = day
        self.out = out
        self.is_terminal = out.isatty()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._last_text = ""

    def __enter__(self) -> ProgressDisplay:
        if self.is_terminal:  # the screen that follows has the address too
            self._write(HIDE_CURSOR)
        else:
            self._write(f"Watch the day on the board: {board_address(self.day)}\n")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._show()
        self._write(SHOW_CURSOR if self.is_terminal else "")

    def _run(self) -> None:
        while not self._ended.wait(0.25 if self.is_terminal else 2):
            self._show()

    def _show(self) -> None:
        if self.is_terminal:
            text = CLEAR + "\n".join(_progress_screen(self.day))
        else:
            text = _progress_line(self.day)
        if text != self._last_text:
            self._last_text = text
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()


def board_address(day: Day) -> str:
    """Return the address of the wall board that shows the day."""
    return f"{day.admin.url}/floor/board"


def _progress_line(day: Day) -> str:
    finished, total = _finished_and_total(day)
    results = day.results
    return (
        f"{_elapsed_s(day):5.1f} s  {day.stage:<20}  panes {finished}/{total}"
        f"  scans {results.accepted_scans} (+{results.refused.total()} refused)"
        f"  events {_received_events(day)}"
    )


def _progress_screen(day: Day) -> Iterator[str]:
    finished, total = _finished_and_total(day)
    filled = BAR_WIDTH * finished // total if total else 0
    bar = "█" * filled + "░" * (BAR_WIDTH - filled)
    results = day.results
    actions = ", ".join(f"{n} {name}" for name, n in results.actions.most_common(4))
    yield f"glassflow · a day in the workshop · {day.admin.url} · run {day.run_id}"
    yield f"  watch it on the board: {board_address(day)}"
    yield ""
    yield f"  {day.stage:<26} {_elapsed_s(day):6.1f} s"
    yield f"  panes    {bar} {finished}/{total} finished"
    yield f"  orders   {_orders(day)} of {day.requests}"
    yield f"  actions  {actions}"
    yield (
        f"  scans    {results.accepted_scans} accepted,"
        f" {results.refused.total()} wrong ones refused,"
        f" p50 {_percentile(results.scan_times_ms, 50):.1f} ms"
    )
    yield f"  events   {_received_events(day)} received on {len(day.screens)} screens"
    yield f"  problems {len(results.problems)}"
    yield ""
    if day.floor:
        yield "  waiting   left   station"
        for name, waiting in day.panes.queues.items():
            yield f"  {waiting.qsize():7} {day.floor.finished_at[name]:6}   {name}"


def final_report(day: Day) -> tuple[str, bool]:
    """The final report, and whether the day ended without a problem."""
    counts, event_problems = compare_events(day) if day.count_events else ({}, [])
    if event_problems and day.admin.http.outages:
        # a change that the service made and could not answer is not expected
        event_problems.append("the service was unavailable in between")
    problems = [*day.results.problems, *_unfinished(day, counts), *event_problems]
    table = [*_event_table(counts), ""] if counts else []
    lines = [*_figures(day), "", *table, *_conclusion(day, problems)]
    return "\n".join(lines), not problems


def compare_events(day: Day) -> tuple[EventCounts, list[str]]:
    """Compare the events that each screen received with those that it must receive.

    Returns the counts by event name, and a line for each missing or surplus event.
    Events about records of other clients are ignored.
    """
    subjects = day.expected.subjects() | {""}
    counts: dict[str, Counter[str]] = {}
    problems: list[str] = []
    for screen in day.screens:
        expected = day.expected.for_screen(screen)
        received = Counter(
            {key: n for key, n in screen.received.items() if key.subject in subjects}
        )
        columns = (expected, received, expected - received, received - expected)
        for column, events in zip(COLUMNS, columns, strict=True):
            for key, n in events.items():
                counts.setdefault(key.event, Counter())[column] += n
                if column in ("missing", "too many"):
                    problems.append(_event_problem(screen.name, column, key, n))
    return {
        event: tuple(count[column] for column in COLUMNS)  # type: ignore[misc]
        for event, count in counts.items()
    }, problems


def _event_problem(screen: str, column: str, key: EventKey, n: int) -> str:
    return f"screen {screen}: {column}: {key}" + (f" ({n} ×)" if n > 1 else "")


def _unfinished(day: Day, counts: EventCounts) -> Iterator[str]:
    for pane in day.panes.unsettled():
        yield f"{pane.number} is left {pane.status}"
    if not len(day.panes) or (day.count_events and not counts):
        yield "no pane was created or no event received, so nothing was checked"


def _figures(day: Day) -> Iterator[str]:
    results, http = day.results, day.admin.http
    finished, total = _finished_and_total(day)
    yield f"The day took {day.seconds:.1f} s on {day.admin.url}."
    yield ""
    yield f"  panes finished      {finished:6} of {total}"
    yield f"  orders completed    {_orders(day):6} (of {day.requests} requests)"
    yield f"  scans accepted      {results.accepted_scans:6}"
    yield f"  scans repeated      {results.repeated_scans:6}  counted once"
    if http.busy_retries:
        yield f"  busy, sent again    {http.busy_retries:6}  after a 409"
    if http.outages:
        yield f"  outages             {http.outages:6}  waits for the service"
    yield f"  refused             {results.refused.total():6}  wrong on purpose"
    for kind, n in sorted(results.refused.items()):
        yield f"    {kind:<28}{n:4}"
    yield f"  other actions       {results.actions.total():6}"
    for action, n in sorted(results.actions.items()):
        yield f"    {action:<28}{n:4}"
    yield f"  scan time p50       {_percentile(results.scan_times_ms, 50):8.1f} ms"
    yield f"  scan time p95       {_percentile(results.scan_times_ms, 95):8.1f} ms"


def _event_table(counts: EventCounts) -> Iterator[str]:
    yield f"  {'event':<24}" + "".join(f"{name:>10}" for name in COLUMNS)
    for event, cells in sorted(counts.items()):
        yield f"  {event:<24}" + "".join(f"{n:>10}" for n in cells)
    sums = [sum(column) for column in zip(*counts.values(), strict=True)]
    yield f"  {'all':<24}" + "".join(f"{n:>10}" for n in sums)


def _conclusion(day: Day, problems: Sequence[str]) -> Iterator[str]:
    if not problems:
        events = ", every screen received each of its events once"
        yield (
            "Every pane is finished, every order complete, the stock equals its ledger"
            f"{events if day.count_events else ''}."
        )
        return
    yield f"{len(problems)} problems:"
    yield from (f"  {problem}" for problem in problems[:SHOWN_PROBLEMS])
    if len(problems) > SHOWN_PROBLEMS:
        yield f"  … and {len(problems) - SHOWN_PROBLEMS} more"


def _finished_and_total(day: Day) -> tuple[int, int]:
    """The finished panes, and all that must be finished: no scrap, no merged sheets."""
    panes = day.panes.all
    return sum(pane.finished for pane in panes), sum(not p.removed for p in panes)


def _orders(day: Day) -> int:
    return len(day.orders.all) if day.orders else 0


def _elapsed_s(day: Day) -> float:
    return day.seconds or time.monotonic() - day.started


def _received_events(day: Day) -> int:
    return sum(screen.received.total() for screen in day.screens)


def _percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return sum(values)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
