"""The last days up to now, and the weeks that they are in."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Weeks:
    """The days from `first` until today, and the weeks from a Monday on that they are in.

    All of them are days of the workshop's time zone.
    """

    now: datetime
    zone: ZoneInfo
    first: date
    today: date

    @classmethod
    def of_last(cls, days: int) -> "Weeks":
        """Return those of the last days, today included."""
        now, zone = clock.now(), runtime.current().policy.timezone
        today = calendar.in_zone(now, zone).date()
        return cls(now, zone, today - timedelta(days - 1), today)

    @property
    def mondays(self) -> list[str]:
        """The weeks (ISO 8601), the oldest first; each is whole but the last one."""
        monday = _monday(self.first)
        count = (self.today - monday) // WEEK + 1
        return [(monday + n * WEEK).isoformat() for n in range(count)]

    @property
    def start(self) -> datetime:
        """When the first week begins, in naive UTC."""
        return calendar.day_span(_monday(self.first), self.zone).start

    @property
    def period_start(self) -> datetime:
        """When the first day begins, in naive UTC."""
        return calendar.day_span(self.first, self.zone).start

    def of(self, moment: datetime) -> str:
        """Return the Monday of the week of a moment in naive UTC."""
        return self.of_day(calendar.in_zone(moment, self.zone).date())

    def of_day(self, day: date) -> str:
        """Return the Monday of the week of a day."""
        return _monday(day).isoformat()

    @property
    def days(self) -> int:
        """How many days there are from the first Monday until today."""
        return (self.today - _monday(self.first)).days + 1


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
