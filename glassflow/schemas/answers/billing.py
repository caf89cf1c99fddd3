"""Answers about billing."""

from glassflow.schemas.shapes import (
    COUNT,
    ID,
    TEXT,
    array,
    described,
    members,
    nullable,
)

_BAHT = described(TEXT, "In baht.")
_SUM = {"count": COUNT, "net": _BAHT, "vat": _BAHT, "gross": _BAHT}
FIGURES = members(
    {
        "groups": array(
            members(
                {
                    "customer": ID,
                    "customerName": nullable(TEXT),
                    "month": described(TEXT, "`2026-11`, in the workshop's time zone."),
                    **_SUM,
                },
                title="UnbilledMonth",
            )
        ),
        "total": members(_SUM, title="UnbilledTotal"),
    },
    title="UnbilledFigures",
    description="What was delivered and is not billed yet, by customer and month. The VAT is "
    "that of each sum.",
)
