"""What the workshop did each day, counted from the changes of records in the history.

The figures of a day are counters, with these names:

- `requests:<hour>`, `takenIn:<hour>` and `finished:<hour>`: requests that came in, panes
  that were taken in and panes that were finished, by the hour since the day began. A
  laminated unit is one pane: it is taken in as its parent, and its sheets are not counted.
  A record that is deleted is taken back, and counts again on that day if it is restored;
  a pane that is no longer finished is taken back too.
- `arrived:<station>`: panes that came to a station: new ones at the first station of
  their route, by a scan, or by a correction. Not those that are put back to where they
  were, by an undo, a rejected claim or a cancellation that is taken back.
- `left:<station>`: panes that were handed on by `scan_out` or `qc_pass`.
- `passed:<station>` and `failed:<station>`: the results of checks.
- `stays:<station>:<bucket>`: how long the panes stayed that left (`domain.stays`), in
  working time (`domain.working_time`), as are the lengths below.
- `queue:<station>:<bucket>`: how long panes waited at a station until the work on them began.
  Not those that were moved there by the scan with which it began.
- `touch:<station>:<bucket>`: how long the work took. Not of panes without a scan for its
  beginning.
- `lead:<bucket>`: how long it took from when a pane was created until a scan finished it; for
  a remake, from when it was made again.
- `added:<station>`: panes that came to a station less those that went, by any change of a
  record, and `addedAfter:<station>`: after how many seconds of the day, in sum. From both
  and the panes that are there now follows how many there were on average (`held`). They
  count when a change was stored: what was at a station until then was there for everybody.

A scan counts on the day when it happened, also where a device sent it later. An undone
scan is taken back on that day. Each change counts by itself, so their order does not
matter: counting all changes again gives the same figures.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import accumulate
from statistics import median_low
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from glassflow.domain import calendar
from glassflow.domain.panes.status import Action, LogAction
from glassflow.domain.stays import bucket_of
from glassflow.domain.working_time import WorkingTimes

REQUESTS, TAKEN_IN, FINISHED = BY_HOUR = ("requests", "takenIn", "finished")
ARRIVED, LEFT, PASSED, FAILED = BY_STATION = ("arrived", "left", "passed", "failed")
STAYS, QUEUE, TOUCH, LEAD = "stays", "queue", "touch", "lead"
ADDED, ADDED_AFTER = "added", "addedAfter"
CREATED, RESTORED, DELETED = "created", "restored", "deleted"
# With these scans a pane is handed on; a failed one is not.
LEAVING = frozenset({Action.SCAN_OUT, Action.QC_PASS})
BEGINNING = frozenset({Action.SCAN_IN, Action.START})
ENDING = frozenset(
    {Action.COMPLETE, LogAction.LAMINATE_START, LogAction.LAMINATE_COMPLETE}
)
HOUR = timedelta(hours=1)
LEAST_DAYS = 5  # with figures; fewer say too little about a usual day
# What a change raises that another release has stored in another form.
UNREADABLE = (AttributeError, OverflowError, TypeError, ValueError)
_RECORD_ID = re.compile("[0-9a-f]{24}")

# By day (ISO 8601) the counters, as above, and by how much each changes.
Counts = dict[str, Counter[str]]
# A change of a record, as the history has it: `kind`, `action`, `was`, `now` and `at`.
Change = Mapping[str, Any]


class _Step(NamedTuple):
    """How a counter changes, and the time (UTC) of what is counted."""

    at: Any
    counter: str
    by: int


def count(changes: Iterable[Change], zone: ZoneInfo, times: WorkingTimes) -> Counts:
    """Return what changes of records add to the figures of days of a time zone.

    Stays are counted in the working time of their stations.
    """
    counts: Counts = defaultdict(Counter)
    for change in changes:
        try:
            steps = [_counted(step, zone) for step in _steps(change, times) if step.at]
        except UNREADABLE:
            continue
        for day, name, by in steps:
            counts[day][name] += by
    return counts


def _counted(step: _Step, zone: ZoneInfo) -> tuple[str, str, int]:
    name = step.counter
    if name in BY_HOUR:
        name = f"{name}:{hour_of(step.at, zone)}"
    return calendar.local_date(step.at, zone), name, step.by


def hour_of(moment: datetime, zone: ZoneInfo) -> int:
    """Return how many whole hours of its day have passed at a moment in naive UTC."""
    return (moment - calendar.day_start(moment, zone)) // HOUR


def usual(days: Iterable[Mapping[str, int]]) -> list[int] | None:
    """Return how much of a counter there usually is by the end of each of 24 hours.

    `days` are what days have of it in each hour; those without any are left out. The usual
    is the lower median of the others; None if they are fewer than `LEAST_DAYS`. What the
    last hour of a day of 25 hours has is in the last one.
    """
    by_hour = [_by_hour(counts) for counts in days]
    sums = [list(accumulate(hours)) for hours in by_hour if sum(hours) > 0]
    if len(sums) < LEAST_DAYS:
        return None
    return [median_low(at_hour) for at_hour in zip(*sums, strict=True)]


def _by_hour(counts: Mapping[str, int]) -> list[int]:
    hours = [0] * 24
    for hour, n in counts.items():
        hours[min(int(hour), 23)] += n
    return hours


def _steps(change: Change, times: WorkingTimes) -> Iterator[_Step]:
    kind, action, was, now = (change[name] for name in ("kind", "action", "was", "now"))
    sign = {CREATED: 1, RESTORED: 1, DELETED: -1}.get(action, 0)
    record = was if action == DELETED else now
    if kind == "PaneLog" and action == CREATED:
        yield from _of_log(now, 1, times)
    elif kind == "Request" and sign:
        yield _Step(record.get("createdAt"), REQUESTS, sign)
    elif kind == "Pane":
        if sign:
            yield from _of_pane(record, sign)
        yield _Step(was.get("completedAt"), FINISHED, -1)
        yield _Step(now.get("completedAt"), FINISHED, 1)
        for place, by in ((was, -1), (now, 1)):
            yield from _added(place.get("currentStation"), change.get("at"), by, times)


def _of_pane(pane: Mapping[str, Any], sign: int) -> Iterator[_Step]:
    """Count a new pane, or take a deleted one back."""
    if pane.get("parentPane") is None:
        yield _Step(pane.get("createdAt"), TAKEN_IN, sign)
    yield from _at(ARRIVED, pane.get("currentStation"), pane.get("arrivedAt"), sign)


def _of_log(log: Mapping[str, Any], sign: int, times: WorkingTimes) -> Iterator[_Step]:
    """Count a pane log, or take an undone one back."""
    at: Any = log.get("occurredAt") or log.get("createdAt")
    action, station = log.get("action"), log.get("station")
    yield from _at(ARRIVED, log.get("movedTo"), at, sign)
    if action == LogAction.CORRECTION:
        for undone in log.get("undone") or ():
            yield from _of_log(undone, -sign, times)
    elif action == Action.QC_FAIL:
        yield from _at(FAILED, station, at, sign)
    elif action in LEAVING:
        yield from _at(LEFT, station, at, sign)
        if action == Action.QC_PASS:
            yield from _at(PASSED, station, at, sign)
    counter, since = _length(log)
    if since:
        bucket = bucket_of(times.of(station).seconds(since, at))
        yield from _at(counter, station, at, sign, f":{bucket}")
    if taken_in_at := log.get("takenInAt"):
        bucket = bucket_of(times.usual.seconds(taken_in_at, at))
        yield _Step(at, f"{LEAD}:{bucket}", sign)


def _length(log: Mapping[str, Any]) -> tuple[str, Any]:
    """Return which length of time ends with a log, and when it has begun, if that is known."""
    action = log.get("action")
    if action in LEAVING:
        return STAYS, log.get("arrivedAt")
    if action in BEGINNING:
        return QUEUE, log.get("arrivedAt")
    return TOUCH, log.get("startedAt") if action in ENDING else None


def _added(station: Any, at: Any, by: int, times: WorkingTimes) -> Iterator[_Step]:
    """Count a pane that comes to a station (`by` is 1), or that goes."""
    for counted in _at(ADDED, station, at, by):
        time = times.of(station)
        after_s = round(time.seconds(calendar.day_start(at, time.zone), at))
        yield counted
        yield from _at(ADDED_AFTER, station, at, by * after_s)


def _at(
    counter: str, station: Any, at: Any, by: int, rest: str = ""
) -> Iterator[_Step]:
    """Count something at a station, if it is one."""
    name = str(station)
    if _RECORD_ID.fullmatch(name):
        yield _Step(at, f"{counter}:{name}{rest}", by)
