"""Payments of customers, and which amounts they pay: no ledger, that belongs to the accounts.

A payment is for an invoice, for a job (a request, or a quote that is not accepted yet), or
on account. What an invoice is paid goes to that invoice. A deposit on a job pays what is
charged of that job, the oldest first. What is left of an invoice, and what is on account, pay
what is still open, the oldest first. A credit pays as a payment on its invoice does.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

ZERO = Decimal(0)
Job = Hashable


class PaymentStatus(StrEnum):
    """Whether a payment counts; void: it was recorded by mistake, or bounced."""

    RECORDED = "recorded"
    VOID = "void"


class PaymentWay(StrEnum):
    """How a customer paid."""

    TRANSFER = "transfer"
    CASH = "cash"
    CHEQUE = "cheque"
    CARD = "card"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Due:
    """What is charged of one job: its gross amount in baht, negative for a credit.

    `invoice` is empty where no invoice has it yet, `job` None where it belongs to none.
    """

    gross: Decimal
    invoice: str = ""
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """A payment in baht, negative where it was paid back; what it is for, if anything."""

    amount: Decimal
    invoice: str = ""
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What payments pay: of each due amount, in the order given; what is left of them.

    `jobs` are the rests of deposits by their jobs; `account` is left for anything, and
    negative where more was paid back than was paid.
    """

    paid: list[Decimal]
    jobs: dict[Job, Decimal] = field(default_factory=dict)
    account: Decimal = ZERO


def settle(dues: Sequence[Due], payments: Sequence[Received]) -> Settled:
    """Pay due amounts, the oldest first, with payments.

    What is due less what is paid is what the payments lack, less what is left of them.
    """
    invoices: dict[str, Decimal] = defaultdict(Decimal)
    jobs: dict[Job, Decimal] = defaultdict(Decimal)
    account = ZERO
    for one in payments:
        if one.invoice:
            invoices[one.invoice] += one.amount
        elif one.job is not None:
            jobs[one.job] += one.amount
        else:
            account += one.amount
    for due in dues:
        if due.gross < 0:
            if due.invoice:
                invoices[due.invoice] -= due.gross
            elif due.job is not None:
                jobs[due.job] -= due.gross
            else:
                account -= due.gross
    paid = [min(due.gross, ZERO) for due in dues]

    def pay(index: int, pool: Decimal) -> Decimal:
        part = max(min(pool, dues[index].gross - paid[index]), ZERO)
        paid[index] += part
        return pool - part

    for index, due in enumerate(dues):
        if due.invoice in invoices:
            invoices[due.invoice] = pay(index, invoices[due.invoice])
    for index, due in enumerate(dues):
        if due.job in jobs:
            jobs[due.job] = pay(index, jobs[due.job])
    account += sum(invoices.values(), ZERO)
    account += sum((rest for rest in jobs.values() if rest < 0), ZERO)
    for index in range(len(dues)):
        account = pay(index, account)
    return Settled(paid, {job: rest for job, rest in jobs.items() if rest > 0}, account)
