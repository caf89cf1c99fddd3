"""Payments of customers."""

from mongoengine import DateTimeField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.payments import PaymentStatus, PaymentWay
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, Ref


class Payment(Record):
    """What a customer paid at `paid_at`; `amount` is in baht, negative if it was paid back.

    It is for one of a quote, a request (a deposit) and an invoice of the accounting
    program, or on account. A void one does not count, for a reason.
    """

    meta = {
        "collection": "payments",
        "indexes": [
            {"fields": ["payment_number"], "unique": True, "sparse": True},
            for_lists("customer"),
            for_lists("quote"),
            for_lists("request"),
            for_lists("invoice_number"),
            for_lists("status"),
            ("paid_at", "id"),
        ],
    }
    label = Bilingual("Payment", th="การรับชำระเงิน")
    numbered = ("payment_number", "PAY")

    payment_number = StringField()
    customer = Ref("Customer", required=True)
    paid_at = DateTimeField(required=True)
    amount = NumberField(required=True)
    way = Choice(*PaymentWay, default=PaymentWay.TRANSFER.value)
    quote = Ref("Quote")
    request = Ref("Request")
    invoice_number = StringField(default="")
    note = StringField(default="")
    status = Choice(*PaymentStatus, default=PaymentStatus.RECORDED.value)
    recorded_by = Ref("Worker")
    void_reason = StringField(default="")
    voided_at = DateTimeField()
    voided_by = Ref("Worker")
