"""The request body schemas of payments."""

from glassflow.domain.money import MOST_OF_PAPER
from glassflow.domain.payments import PaymentWay
from glassflow.schemas.base import (
    Choice,
    Number,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)


class PaymentSchema(RecordSchema):
    """What a customer paid, and what it is for: one of three, or on account."""

    server_owned = frozenset(
        {
            "paymentNumber",
            "status",
            "recordedBy",
            "voidReason",
            "voidedAt",
            "voidedBy",
        }
    )

    customer = Reference(required=True)
    paid_at = UTCDateTime()
    amount = Number(required=True, minimum=-MOST_OF_PAPER, maximum=MOST_OF_PAPER)
    way = Choice(*PaymentWay)
    quote = Reference()
    request = Reference()
    invoice_number = Text(maximum=100)
    note = Text(maximum=500)


class PaymentVoidSchema(RecordSchema):
    """Why a payment does not count."""

    reason = Text(required=True, minimum=1, maximum=500)
