"""Answers about stock."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    ID,
    NUMBER,
    any_of,
    array,
    described,
    members,
    nullable,
    record,
)

MOVED = members(
    {
        "source": record("Inventory"),
        "target": record("Inventory"),
        "quantity": NUMBER,
        "movedQuantity": NUMBER,
    },
    title="MovedStock",
)
MOVE_PREVIEW = members(
    {
        "source": record("Inventory"),
        "target": described(nullable(record("Inventory")), "Null for a new lot."),
        "quantity": NUMBER,
    },
    title="MovePreview",
)
_TAKEN = members(
    {"inventory": any_of(record("Inventory"), ID), "quantity": NUMBER},
    title="AllocationPreview",
    description="A lot, or its id for who may not see lots, and what it gives.",
)
WITHDRAWAL_PREVIEW = members(
    {
        "allocations": array(_TAKEN),
        "left": described(NUMBER, "What the material's active lots hold afterwards."),
        "isLow": BOOLEAN,
    },
    title="WithdrawalPreview",
)


# What these answers have besides the members of the record.
OF_MATERIAL = {
    "lots": described(
        array(record("Inventory")), "Those with stock, the oldest first."
    ),
    "quantity": described(NUMBER, "The sum over the active lots."),
    "isLow": BOOLEAN,
}
OF_BOOK_ENTRY = {
    "balance": described(NUMBER, "What there is after the entry."),
    "isCounted": described(BOOLEAN, "Whether the entry changes the balance."),
}
