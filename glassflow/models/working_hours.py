"""The working hours of the workshop: its week and its days off, one document."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from mongoengine import DateTimeField, ListField

from glassflow.core.process.json import parse_iso
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.working_time import (
    Period,
    WorkingTime,
    WorkingTimes,
    read_week,
)
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, Ref


class WorkingHours(Record):
    """When the workshop works, in the form of the API; see `domain.working_time`.

    `week` is what is in force from `since` on, None where every hour counts. `days_off` are
    `{date, name}`. `stations` are `{station, week}` of those that work otherwise; the id is
    a text, since a station that is deleted keeps its past. `periods` are the earlier ones,
    oldest first, each with its `since` and, of the days off, those that lay in it.
    """

    meta = {"collection": "working_hours"}
    label = Bilingual("Working hours", th="เวลาทำงาน")

    week: JSONField[dict[str, Any] | None] = JSONField()
    days_off = ListField(JSONField())
    stations = ListField(JSONField())
    since = DateTimeField()
    periods = ListField(JSONField())
    updated_by = Ref("Worker")

    @classmethod
    def read_times(cls, zone: ZoneInfo) -> WorkingTimes:
        """Return the working times that are stored, of a time zone; one query."""
        stored = cls.collection().find_one({})
        return times_of(stored or {}, zone)


def times_of(stored: Raw, zone: ZoneInfo) -> WorkingTimes:
    """Return the working times of a stored document."""
    rows = list(_periods(stored))
    stations = {one["station"] for _, row in rows for one in row.get("stations", ())}
    return WorkingTimes(
        _time(rows, zone), {one: _time(rows, zone, one) for one in stations}
    )


def _periods(stored: Raw) -> Iterator[tuple[datetime, Raw]]:
    for row in stored.get("periods", ()):
        yield parse_iso(row["since"]), row
    if since := stored.get("since"):
        yield since, stored


def _time(
    rows: list[tuple[datetime, Raw]], zone: ZoneInfo, station: str = ""
) -> WorkingTime:
    return WorkingTime(
        zone,
        [Period(since, _week(row, station), _days_off(row)) for since, row in rows],
    )


def _week(row: Raw, station: str) -> Any:
    others = (
        one["week"] for one in row.get("stations", ()) if one["station"] == station
    )
    week = next(others, row.get("week"))
    return read_week(week) if week else None


def _days_off(row: Raw) -> frozenset[str]:
    return frozenset(one["date"] for one in row.get("daysOff", ()))
