"""The answer of a forecast."""

from glassflow.domain.forecast import Reason
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

_DATES = nullable(
    members(
        {"p50": TIME, "p85": TIME, "p95": TIME},
        title="ForecastDates",
        description="The ends of the days by which the work is finished with odds of 50, 85 "
        "and 95 of 100.",
    )
)
_STATION = {
    "station": ID,
    "stationName": described(nullable(TEXT), "Null for one that has been deleted."),
}
_SHARE = described(COUNT, "Of 100.")
_HIT_RATE = members(
    {
        "judged": described(COUNT, "Forecasts whose work is finished, the last 200."),
        "held": nullable(
            members(
                {"p50": _SHARE, "p85": _SHARE, "p95": _SHARE}, title="ForecastsThatHeld"
            )
        ),
        "isOff": described(
            BOOLEAN, "Whether a share is more than ten beside its odds, of 20 or more."
        ),
    },
    title="ForecastHitRate",
)
_LATE = members(
    {
        "order": ID,
        "orderNumber": nullable(TEXT),
        "promisedAt": described(
            TIME, "The expected delivery date of its request, else the deadline."
        ),
        "expectedAt": described(nullable(TIME), "With odds of 85 of 100."),
        "wasLate": described(BOOLEAN, "Whether it would be late as things are."),
    },
    title="LateOrder",
)
FORECAST = members(
    {
        "at": TIME,
        "panes": COUNT,
        "withoutRoute": described(COUNT, "The panes that the dates leave out."),
        "isRough": described(
            BOOLEAN, "Whether less than 50 panes took one of the routes lately."
        ),
        "reason": described(
            nullable(choice([*Reason])), "Why there are no dates; null with dates."
        ),
        "fewScans": array(
            members({**_STATION, "visits": COUNT}, title="StationWithFewScans")
        ),
        "dates": _DATES,
        "load": described(
            array(
                members(
                    {**_STATION, "panes": COUNT, "seconds": nullable(COUNT)},
                    title="LoadBefore",
                )
            ),
            "The panes of others that have the stations before them, and how long these work "
            "on them, in seconds of working time: null where too little is known.",
        ),
        "hitRate": _HIT_RATE,
        "whatIf": nullable(
            members({"dates": _DATES, "late": array(_LATE)}, title="ForecastIf")
        ),
    },
    title="Forecast",
    description="When the panes of a quote or a request are finished, with odds.",
)
