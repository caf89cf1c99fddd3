"""The days and hours of the workshop's time zone, as moments in naive UTC."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment in naive UTC as a time of a zone; of UTC if the zone has none."""
    utc = moment.replace(tzinfo=UTC)
    try:
        return utc.astimezone(zone)
    except OverflowError:  # in the first or the last hours that a `datetime` can be
        return utc


def day_start(moment: datetime, zone: ZoneInfo, days: int = 0) -> datetime:
    """Return when the day of a moment began, or the day that is `days` days later.

    Moments are naive UTC. A day is not 24 hours long where the clocks change.
    """
    local = moment.replace(tzinfo=UTC).astimezone(zone)
    date = local.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days)
    # by calendar, then the offset of that day, whatever the fold of the moment
    return _naive_utc(date.replace(tzinfo=zone, fold=0))


def day_starts(moment: datetime, zone: ZoneInfo, count: int) -> list[datetime]:
    """Return when the last `count` days began, up to that of the moment, oldest first."""
    return [day_start(moment, zone, days) for days in range(1 - count, 1)]


def hour_starts(moment: datetime, zone: ZoneInfo, count: int) -> list[datetime]:
    """Return when the last `count` hours began, up to that of the moment, oldest first."""
    local = moment.replace(tzinfo=UTC).astimezone(zone)
    began = _naive_utc(local.replace(minute=0, second=0, microsecond=0))
    return [began + timedelta(hours=hours) for hours in range(1 - count, 1)]


def _naive_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
