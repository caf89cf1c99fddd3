"""Answers about prices."""

from glassflow.domain.pricing import Missing, Part, Unit
from glassflow.schemas.shapes import (
    BOOLEAN,
    NUMBER,
    TEXT,
    array,
    choice,
    described,
    members,
    nullable,
)

_LINE = members(
    {
        "part": choice(Part),
        "name": described(TEXT, "Of the process, or the profile of the edge."),
        "quantity": described(
            TEXT, "To four decimal places; with a percentage, the amount it is of."
        ),
        "unit": choice(Unit),
        "rate": TEXT,
        "amount": TEXT,
    },
    title="LineOfPrice",
    description="How a part of the price comes about: quantity times rate.",
)
_PANE = members(
    {
        "lines": array(_LINE),
        "area": nullable(TEXT),
        "total": nullable(TEXT),
        "missing": described(
            nullable(choice(Missing)), "Why the pane has no price; null with one."
        ),
    },
    title="PriceOfPane",
    description="In baht for one pane with all its sheets; `area` in ft², of one sheet.",
)
PRICED_PANES = members(
    {
        "panes": array(_PANE),
        "subtotal": TEXT,
        "rush": described(TEXT, "What is added because it is urgent."),
        "discount": described(NUMBER, "That is taken, in percent."),
        "discountAmount": TEXT,
        "minimumCharge": described(TEXT, "What is added up to the minimum charge."),
        "total": described(TEXT, "Before VAT."),
        "vatPercent": NUMBER,
        "vat": TEXT,
        "totalWithVat": TEXT,
        "isComplete": described(BOOLEAN, "Whether every pane has a price."),
        "isExample": described(
            BOOLEAN,
            "Whether the prices are those of every new store, which nobody has saved.",
        ),
        "priceList": described(
            nullable(TEXT),
            "The name of the customer's price list; null without one that is valid now.",
        ),
    },
    title="PricedPanes",
    description="Amounts are in baht, as texts of two decimal places.",
)
