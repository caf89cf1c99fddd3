"""The days and hours of the workshop's time zone, as moments in naive UTC.

What a written date means, and which dates cannot be meant, is decided here for bodies,
filters and files.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual

FIRST_YEAR = 1990
YEARS_AHEAD = 20
BUDDHIST_YEARS = range(2500, 2601)
BUDDHIST_ERA_AHEAD = 543  # years

_MILLISECOND = timedelta(milliseconds=1)
_LAST = datetime.max.replace(microsecond=999_000)


class Span(NamedTuple):
    """A time with its length: from `start` until before `end`, in naive UTC."""

    start: datetime
    end: datetime


def read_span(text: str, zone: ZoneInfo, clocks: tzinfo = UTC) -> Span:
    """Return the time that a person or a client has written in ISO 8601.

    A date without a time is its day in `zone`. A time is a millisecond long, as the store
    keeps it; without an offset it is one of `clocks`. Raises `ValueError` for another text.
    """
    moment = datetime.fromisoformat(text)
    if _is_date(text):
        is_last = moment.date() == date.max
        end = _LAST if is_last else _midnight(moment + timedelta(days=1), zone)
        return Span(_midnight(moment, zone), end)
    start = to_utc(moment if moment.tzinfo else moment.replace(tzinfo=clocks))
    start = start.replace(microsecond=start.microsecond // 1000 * 1000)
    return Span(start, min(start, _LAST - _MILLISECOND) + _MILLISECOND)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def buddhist_year(moment: datetime, zone: ZoneInfo) -> Bilingual | None:
    """Return the hint for a year that seems to be one of the Buddhist era, else None."""
    year = in_zone(moment, zone).year
    if year not in BUDDHIST_YEARS:
        return None
    return texts.BUDDHIST_YEAR.format(year=year, meant=year - BUDDHIST_ERA_AHEAD)


def unlikely_date(moment: datetime, zone: ZoneInfo, now: datetime) -> Bilingual | None:
    """Return why a moment in naive UTC cannot be meant, with a hint; None if it can."""
    day, today = in_zone(moment, zone).date(), in_zone(now, zone).date()
    if hint := buddhist_year(moment, zone):
        return hint
    if day.year < FIRST_YEAR:
        return texts.DATE_TOO_EARLY.format(date=day, year=FIRST_YEAR)
    # as numbers: 29 February has no such day in some years
    if (day.year - YEARS_AHEAD, day.month, day.day) > today.timetuple()[:3]:
        return texts.DATE_TOO_LATE.format(date=day, years=YEARS_AHEAD)
    return None


def to_utc(moment: datetime) -> datetime:
    """Return a moment with an offset as naive UTC.

    It is the first or the last one that a `datetime` can be where UTC has no such time.
    """
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return datetime.min if moment.year == datetime.min.year else _LAST


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment in naive UTC as a time of a zone; of UTC if the zone has none."""
    utc = moment.replace(tzinfo=UTC)
    try:
        return utc.astimezone(zone)
    except OverflowError:  # in the first or the last hours that a `datetime` can be
        return utc


def local_date(moment: datetime, zone: ZoneInfo) -> str:
    """Return the day of a zone in which a moment in naive UTC lies, as ISO 8601."""
    return in_zone(moment, zone).date().isoformat()


def local_month(moment: datetime, zone: ZoneInfo) -> str:
    """Return the month of a zone in which a moment in naive UTC lies, such as "2026-11"."""
    local = in_zone(moment, zone)
    return f"{local.year:04}-{local.month:02}"  # a third of the time of `%Y-%m`


def day_start(moment: datetime, zone: ZoneInfo, days: int = 0) -> datetime:
    """Return when the day of a moment began, or the day that is `days` days later.

    Moments are naive UTC. A day is not 24 hours long where the clocks change.
    """
    local = moment.replace(tzinfo=UTC).astimezone(zone)
    return _midnight(local + timedelta(days), zone)


def day_span(day: date, zone: ZoneInfo) -> Span:
    """Return when a day of a zone begins, and when the next one does, in naive UTC."""
    local = datetime.combine(day, time(), zone)
    return Span(_midnight(local, zone), _midnight(local + timedelta(days=1), zone))


def day_starts(moment: datetime, zone: ZoneInfo, count: int) -> list[datetime]:
    """Return when the last `count` days began, up to that of the moment, oldest first."""
    return [day_start(moment, zone, days) for days in range(1 - count, 1)]


def hour_starts(moment: datetime, zone: ZoneInfo, count: int) -> list[datetime]:
    """Return when the last `count` hours began, up to that of the moment, oldest first."""
    local = moment.replace(tzinfo=UTC).astimezone(zone)
    began = to_utc(local.replace(minute=0, second=0, microsecond=0))
    return [began + timedelta(hours=hours) for hours in range(1 - count, 1)]


def _midnight(local: datetime, zone: ZoneInfo) -> datetime:
    """Return when the day of a time of the zone begins, as naive UTC."""
    # the offset of that midnight, whatever the offset and the fold of the time
    day = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return to_utc(day.replace(tzinfo=zone))
