"""The last days up to now, as figures of a period are of, and the weeks that they are in."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.calendar import Span

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Period:
    """So many days, from `first` until `today`, in the workshop's time zone."""

    days: int
    now: datetime
    zone: ZoneInfo
    first: date
    today: date

    @classmethod
    def of_last(cls, days: int) -> "Period":
        """Return the last days, today included."""
        now, zone = clock.now(), runtime.current().policy.timezone
        today = calendar.in_zone(now, zone).date()
        return cls(days, now, zone, today - timedelta(days - 1), today)

    @property
    def span(self) -> Span:
        """When the first day begins, and when today ends, in naive UTC."""
        first, today = (
            calendar.day_span(day, self.zone) for day in (self.first, self.today)
        )
        return Span(first.start, today.end)

    def named(self) -> dict[str, Any]:
        """Return how an answer names the days that it is about."""
        return {"days": self.days, "from": self.first.isoformat()}

    @property
    def monday(self) -> date:
        """The Monday of the first week."""
        return _monday(self.first)

    @property
    def weeks(self) -> list[str]:
        """The Mondays of the weeks (ISO 8601), the oldest first; this week is not over."""
        count = (self.today - self.monday) // WEEK + 1
        return [(self.monday + n * WEEK).isoformat() for n in range(count)]

    def week_of(self, day: date) -> str:
        """Return the Monday of the week of a day."""
        return _monday(day).isoformat()


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
