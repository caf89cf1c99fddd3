"""Answers about the working hours."""

from glassflow.domain.working_time import WEEKDAYS
from glassflow.schemas.shapes import TEXT, TIME, array, described, members, nullable

_DAY = described(TEXT, "A day in ISO 8601.")
_SHIFT = members({"start": TEXT, "end": TEXT}, title="WorkingShift")
WEEK = members({day: array(_SHIFT) for day in WEEKDAYS}, title="WorkingWeek")
_DAYS_OFF = array(members({"date": _DAY, "name": TEXT}, title="DayOff"))
_STATIONS = array(members({"station": TEXT, "week": WEEK}, title="StationHours"))
PERIODS = array(
    members(
        {
            "since": TIME,
            "week": nullable(WEEK),
            "daysOff": _DAYS_OFF,
            "stations": _STATIONS,
        },
        title="PeriodOfHours",
    )
)
HOLIDAYS = members(
    {
        "holidays": array(
            members(
                {"date": _DAY, "name": members({"th": TEXT, "en": TEXT})},
                title="Holiday",
            )
        ),
        "until": _DAY,
    },
    title="Holidays",
)
