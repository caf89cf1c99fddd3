"""Working time: which hours of the workshop count in what people are told about durations.

The week of a workshop has spans for each weekday; a span that ends at or before the time at
which it begins ends on the next day. On a day off no span begins. Without a week every hour
counts. A change is a new period: what lies before it is counted as it was, so that a stay
that was counted once is counted again alike.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import accumulate, pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from glassflow.domain.calendar import Span, day_span, in_zone, to_utc

WEEKDAYS = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip
DAY_MIN = 1440  # minutes
WEEK_MIN = 7 * DAY_MIN
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
LONGEST_PAUSE = timedelta(days=60)
LONGEST_FORECAST = timedelta(days=730)


class Shift(NamedTuple):
    """A span of a weekday: after how many minutes of the day it begins, and how long it is."""

    start: int
    minutes: int


# The shifts of the seven weekdays, from Monday on, each in their order.
Week = tuple[tuple[Shift, ...], ...]


def read_week(stored: Mapping[str, Iterable[Mapping[str, str]]]) -> Week:
    """Return a week of the form `{monday: [{start: "08:00", end: "12:00"}]}`."""
    return tuple(
        tuple(sorted(_shift(**span) for span in stored.get(day) or ()))
        for day in WEEKDAYS
    )


def _shift(start: str, end: str) -> Shift:
    begins, ends = (_minute(text) for text in (start, end))
    return Shift(begins, (ends - begins - 1) % DAY_MIN + 1)


def _minute(text: str) -> int:
    at = time.fromisoformat(text)
    return at.hour * 60 + at.minute


def overlapping(week: Week) -> str | None:
    """Return a weekday with a shift that begins before the one before it has ended."""
    shifts = [
        (number * DAY_MIN + shift.start, shift.minutes, day)
        for number, (day, shifts) in enumerate(zip(WEEKDAYS, week, strict=True))
        for shift in shifts
    ]
    if not shifts:
        return None
    start, minutes, day = shifts[0]
    in_a_week = (start + WEEK_MIN, minutes, day)
    for (begins, lasts, _), (following, _, day) in pairwise([*shifts, in_a_week]):
        if begins + lasts > following:
            return day
    return None


def day_minutes(week: Week | None) -> int:
    """Return how many minutes a usual working day has; all of a day without a week."""
    days = [sum(shift.minutes for shift in shifts) for shifts in week or () if shifts]
    return round(sum(days) / len(days)) if days else DAY_MIN


class Period(NamedTuple):
    """What is in force from `since` (naive UTC) on. `days_off` are days in ISO 8601."""

    since: datetime
    week: Week | None = None
    days_off: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WorkingTime:
    """The hours that count, in a time zone; before the first period all of them do."""

    zone: ZoneInfo
    periods: Sequence[Period] = ()
    _days: dict[tuple[int, date], tuple[Span, ...]] = field(
        default_factory=dict, compare=False
    )

    @property
    def day_s(self) -> int:
        """How many seconds a usual working day has, by the newest period."""
        return 60 * day_minutes(self.periods[-1].week if self.periods else None)

    @property
    def newest(self) -> "WorkingTime":
        """The hours that count by the newest period, as if it had always been in force."""
        newest = [one._replace(since=datetime.min) for one in self.periods[-1:]]
        return replace(self, periods=newest, _days={})

    def seconds(self, start: datetime, end: datetime) -> float:
        """Return how many seconds between two moments in naive UTC count."""
        spans = self.spans(start, end)
        return sum((ends - begins).total_seconds() for begins, ends in spans)

    def spans(self, start: datetime, end: datetime) -> Iterator[Span]:
        """Yield when the time between two moments counts, in its order."""
        for number, (since, until) in enumerate(self._bounds()):
            begins, ends = max(start, since), min(end, until)
            if begins < ends:
                yield from self._spans_of_period(number - 1, begins, ends)

    def _bounds(self) -> Iterator[Span]:
        """Yield the time before the first period, and that of each period."""
        moments = [datetime.min, *(one.since for one in self.periods), datetime.max]
        return (Span(*pair) for pair in pairwise(moments))

    def _spans_of_period(
        self, number: int, start: datetime, end: datetime
    ) -> Iterator[Span]:
        if number < 0 or self.periods[number].week is None:
            yield Span(start, end)
            return
        day = in_zone(start, self.zone).date() - DAY  # whose last shift may end today
        last = in_zone(end, self.zone).date()
        while day <= last:
            for begins, ends in self._shifts(number, day):
                if begins < end and ends > start:
                    yield Span(max(begins, start), min(ends, end))
            day += DAY

    def _shifts(self, number: int, day: date) -> tuple[Span, ...]:
        """Return the shifts that begin on a day, as a period has them."""
        if (number, day) not in self._days:
            _, week, days_off = self.periods[number]
            works = week and day.isoformat() not in days_off
            self._days[number, day] = tuple(
                Span(
                    self._moment(day, shift.start),
                    self._moment(day, shift.start + shift.minutes),
                )
                for shift in (week[day.weekday()] if week and works else ())
            )
        return self._days[number, day]

    def _moment(self, day: date, minute: int) -> datetime:
        clocks = datetime.combine(day, time()) + minute * MINUTE
        return to_utc(clocks.replace(tzinfo=self.zone))

    def shift_end(self, at: datetime) -> datetime | None:
        """Return when the work of the day is over in which a moment lies.

        That is the end of the last shift of its day, or of a shift of the day before that
        lasts until then. None where no shift follows on that day, and where every hour counts.
        """
        number = sum(one.since <= at for one in self.periods) - 1
        if number < 0:
            return None
        today = in_zone(at, self.zone).date()
        before, shifts = self._shifts(number, today - DAY), self._shifts(number, today)
        if before and before[0].start <= at < before[-1].end:
            return before[-1].end
        return shifts[-1].end if shifts and at < shifts[-1].end else None

    def is_working_day(self, day: date) -> bool:
        """Return whether any time of a day counts."""
        return self.seconds(*day_span(day, self.zone)) > 0

    def working_day(self, day: date, count: int) -> date:
        """Return the working day that is so many after a day, or before it (`count` < 0).

        The day of the calendar where there are not so many within `LONGEST_PAUSE`.
        """
        step, left, found = (DAY if count > 0 else -DAY), abs(count), day
        for _ in range(LONGEST_PAUSE // DAY):
            found += step
            left -= self.is_working_day(found)
            if not left:
                return found
        return day + count * DAY

    def day_after(
        self,
        start: datetime,
        seconds: float,
        *,
        longer_days: int = 0,
        longer_s: int = 0,
    ) -> date | None:
        """Return the day on which so much time has passed that counts, after a moment.

        The next `longer_days` working days have `longer_s` seconds more. None where it has
        not passed within `LONGEST_FORECAST`.
        """
        day = in_zone(start, self.zone).date()
        for _ in range(LONGEST_FORECAST // DAY):
            begins, ends = day_span(day, self.zone)
            works = self.seconds(max(start, begins), ends)
            if works and longer_days:
                works, longer_days = works + longer_s, longer_days - 1
            if works and seconds <= works:
                return day
            seconds -= works
            day += DAY
        return None

    def end_of_day(self, day: date) -> datetime:
        """Return when the work of a day ends: the last minute of a day that all counts."""
        begins, ends = day_span(day, self.zone)
        works = [*self.spans(begins, ends)]
        return min(works[-1].end, ends - MINUTE) if works else ends - MINUTE

    def runs(self, start: datetime, end: datetime) -> list[int]:
        """Return minutes that do not count and that do, in turns, from a moment on."""
        lengths = [0]
        reached, counts = start, False
        for begins, ends in self.spans(start, end):
            for until, works in ((begins, False), (ends, True)):
                minutes = round((until - reached) / MINUTE)
                if minutes and works == counts:
                    lengths[-1] += minutes
                elif minutes:
                    lengths.append(minutes)
                    counts = works
                reached = until
        return lengths


class ElapsedTime:
    """How many seconds have counted since a moment, at many moments until another one."""

    def __init__(self, time: WorkingTime, start: datetime, end: datetime) -> None:
        spans = [*time.spans(start, end)]
        self._starts = [one.start for one in spans]
        lengths = ((one.end - one.start).total_seconds() for one in spans)
        self._before = [0.0, *accumulate(lengths)]

    def at(self, moment: datetime) -> float:
        """Return how many seconds had counted at a moment in naive UTC; 0 before the first."""
        number = bisect_right(self._starts, moment)
        if not number:
            return 0.0
        since = (moment - self._starts[number - 1]).total_seconds()
        return min(self._before[number - 1] + since, self._before[number])


@dataclass(frozen=True, slots=True)
class WorkingTimes:
    """The working time of the workshop, and that of stations that work otherwise, by id."""

    usual: WorkingTime
    stations: Mapping[str, WorkingTime] = field(default_factory=dict)

    def of(self, station: Any) -> WorkingTime:
        """Return the working time of a station."""
        return self.stations.get(str(station), self.usual)


def all_hours(zone: ZoneInfo) -> WorkingTimes:
    """Return the working time of a workshop that has not said when it works."""
    return WorkingTimes(WorkingTime(zone))
