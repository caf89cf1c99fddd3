"""Answers about quotes."""

from glassflow.schemas.shapes import COUNT, NUMBER, described, members

_SUM = members(
    {"count": COUNT, "amount": described(NUMBER, "In baht, before VAT.")},
    title="SumOfQuotes",
)
FIGURES = members(
    {
        "waiting": _SUM,
        "expiring": _SUM,
        "answers": members(
            {"accepted": _SUM, "rejected": _SUM, "expired": _SUM},
            title="AnswersOfCustomers",
            description="Of the last 90 days.",
        ),
    },
    title="FiguresOfQuotes",
    description="`waiting` are those that were sent and not answered yet, `expiring` those "
    "of them whose last day is one of the next seven.",
)
