"""The daily figures: a document for each day, added up from the history.

`domain.daily_figures` says what they count. A document has the counter `stays:<station>:<bucket>`
as a number in `stays.<station>.<bucket>`, so that a reader gets the counters it needs.
`services.history.append` adds the rows of the
history in the transaction that appends them. So each row is counted once, whichever process
appends it and whenever one dies, and the head of the history is the cursor of the figures.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
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


# What a day has of each counter: numbers by hour, station or bucket, or by station and bucket.
Day = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """The counters of the last days, by day (ISO 8601), up to the event `seq`.

    `times` are the working times of the stations, by which the newest stays are counted.
    """

    seq: int
    today: str
    days: Mapping[str, Day]
    times: WorkingTimes

    def of_day(self, counter: str, day: str) -> int:
        """Return what was counted on a day, at all hours."""
        return sum(self._counts(counter, day).values())

    def of_hour(self, counter: str, day: str, hour: int) -> int:
        """Return what was counted in an hour of a day."""
        return self._counts(counter, day).get(str(hour), 0)

    def of_station(self, counter: str, day: str, station: str) -> int:
        """Return what was counted at a station, by its id, on a day."""
        return self._counts(counter, day).get(station, 0)

    def _counts(self, counter: str, day: str) -> dict[str, int]:
        counts: dict[str, int] = self.days.get(day, {}).get(counter, {})
        return counts

    def usual(self, counter: str) -> list[int] | None:
        """Return what was usually counted by the end of each hour, on the days before today."""
        before = (day for day in self.days if day < self.today)
        return usual(self._counts(counter, day) for day in before)

    def of_stations(self, since: str) -> dict[str, Counter[str]]:
        """Return the counters of each station, by its id, of the days since one (ISO 8601)."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for counter in (*BY_STATION, ADDED):
            for counts in self._of_days(counter, since):
                for station, n in counts.items():
                    found[station][counter] += n
        return found

    def lengths(self, counter: str, since: str = "") -> dict[str, dict[int, int]]:
        """Return the histograms (`domain.stays`) of a length of time, by the id of a station."""
        sums: dict[str, dict[str, int]] = defaultdict(dict)
        for stations in self._of_days(counter, since):
            for station, lengths in stations.items():
                found = sums[station]
                for bucket, n in lengths.items():  # 60,000 of 90 days
                    found[bucket] = found.get(bucket, 0) + n
        return {station: by_bucket(lengths) for station, lengths in sums.items()}

    def _of_days(self, counter: str, since: str) -> Iterator[Mapping[str, Any]]:
        for day, counts in self.days.items():
            if day >= since:
                yield counts.get(counter, {})

    def last(self, days: int) -> str:
        """Return the first of so many days until today."""
        return (date.fromisoformat(self.today) - timedelta(days - 1)).isoformat()

    def stays(self) -> dict[str, Stay]:
        """Return how long panes stayed at each station, by its id, on all days together."""
        found = self.lengths(STAYS)
        return {station: self.stay(station, stays) for station, stays in found.items()}

    def stay(self, station: Any, stays: Mapping[int, int]) -> Stay:
        """Return how long panes stay at a station, of a histogram."""
        return summarize(stays, self.times.of(station).day_s)


def by_bucket(lengths: Mapping[str, int]) -> dict[int, int]:
    """Return a stored histogram with its buckets as numbers."""
    return {int(bucket): n for bucket, n in lengths.items()}


def usual_of_days(counter: str, days: Iterable[date]) -> int | None:
    """Return how much of a counter by hours there usually is on days; None where few have any.

    One query, which reads this counter only.
    """
    wanted = {"_id": {"$in": [day.isoformat() for day in days]}}
    rows = get_db()[COLLECTION].find(wanted, {counter: 1})
    found = usual(row.get(counter, {}) for row in rows)
    return found[-1] if found else None


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
        added = {name.replace(":", "."): n for name, n in counts.items()}
        get_db()[COLLECTION].update_one({"_id": day}, {"$inc": added}, upsert=True)


def stored(since: str = "") -> dict[str, Counter[str]]:
    """Read the figures of the days since one (ISO 8601): by day the counters by their names."""
    return {day: by_name(counts) for day, counts in _stored(since, ()).items()}


def _stored(since: str, counters: Collection[str]) -> dict[str, dict[str, Any]]:
    """Read the figures as they are stored; of some counters only, if these are given."""
    shown = dict.fromkeys(counters, 1) or None
    found = get_db()[COLLECTION].find({"_id": {"$gte": since}}, shown).sort("_id", 1)
    return {row.pop("_id"): row for row in found}


def by_name(day: Day) -> Counter[str]:
    """Return the counters of a stored day by their names."""
    found: Counter[str] = Counter()
    for name, value in day.items():
        if isinstance(value, Mapping):
            inner = by_name(value).items()
            found.update({f"{name}:{rest}": n for rest, n in inner})
        elif name != "_id":
            found[name] += value
    return found


def nested(counters: Mapping[str, int]) -> dict[str, Any]:
    """Return the counters of a day, by their names, in their stored form."""
    found: dict[str, Any] = {}
    _nest(found, counters)
    return found


def _nest(day: dict[str, Any], counters: Mapping[str, int]) -> None:
    for name, n in counters.items():
        *path, last = name.split(":")
        inner = day
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = inner.get(last, 0) + n


def read(days: int, newest: int, counters: Collection[str]) -> Figures:
    """Read counters of the last days up to today, up to the newest event or a later one.

    What is published and not in the history yet is added. Five round trips, four where
    nothing is.
    """
    now, zone = clock.now(), runtime.current().policy.timezone
    since = calendar.local_date(calendar.day_start(now, zone, 1 - days), zone)
    times = _times()
    while True:
        head = history.head()
        found, seq = _stored(since, counters), max(newest, head.event)
        later = history.changes_of_events(head.event, seq) if seq > head.event else ()
        for day, counts in counted(later, times).items():
            if day >= since:
                _nest(found.setdefault(day, {}), counts)
        if history.head() == head:  # else it is not known which events were stored
            return Figures(seq, calendar.local_date(now, zone), found, times)


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
        for day, counters in counted([row], times).items():
            if day >= since:
                figures.setdefault(day, Counter()).update(counters)


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
        rows = [{"_id": day, **nested(counts)} for day, counts in figures.items()]
        get_db()[COLLECTION].insert_many(rows)
