"""Answers about quotes."""

from glassflow.domain.bilingual import Language
from glassflow.domain.quotes import CustomerNoteKind, QuoteKind, QuoteStatus
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    NUMBER,
    TEXT,
    TIME,
    array,
    choice,
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
LINK = members(
    {
        "url": described(TEXT, "The address that the customer opens."),
        "expiresAt": TIME,
    },
    title="LinkOfQuote",
)
_DAY = described(TEXT, "A day of the workshop, ISO 8601.")
_BAHT = described(TEXT, "In baht.")
_LINE = members(
    {
        "description": TEXT,
        "mark": TEXT,
        "remark": TEXT,
        "width": nullable(described(NUMBER, "In mm.")),
        "height": nullable(described(NUMBER, "In mm.")),
        "quantity": COUNT,
        "unitPrice": _BAHT,
        "amount": _BAHT,
    },
    title="LineOfOffer",
)
LINES = array(_LINE)
_CHANGE = members(
    {
        "on": _DAY,
        "reason": TEXT,
        "difference": _BAHT,
        "waits": described(BOOLEAN, "Whether it is made once the customer confirms."),
        "lines": array(
            members({"words": TEXT, "difference": _BAHT}, title="LineOfChangeInWords")
        ),
    },
    title="ChangeInWords",
)
OFFER = members(
    {
        "number": TEXT,
        "kind": choice(QuoteKind),
        "status": choice(QuoteStatus),
        "answeredOn": nullable(_DAY),
        "date": _DAY,
        "validUntil": nullable(_DAY),
        "language": described(choice(Language), "That of this answer."),
        "seller": described(TEXT, "The name of the workshop."),
        "buyer": described(TEXT, "The name of the customer."),
        "preparedBy": TEXT,
        "lines": LINES,
        "changes": described(
            array(_CHANGE), "Of a confirmation: what has changed since the quote."
        ),
        "subtotal": _BAHT,
        "rush": _BAHT,
        "discountPercent": NUMBER,
        "discount": _BAHT,
        "minimum": described(TEXT, "In baht, added up to the minimum charge."),
        "net": described(TEXT, "In baht, before VAT."),
        "vatPercent": NUMBER,
        "vat": _BAHT,
        "gross": described(TEXT, "In baht, with VAT."),
        "depositPercent": NUMBER,
        "deposit": described(TEXT, "What is to be paid in advance, in baht, with VAT."),
        "leadTime": TEXT,
        "expectedDelivery": nullable(_DAY),
        "notes": TEXT,
        "conditions": TEXT,
        "changesAsked": described(
            array(
                members({"on": _DAY, "name": TEXT, "text": TEXT}, title="ChangeAsked")
            ),
            "What customers would like changed, the latest last.",
        ),
    },
    title="Offer",
)
CUSTOMER_NOTE = members(
    {
        "kind": described(
            choice(CustomerNoteKind),
            "`change`: the customer wants a change; `note`: the customer wrote it with a "
            "confirmation; `failed`: the service refused an acceptance.",
        ),
        "at": TIME,
        "name": described(TEXT, "The name that the customer gave."),
        "text": described(TEXT, "What the customer wrote, or why it was refused."),
    },
    title="NoteOfCustomer",
)
_WORDS = {"to": array(TEXT), "subject": TEXT, "message": TEXT}
MAIL = members(
    {
        **_WORDS,
        "linkTo": described(
            TEXT, "Where the link of the quote leads; empty: the mail has none."
        ),
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
    {
        "isOn": described(BOOLEAN, "Whether the service sends e-mail."),
        **_WORDS,
        "linkText": described(
            TEXT,
            "What is added below the text, with an ellipsis for the secret; empty: the "
            "mail has no link.",
        ),
        "customerAddresses": described(
            nullable(array(TEXT)),
            "The e-mail addresses of the customer; null without `customers:view`.",
        ),
    },
    title="MailDraft",
)
