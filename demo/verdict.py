"""The verdict on a day: what was left undone, and what was not heard as it should be."""

from __future__ import annotations

from collections import Counter

from demo.day import Day
from demo.heard import Heard

Rows = dict[str, tuple[int, int, int, int]]


def judge(day: Day) -> tuple[Rows, list[str]]:
    """Give the counts of events, as `compare` does, and all faults of the day."""
    rows, event_faults = compare(day) if day.count_events else ({}, [])
    faults = list(day.tally.problems)
    faults += [
        f"{piece.number} is left {piece.status}"
        for piece in day.pieces.all
        if not piece.settled
    ]
    if not len(day.pieces) or (day.count_events and not rows):
        faults.append("no pane was made and nothing was heard: the day proves nothing")
    if day.count_events and day.admin.line.outages:
        faults.append("the service was away: what it said meanwhile cannot be counted")
    return rows, faults + event_faults


def compare(day: Day) -> tuple[Rows, list[str]]:
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
