"""Answers about prices."""

from glassflow.domain.pricing import Missing
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

_PANE = members(
    {
        **{
            name: nullable(NUMBER)
            for name in ("glass", "edges", "holes", "notches", "area", "total")
        },
        "missing": described(
            nullable(choice(Missing)), "Why the pane has no price; null with one."
        ),
    },
    title="PriceOfPane",
    description="In baht for one pane with all its sheets; `area` in ft², of one sheet.",
)
QUOTE = members(
    {
        "panes": array(_PANE),
        "subtotal": NUMBER,
        "discount": described(NUMBER, "Of the customer, in percent."),
        "total": NUMBER,
        "isComplete": described(BOOLEAN, "Whether every pane has a price."),
        "isExample": described(
            BOOLEAN,
            "Whether the price list is the one of every new store, which nobody has saved.",
        ),
        "priceList": described(
            nullable(TEXT),
            "The name of the customer's price list; null without one that is valid now.",
        ),
    },
    title="Quote",
)
