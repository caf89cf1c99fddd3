"""The answers of the weekly figures."""

from glassflow.domain.claims import ClaimSource
from glassflow.schemas.shapes import (
    COUNT,
    ID,
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
