"""The answers of the weekly figures."""

from glassflow.domain.claims import ClaimSource
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    INTEGER,
    NUMBER,
    TEXT,
    array,
    choice,
    described,
    members,
    nullable,
)

_PERIOD = {"days": COUNT, "from": described(TEXT, "The first day, in ISO 8601.")}
_NAME = described(nullable(TEXT), "Null for one that has been deleted.")
_LOSS_SUMS = {
    "panes": COUNT,
    "remade": described(COUNT, "How many of them have a remake."),
    "value": described(
        nullable(TEXT),
        "What was agreed for them, in baht before VAT; null for callers who are shown no prices.",
    ),
}
LOSSES = members(
    {
        **_PERIOD,
        "rows": array(
            members(
                {
                    "source": described(
                        choice(["check", *ClaimSource]),
                        "A failed check, or who found the defect that was claimed.",
                    ),
                    "station": nullable(ID),
                    "stationName": _NAME,
                    "reason": described(TEXT, "A defect code, or empty."),
                    **_LOSS_SUMS,
                },
                title="LossesByCause",
            )
        ),
        "totals": members(_LOSS_SUMS, title="LossSums"),
    },
    title="Losses",
    description="The panes that were lost, by cause, the largest value first.",
)
STOCK_USE = members(
    {
        **_PERIOD,
        "rows": array(
            members(
                {
                    "material": ID,
                    "name": _NAME,
                    "unit": nullable(TEXT),
                    "taken": described(NUMBER, "Withdrawn less returned."),
                    "writtenOff": described(
                        NUMBER,
                        "Corrections downwards less those upwards: below 0 if more was "
                        "found than missed.",
                    ),
                    "lostPanes": described(
                        nullable(COUNT), "Null for callers who may not view them."
                    ),
                    "lostArea": described(nullable(NUMBER), "In m², of these panes."),
                },
                title="UseOfMaterial",
            )
        ),
    },
    title="StockUse",
    description="What was used of each material, what was taken most first.",
)

_SECONDS = described(nullable(NUMBER), "In seconds of working time.")
_LENGTH = members(
    {"p50": _SECONDS, "p85": _SECONDS, "p95": _SECONDS, "count": COUNT},
    title="LengthOfTime",
    description="Which length 50, 85 and 95 of 100 panes did not exceed; null without panes.",
)
_LEAD = {"panes": COUNT, "p50": _SECONDS, "p85": _SECONDS, "p95": _SECONDS}
_WEEK = {"week": described(TEXT, "Its Monday, in ISO 8601.")}
_WAITING = members(
    {
        "panes": COUNT,
        "p50": NUMBER,
        "p85": NUMBER,
        "p95": NUMBER,
        "over85": described(COUNT, "The panes that are there for longer than `p85`."),
        "over95": COUNT,
        "ages": described(array(COUNT), "At most 100, the oldest first."),
        "oldest": nullable(
            members(
                {"pane": ID, "paneNumber": TEXT, "seconds": COUNT}, title="OldestPane"
            )
        ),
    },
    title="WaitingPanes",
    description="How long the panes are there that are at a station now, and how long panes "
    "usually stay; in seconds of working time.",
)
_STATION_FLOW = members(
    {
        "station": ID,
        "stationName": _NAME,
        "arrived": COUNT,
        "left": COUNT,
        "failed": COUNT,
        "added": described(
            INTEGER, "The panes that came less those that went, by any change."
        ),
        "stay": _LENGTH,
        "queue": _LENGTH,
        "touch": _LENGTH,
        "effectiveSeconds": described(nullable(COUNT), "The mean of `touch`."),
        "load": described(
            nullable(NUMBER),
            "Which share of what the station can do arrived: 1 is all of it. Null where the "
            "beginning and the end of the work are known of too few panes.",
        ),
        "atOnce": described(
            nullable(COUNT), "How many panes it works on at once on its busy days."
        ),
        "scansMissing": described(
            BOOLEAN,
            "Whether there are many more panes, or fewer, than arrivals and stays explain.",
        ),
        "waiting": _WAITING,
    },
    title="FlowOfStation",
    description="`stay` is how long the panes were there that left, `queue` how long until the "
    "work on a pane began, and `touch` how long the work took.",
)
FLOW = members(
    {
        **_PERIOD,
        "lead": nullable(
            members(
                {
                    **_LEAD,
                    "weeks": array(members({**_WEEK, **_LEAD}, title="LeadOfWeek")),
                },
                title="LeadTime",
                description="How long the panes took that were finished, from when they were "
                "created; for a remake, from when it was made again.",
            )
        ),
        "stations": nullable(array(_STATION_FLOW)),
    },
    title="Flow",
    description="Parts whose key the caller does not hold are null.",
)
_ON_TIME = {"orders": COUNT, "onTime": COUNT}
ON_TIME = members(
    {
        **_PERIOD,
        **_ON_TIME,
        "weeks": array(members({**_WEEK, **_ON_TIME}, title="OnTimeOfWeek")),
    },
    title="OnTimeByWeek",
    description="The orders whose deadlines lay in the last days, and those of them that were "
    "complete by then.",
)
