"""Answers about quotes."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    NUMBER,
    TEXT,
    TIME,
    array,
    described,
    members,
    nullable,
)

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
_WORDS = {"to": array(TEXT), "subject": TEXT, "message": TEXT}
MAIL = members(
    {
        **_WORDS,
        "askedAt": TIME,
        "attempts": COUNT,
        "nextAttemptAt": nullable(TIME),
        "sentAt": nullable(TIME),
        "error": described(TEXT, "Why the last attempt failed; empty if it did not."),
    },
    title="MailOfQuote",
    description="Without `sentAt` and `nextAttemptAt` it has failed for good.",
)
MAIL_DRAFT = members(
    {"isOn": described(BOOLEAN, "Whether the service sends e-mail."), **_WORDS},
    title="MailDraft",
)
