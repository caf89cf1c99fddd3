"""The request body schema of the working hours."""

import re
from datetime import date
from typing import Any

from marshmallow import ValidationError, fields

from glassflow.domain import texts
from glassflow.domain.working_time import WEEKDAYS
from glassflow.schemas.base import EmbeddedSchema, RecordSchema, Reference, Text
from glassflow.schemas.embedded import DefaultedSchema, ReplacedList
from glassflow.schemas.library_messages import Length

MOST_SHIFTS, MOST_DAYS_OFF, MOST_STATIONS = 4, 400, 200
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)


class TimeOfDay(Text):
    """A time of day in hours and minutes, as "08:00"."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, *args, **kwargs)
        if not _TIME.fullmatch(text):
            raise ValidationError(texts.NOT_A_TIME_OF_DAY)
        return text


class Day(Text):
    """A day of the calendar in ISO 8601."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise ValidationError(texts.NOT_A_DAY) from None


class ShiftSchema(EmbeddedSchema):
    """A span of a weekday; one that ends at or before its start ends on the next day."""

    start = TimeOfDay(required=True)
    end = TimeOfDay(required=True)


def _shifts() -> ReplacedList:
    return ReplacedList(
        fields.Nested(ShiftSchema), load_default=list, validate=Length(max=MOST_SHIFTS)
    )


WeekSchema = DefaultedSchema.from_dict(
    {day: _shifts() for day in WEEKDAYS}, name="WeekSchema"
)
WeekSchema.__doc__ = "The spans in which the workshop works, by weekday."


class DayOffSchema(DefaultedSchema):
    """A day on which the workshop does not work."""

    date = Day(required=True)
    name = Text(maximum=200, load_default="")


class StationHoursSchema(EmbeddedSchema):
    """The week of a station that works otherwise."""

    station = Reference(required=True)
    week = fields.Nested(WeekSchema, required=True)


class WorkingHoursSchema(RecordSchema):
    """The fields that a client writes; fields that are left out keep their values.

    Null for the week: every hour counts.
    """

    server_owned = frozenset({"updatedBy", "since", "periods"})

    week = fields.Nested(WeekSchema)
    days_off = ReplacedList(
        fields.Nested(DayOffSchema), validate=Length(max=MOST_DAYS_OFF)
    )
    stations = ReplacedList(
        fields.Nested(StationHoursSchema), validate=Length(max=MOST_STATIONS)
    )
