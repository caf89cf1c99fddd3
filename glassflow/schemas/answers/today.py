"""The answer of the morning page."""

from glassflow.schemas.answers.reports import BOARD_DELIVERY
from glassflow.schemas.shapes import (
    COUNT,
    ID,
    INTEGER,
    NUMBER,
    TEXT,
    TIME,
    array,
    described,
    members,
    nullable,
)

_DAY = described(TEXT, "A day in ISO 8601.")
_VALUE = described(
    nullable(TEXT), "In baht before VAT; null for callers who are shown no prices."
)
_FINISHED = members(
    {
        "panes": COUNT,
        "area": described(NUMBER, "In m²."),
        "value": _VALUE,
        "usual": described(
            nullable(COUNT), "The median of the last 20 such weekdays; null for few."
        ),
        "target": described(
            nullable(COUNT), "The `dailyTarget` of the workshop as it is now, or null."
        ),
    },
    title="FinishedYesterday",
)
_STANDING = members(
    {"station": ID, "name": TEXT, "panes": COUNT}, title="PanesAtStation"
)
_ORDERS = nullable(
    members(
        {
            "count": COUNT,
            "orders": described(
                array(
                    members(
                        {
                            "_id": ID,
                            "orderNumber": nullable(TEXT),
                            "customerShortName": nullable(TEXT),
                            "deadline": TIME,
                            "paneCount": COUNT,
                            "panesCompleted": COUNT,
                            "panesDelivered": COUNT,
                            "stations": array(_STANDING),
                        },
                        title="DueOrder",
                    )
                ),
                "The ten with the earliest deadlines.",
            ),
        },
        title="DueOrders",
    )
)
_CAUSE = members(
    {
        "station": nullable(ID),
        "stationName": nullable(TEXT),
        "reason": TEXT,
        "panes": COUNT,
    },
    title="CauseOfRemakes",
)
_REMAKES = members(
    {"panes": COUNT, "value": _VALUE, "first": nullable(_CAUSE)}, title="RemakesOfDay"
)
_JAM = members(
    {
        "station": ID,
        "stationName": nullable(TEXT),
        "panes": COUNT,
        "more": described(COUNT, "How many have been added since yesterday."),
        "oldestSeconds": described(INTEGER, "Of working time."),
    },
    title="Jam",
)
_SHARE = {"orders": COUNT, "onTime": COUNT}
_ON_TIME = members(
    {"days": COUNT, **_SHARE, "before": members(_SHARE, title="OnTimeBefore")},
    title="OnTime",
)
_UNBILLED = members(
    {"count": COUNT, "net": TEXT, "vat": TEXT, "gross": TEXT}, title="Unbilled"
)
_LOW = members(
    {"material": ID, "name": TEXT, "quantity": NUMBER, "unit": TEXT},
    title="LowToday",
)
TODAY = members(
    {
        "day": described(_DAY, "The last working day, which the figures are of."),
        "timezone": TEXT,
        "finished": nullable(_FINISHED),
        "late": _ORDERS,
        "soon": described(_ORDERS, "Due within two working days."),
        "remakes": nullable(_REMAKES),
        "jam": nullable(_JAM),
        "onTime": nullable(_ON_TIME),
        "undelivered": nullable(
            members(
                {"orders": COUNT, "panes": COUNT, "value": _VALUE}, title="Undelivered"
            )
        ),
        "unbilled": nullable(_UNBILLED),
        "unpaid": nullable(
            members(
                {"invoices": COUNT, "amount": described(TEXT, "In baht with VAT.")},
                title="UnpaidInvoices",
            )
        ),
        "expiring": nullable(
            members({"count": COUNT, "amount": NUMBER}, title="ExpiringQuotes")
        ),
        "deliveries": array(BOARD_DELIVERY),
        "lowStock": nullable(array(_LOW)),
    },
    title="Today",
)
