"""The flow of panes over some days: how long they took, how old they are where they wait, and
how busy the stations were. From the daily figures, and from the panes that are open now.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.events import event_log
from glassflow.domain import calendar, flow_figures
from glassflow.domain.aliases import May
from glassflow.domain.calendar import Span
from glassflow.domain.daily_figures import (
    ADDED,
    ADDED_AFTER,
    ARRIVED,
    FAILED,
    LEAD,
    LEFT,
    QUEUE,
    STAYS,
    TOUCH,
)
from glassflow.domain.flow_figures import StationDay
from glassflow.domain.panes.status import OPEN
from glassflow.domain.stays import Stay, mean, percentile, seconds_of
from glassflow.domain.working_time import ElapsedTime, WorkingTime
from glassflow.models.pane import Pane
from glassflow.models.station import IN_ORDER, Station
from glassflow.services import daily_figures
from glassflow.services.daily_figures import Figures, by_bucket
from glassflow.services.records import lookup
from glassflow.services.reports.period import Period

MOST_AGES = 100  # of a station, the oldest: a chart of more shows no more
COUNTERS = (ARRIVED, LEFT, FAILED, ADDED, ADDED_AFTER, STAYS, QUEUE, TOUCH, LEAD)
OPEN_STATUSES = sorted(map(str, OPEN))
SHARES = {"p50": 0.5, "p85": 0.85, "p95": 0.95}
Histogram = Mapping[int, int]
DAY = timedelta(days=1)


def read(days: int, may: May) -> dict[str, Any]:
    """Return the flow of the last days; lengths of time are in seconds of working time.

    What comes from pane logs is None for a caller who may not read them. Eight round trips.
    """
    period = Period.of_last(days)
    if not may("pane_logs:view"):
        return {**period.named(), "lead": None, "stations": None}
    whole_weeks = (period.today - period.monday).days + 1
    figures = daily_figures.read(whole_weeks, event_log.last(), COUNTERS)
    return {
        **period.named(),
        "lead": _lead(figures, period),
        "stations": _Stations(figures, period).rows(),
    }


def _lead(figures: Figures, period: Period) -> dict[str, Any]:
    """Return how long panes took that were finished, in the whole time and by week."""
    of_weeks: dict[str, Counter[int]] = {one: Counter() for one in period.weeks}
    whole: Counter[int] = Counter()
    for day, counts in figures.days.items():
        lengths = by_bucket(counts.get(LEAD, {}))
        of_weeks[period.week_of(date.fromisoformat(day))].update(lengths)
        if day >= period.first.isoformat():
            whole.update(lengths)
    return {
        "panes": whole.total(),
        **_percentiles(whole),
        "weeks": [
            {"week": week, "panes": lengths.total(), **_percentiles(lengths)}
            for week, lengths in of_weeks.items()
        ],
    }


def _percentiles(lengths: Histogram) -> dict[str, float | None]:
    return {name: percentile(lengths, share) for name, share in SHARES.items()}


def _length(lengths: Histogram) -> dict[str, Any]:
    return {**_percentiles(lengths), "count": sum(lengths.values())}


class Waiting(NamedTuple):
    """An open pane that waits at a station, or is worked on there, since a time (UTC)."""

    since: datetime
    pane: ObjectId


def open_panes() -> dict[str, list[Waiting]]:
    """Return the open panes at each station, by its id; the oldest come first."""
    shown = {"currentStation": 1, "arrivedAt": 1}
    found: dict[str, list[Waiting]] = defaultdict(list)
    query = {"currentStatus": {"$in": OPEN_STATUSES}}
    for row in Pane.collection().find(query, shown):
        if row.get("currentStation") and row.get("arrivedAt"):
            one = Waiting(row["arrivedAt"], row["_id"])
            found[str(row["currentStation"])].append(one)
    for panes in found.values():
        panes.sort()
    return found


class _Stations:
    """What the stations did on the days of a period, and what waits there now."""

    def __init__(self, figures: Figures, period: Period) -> None:
        self.figures, self.period = figures, period
        first = period.first.isoformat()
        self.counts = figures.of_stations(since=first)
        self.stays, self.queues, self.touches = (
            figures.lengths(counter, since=first) for counter in (STAYS, QUEUE, TOUCH)
        )
        self.waiting = open_panes()
        oldest = (panes[0].pane for panes in self.waiting.values())
        self.numbers = lookup.field_of(Pane, "paneNumber", oldest)
        self.days = self._days()
        self.worked: dict[int, dict[str, float]] = {}

    def _days(self) -> dict[str, Span]:
        """Return the days from which on the panes are known that were added to stations.

        Each with when it begins and ends, today with now. Not the first one: on that day this
        release may have replaced an earlier one.
        """
        period = self.period
        known = (
            date.fromisoformat(day)
            for day, counts in sorted(self.figures.days.items())
            if counts.get(ADDED)
        )
        first = max(period.first, next(known, period.today) + DAY)
        days = [first + n * DAY for n in range((period.today - first).days + 1)]
        spans = (calendar.day_span(day, period.zone) for day in days)
        return {
            day.isoformat(): Span(start, min(end, period.now))
            for day, (start, end) in zip(days, spans, strict=True)
        }

    def _worked(self, time: WorkingTime) -> dict[str, float]:
        """Return how many seconds of each day count, for stations that work alike."""
        if id(time) not in self.worked:
            self.worked[id(time)] = {
                day: time.seconds(*span) for day, span in self.days.items()
            }
        return self.worked[id(time)]

    def rows(self) -> list[dict[str, Any]]:
        """List the stations in their order, then deleted ones to which panes came."""
        found = Station.collection().find({}, {"name": 1}).sort(IN_ORDER)
        names: dict[str, str | None] = {str(row["_id"]): row["name"] for row in found}
        for station, counts in self.counts.items():
            if counts.get(ARRIVED):
                names.setdefault(station, None)
        return [
            {"station": ObjectId(station), "stationName": name, **self._row(station)}
            for station, name in names.items()
        ]

    def _row(self, station: str) -> dict[str, Any]:
        counts = self.counts.get(station, Counter())
        stays, queues, touches = (
            one.get(station, {}) for one in (self.stays, self.queues, self.touches)
        )
        days = self._days_of(station, touches)
        held = flow_figures.held(days, len(self.waiting.get(station, ())))
        expected = flow_figures.expected(days, stays, self._ages_in_turn(station))
        load = flow_figures.load(days, touches, counts.get(LEFT, 0))
        return {
            **{name: counts.get(name, 0) for name in (ARRIVED, LEFT, FAILED, ADDED)},
            "stay": _length(stays),
            "queue": _length(queues),
            "touch": _length(touches),
            "effectiveSeconds": round(mean(touches)) if touches else None,
            "load": None if load is None else round(load, 3),
            "atOnce": flow_figures.at_once(days),
            "scansMissing": flow_figures.misses_scans(held, expected),
            "waiting": self._waiting(station, self.figures.stay(station, stays)),
        }

    def _days_of(self, station: str, touches: Histogram) -> list[StationDay]:
        seconds = {str(bucket): seconds_of(bucket) for bucket in touches}
        found = []
        for day, worked_s in self._worked(self.figures.times.of(station)).items():
            counts = self.figures.days.get(day, {})
            touched = counts.get(TOUCH, {}).get(station, {}).items()
            found.append(
                StationDay(
                    worked_s=worked_s,
                    arrived=counts.get(ARRIVED, {}).get(station, 0),
                    added=counts.get(ADDED, {}).get(station, 0),
                    added_after_s=counts.get(ADDED_AFTER, {}).get(station, 0),
                    touched_s=sum(n * seconds[bucket] for bucket, n in touched),
                )
            )
        return found

    def _ages_in_turn(self, station: str) -> list[float]:
        """Return for how many seconds those panes have waited that none has overtaken.

        They came after the first one of the panes that left on the last day on which any did.
        """
        left = (
            (day, lengths)
            for day, counts in sorted(self.figures.days.items(), reverse=True)
            if (lengths := +Counter(by_bucket(counts.get(STAYS, {}).get(station, {}))))
        )
        day, lengths = next(left, ("", Counter()))
        if not lengths:
            return []
        begin = calendar.day_span(date.fromisoformat(day), self.period.zone).start
        time, now = self.figures.times.of(station), self.period.now
        most_s = time.seconds(begin, now) + seconds_of(max(lengths))
        panes = self.waiting.get(station, [])
        first = bisect_left(
            panes, -most_s, key=lambda one: -time.seconds(one.since, now)
        )
        if first == len(panes):
            return []
        elapsed = ElapsedTime(time, panes[first].since, now)  # of 2,000 panes in 2 ms
        whole = elapsed.at(now)
        return [whole - elapsed.at(one.since) for one in panes[first:]]

    def _waiting(self, station: str, stay: Stay) -> dict[str, Any]:
        """Return how old the panes are that are at a station, beside how long panes stay."""
        panes = self.waiting.get(station, [])
        time, now = self.figures.times.of(station), self.period.now

        def age(pane: Waiting) -> float:
            return time.seconds(pane.since, now)

        def older(than_s: float) -> int:
            return bisect_left(panes, -than_s, key=lambda pane: -age(pane))

        oldest = [
            {
                "pane": one.pane,
                "paneNumber": self.numbers.get(one.pane, ""),
                "seconds": round(age(one)),
            }
            for one in panes[:1]
        ]
        return {
            "panes": len(panes),
            "p50": stay.p50,
            "p85": stay.p85,
            "p95": stay.p95,
            "over85": older(stay.p85),
            "over95": older(stay.p95),
            "ages": [round(age(one)) for one in panes[:MOST_AGES]],
            "oldest": oldest[0] if oldest else None,
        }
