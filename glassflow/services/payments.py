"""Payments: recorded, corrected and made void; never deleted."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import calendar, texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.billing import BillingStatus
from glassflow.domain.errors import Conflict, FieldFault, Invalid
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.payments import PaymentStatus
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.payment import Payment
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.services import records
from glassflow.services.records import references

# What a payment may be for, by wire name.
TARGETS = {"quote": "quote", "request": "request", "invoice_number": "invoiceNumber"}


class PaymentVoid(Conflict):
    """The payment does not count, so nothing of it changes."""

    code = "PAYMENT_VOID"

    def __init__(self, payment: Payment) -> None:
        super().__init__(texts.PAYMENT_IS_VOID.format(number=payment.payment_number))


def record(
    *, model: type[Payment], values: Mapping[str, Any], actor: Identity
) -> Payment:
    """Record a payment, at this moment unless told otherwise.

    Raises `Invalid` for nothing, for more than one thing that it is for, and for one of
    another customer. The remarks name a payment that looks the same.
    """
    return _record(records.next_numbers(Payment)[0], values, actor)


@unit_of_work
def _record(number: str, values: Mapping[str, Any], actor: Identity) -> Payment:
    references.require_exist(references.references_in(Payment, values))
    # of two payments at once the second one repeats, and its remark names the first
    locks.touch(Customer, [values["customer"]])
    payment = records.new(Payment, values)
    payment.payment_number = number
    payment.paid_at = payment.paid_at or clock.now()
    payment.recorded_by = actor.worker_id
    _check(payment)
    records.store(payment)
    payment.remarks = _same(payment)
    return payment


@unit_of_work
def update(
    *, model: type[Payment], record_id: ObjectId, values: Raw, actor: Identity
) -> Payment:
    """Correct a payment; its customer stays.

    Raises `NotFound`, `PaymentVoid` and `Invalid` as `record` does.
    """
    payment = records.load(Payment, record_id)
    _require_counts(payment)
    if values.get("customer") not in (None, payment.customer):
        raise _invalid("customer", texts.CUSTOMER_OF_PAYMENT_STAYS)
    references.require_exist(references.references_in(Payment, values, stored=payment))
    records.apply_changes(payment, values)
    payment.paid_at = payment.paid_at or clock.now()
    _check(payment)
    records.store(payment)
    return payment


@unit_of_work
def void(*, record_id: ObjectId, reason: str, actor: Identity) -> Payment:
    """Make a payment void, for a reason. Raises `NotFound` and `PaymentVoid`."""
    payment = records.load(Payment, record_id)
    _require_counts(payment)
    payment.status = PaymentStatus.VOID
    payment.void_reason = reason
    payment.voided_at, payment.voided_by = clock.now(), actor.worker_id
    records.store(payment)
    return payment


def _require_counts(payment: Payment) -> None:
    if payment.status == PaymentStatus.VOID:
        raise PaymentVoid(payment)


def _check(payment: Payment) -> None:
    payment.amount = float(rounded(as_decimal(payment.amount)))
    if not payment.amount:
        raise _invalid("amount", texts.NOTHING_PAID)
    given = [wire for name, wire in TARGETS.items() if payment[name]]
    if len(given) > 1:
        raise _invalid(given[1], texts.PAID_FOR_ONE_THING)
    for name, model in (("quote", Quote), ("request", Request)):
        if payment[name]:
            # a request that gets another customer meanwhile conflicts
            locks.touch(model, [payment[name]])
            target = model.find_one({"_id": payment[name]})
            if target is None or target.customer != payment.customer:
                raise _invalid(name, texts.PAID_FOR_OTHER_CUSTOMER)
    if payment.invoice_number:
        billed = {
            "invoiceNumber": payment.invoice_number,
            "customer": payment.customer,
            "status": str(BillingStatus.BILLED),
        }
        if BillingEntry.find_one(billed) is None:
            raise _invalid("invoiceNumber", texts.NO_INVOICE_OF_CUSTOMER)


def _invalid(field: str, message: Bilingual) -> Invalid:
    return Invalid([{"field": field, "message": message}])


def _same(payment: Payment) -> list[FieldFault]:
    """Return the remark on payments of the same customer, day and amount, if any."""
    start = _day(payment.paid_at, 0)
    query = {
        "customer": payment.customer,
        "paidAt": {"$gte": start, "$lt": _day(payment.paid_at, 1)},
        "amount": payment.amount,
        "status": str(PaymentStatus.RECORDED),
        "_id": {"$ne": payment.pk},
    }
    numbers = [one.payment_number or "" for one in Payment.find_many(query)]
    if not numbers:
        return []
    message = texts.PAYMENT_LOOKS_THE_SAME.format(
        numbers=", ".join(numbers), amount=f"{payment.amount:,.2f}"
    )
    return [{"field": "amount", "message": message}]


def _day(moment: datetime | None, days: int) -> datetime:
    return calendar.day_start(
        moment or clock.now(), runtime.current().policy.timezone, days
    )
