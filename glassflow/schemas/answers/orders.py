"""Answers about orders, and about requests with their orders."""

from glassflow.schemas.shapes import COUNT, TEXT, described, members, nullable

CANCELLATION = members(
    {
        "orders": described(nullable(COUNT), "Open orders, which are cancelled."),
        "panes": described(
            nullable(COUNT),
            "Unfinished panes, which are cancelled; a laminated unit counts once.",
        ),
        "claims": described(nullable(COUNT), "Pending claims, which are rejected."),
        "withdrawals": described(
            nullable(COUNT), "Pending withdrawals, which are rejected."
        ),
        "price": described(
            nullable(TEXT),
            "What was agreed for the panes and is not charged any more, in baht before VAT.",
        ),
    },
    title="CancellationPreview",
    description="What a cancellation would change; parts that the caller may not see are "
    "null.",
)
