"""The daily figures: a document for each day, added up from the history.

`domain.daily_figures` says what they count. `services.history.append` adds the rows of the
history in the transaction that appends them. So each row is counted once, whichever process
appends it and whenever one dies, and the head of the history is the cursor of the figures.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from mongoengine.connection import get_db
from pymongo.errors import CollectionInvalid

from glassflow import runtime
from glassflow.core.events import history
from glassflow.core.process import clock
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import calendar
from glassflow.domain.daily_figures import (
    ADDED,
    BY_STATION,
    STAYS,
    Change,
    Counts,
    count,
    usual,
)
from glassflow.domain.stays import Stay, summarize
from glassflow.domain.working_time import WorkingTimes
from glassflow.models.working_hours import WorkingHours

COLLECTION = "daily_figures"
STAY_DAYS = 30  # over which boards summarize how long panes stay


@dataclass(frozen=True, slots=True)
class Figures:
    """The counters of the last days, by day (ISO 8601), up to the event `seq`.

    `times` are the working times of the stations, by which the newest stays are counted.
    """

    seq: int
    today: str
    days: Mapping[str, Mapping[str, int]]
    times: WorkingTimes

    def of_day(self, counter: str, day: str) -> int:
        """Return what was counted on a day, at all hours."""
        counts = self.days.get(day, {}).items()
        return sum(n for name, n in counts if name.startswith(f"{counter}:"))

    def of_hour(self, counter: str, day: str, hour: int) -> int:
        """Return what was counted in an hour of a day."""
        return self.days.get(day, {}).get(f"{counter}:{hour}", 0)

    def usual(self, counter: str) -> list[int] | None:
        """Return what was usually counted by the end of each hour, on the days before today."""
        before = (counts for day, counts in self.days.items() if day < self.today)
        return usual(counter, before)

    def of_stations(self, days: int) -> dict[str, Counter[str]]:
        """Return the counters of each station, by its id, of the last days together."""
        first = date.fromisoformat(self.today) - timedelta(days - 1)
        return self.sums(since=first.isoformat()).of_stations()

    def stays(self) -> dict[str, Stay]:
        """Return how long panes stayed at each station, by its id, on all days together."""
        found = self.sums().lengths(STAYS)
        return {station: self.stay(station, stays) for station, stays in found.items()}

    def stay(self, station: Any, stays: Mapping[int, int]) -> Stay:
        """Return how long panes stay at a station, of a histogram."""
        return summarize(stays, self.times.of(station).day_s)

    def sums(self, since: str = "") -> "Sums":
        """Return the counters of all days together, or of those since one (ISO 8601)."""
        sums = Sums()
        for day, counts in self.days.items():
            if day >= since:
                sums.update(counts)
        return sums


class Sums(Counter[str]):
    """The counters of some days together, by their names."""

    def of_stations(self) -> dict[str, Counter[str]]:
        """Return the counters of each station, by its id."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for name, n in self.items():
            counter, _, station = name.partition(":")
            if counter in BY_STATION or counter == ADDED:
                found[station][counter] = n
        return found

    def lengths(self, counter: str) -> dict[str, dict[int, int]]:
        """Return the histogram (`domain.stays`) of a length of time by station, by its id."""
        found: dict[str, dict[int, int]] = defaultdict(dict)
        for name, n in self.items():
            if name.startswith(f"{counter}:"):
                _, station, bucket = name.split(":")
                found[station][int(bucket)] = n
        return found


def usual_of_days(counter: str, days: Iterable[date]) -> int | None:
    """Return how much of a counter by hours there usually is on days; None where few have any.

    One query, which reads this counter only.
    """
    wanted = {"_id": {"$in": [day.isoformat() for day in days]}}
    shown = {f"{counter}:{hour}": 1 for hour in range(25)}
    found = usual(counter, map(_without_id, get_db()[COLLECTION].find(wanted, shown)))
    return found[-1] if found else None


def _without_id(row: dict[str, Any]) -> dict[str, int]:
    return {name: n for name, n in row.items() if name != "_id"}


def ensure() -> None:
    """Create the collection."""
    try:
        get_db().create_collection(COLLECTION)
    except CollectionInvalid:
        pass  # it exists


def counted(changes: Iterable[Change], times: WorkingTimes) -> Counts:
    """Return what changes add to the figures of the days of the workshop's time zone."""
    return count(changes, runtime.current().policy.timezone, times)


def _times() -> WorkingTimes:
    return WorkingHours.read_times(runtime.current().policy.timezone)


def add(changes: Iterable[Change]) -> None:
    """Add changes to the stored figures, in the caller's unit of work."""
    for day, counts in counted(changes, _times()).items():
        get_db()[COLLECTION].update_one({"_id": day}, {"$inc": counts}, upsert=True)


def stored(since: str = "") -> dict[str, Counter[str]]:
    """Read the figures of the days since one (ISO 8601): by day the counters."""
    found = get_db()[COLLECTION].find({"_id": {"$gte": since}})
    return {row.pop("_id"): Counter(row) for row in found}


def read(days: int, newest: int) -> Figures:
    """Read the figures of the last days up to today, up to the newest event or a later one.

    What is published and not in the history yet is added. Five round trips, four where
    nothing is.
    """
    now, zone = clock.now(), runtime.current().policy.timezone
    since = calendar.local_date(calendar.day_start(now, zone, 1 - days), zone)
    times = _times()
    while True:
        head = history.head()
        found, seq = stored(since), max(newest, head.event)
        later = history.changes_of_events(head.event, seq) if seq > head.event else ()
        _add(found, counted(later, times), since)
        if history.head() == head:  # else it is not known which events were stored
            return Figures(seq, calendar.local_date(now, zone), found, times)


def _add(to: dict[str, Counter[str]], counts: Counts, since: str) -> None:
    for day, counters in counts.items():
        if day >= since:
            to.setdefault(day, Counter()).update(counters)


class Rebuilt(NamedTuple):
    """What was counted again: the changes, the days, and the days that differed."""

    changes: int
    days: int
    differing: list[str]


def rebuild() -> Rebuilt:
    """Count the figures again from the history, and store them; safe beside the service.

    What is published and not in the history yet is added when it is appended. Days whose
    rows have been pruned, in whole or in part, stay as they are.
    """
    since, head = _first_whole_day(), history.head()
    figures: dict[str, Counter[str]] = {}
    _count(figures, history.rows_between(0, head.seq), since)
    if _first_whole_day() != since:  # rows were pruned meanwhile
        return rebuild()
    return _store(figures, head.seq, since)


def _first_whole_day() -> str:
    if not history.is_pruned():
        return ""
    oldest, zone = history.oldest_row(), runtime.current().policy.timezone
    kept_since = oldest["at"] if oldest else clock.now()
    return calendar.local_date(calendar.day_start(kept_since, zone, 1), zone)


def _count(
    figures: dict[str, Counter[str]], rows: Iterator[Mapping[str, Any]], since: str
) -> None:
    times = _times()
    for row in yielding(rows):
        _add(figures, counted([row], times), since)


@unit_of_work
def _store(figures: Mapping[str, Mapping[str, int]], upto: int, since: str) -> Rebuilt:
    """Replace the stored figures by those up to a row, and add the rows since then."""
    newest = history.hold_head().seq
    result = {day: Counter(counts) for day, counts in figures.items()}
    _count(result, history.rows_between(upto, newest), since)
    before = stored(since)
    _replace(result, since)
    differing = [
        day
        for day in sorted({*before, *result})
        if Counter(before.get(day, {})) != result.get(day, Counter())
    ]
    return Rebuilt(newest, len(result), differing)


def _replace(figures: Mapping[str, Mapping[str, int]], since: str) -> None:
    get_db()[COLLECTION].delete_many({"_id": {"$gte": since}})
    if figures:
        rows = [{"_id": day, **counts} for day, counts in figures.items()]
        get_db()[COLLECTION].insert_many(rows)
