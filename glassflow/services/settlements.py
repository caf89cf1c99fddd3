"""What customers are charged, and what of it they have paid.

`domain.payments` has the rules. The gross amount of an invoice has the VAT of its sum; what
is on no invoice yet has that of each billing entry. Both are divided among the jobs that the
entries charge, so that the parts add up to the satang. An adjustment, and what is credited
for no pane, belongs to these jobs in proportion.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby

from bson import ObjectId

from glassflow.domain.agreed_prices import is_live, share_out
from glassflow.domain.aliases import Raw
from glassflow.domain.billing import BillingStatus, vat_shares
from glassflow.domain.money import as_decimal, part_of, rounded
from glassflow.domain.payments import Due, PaymentStatus, Received, settle
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.pane import Pane
from glassflow.models.payment import Payment
from glassflow.models.quote import Quote
from glassflow.services import agreed_prices, pricing
from glassflow.services.records import lookup

ZERO = Decimal(0)
_OF_ENTRY = (
    "customer", "status", "invoiceNumber", "billedAt", "deliveredAt", "adjustment",
    "vatPercent", "parts.request", "parts.order", "parts.net",
)  # fmt: skip
_OF_PAYMENT = (
    "customer", "paymentNumber", "paidAt", "amount", "way", "quote", "request",
    "invoiceNumber",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """What a billing entry charges of a job, in baht, and what of it is paid, with VAT.

    `job` is a request, or an order without one. `entry` is None for panes that are not
    charged yet; `at` is when it was billed.
    """

    net: Decimal
    gross: Decimal
    job: ObjectId | None = None
    entry: ObjectId | None = None
    invoice: str = ""
    at: datetime | None = None
    paid: Decimal = ZERO

    @property
    def open(self) -> Decimal:
        """What is not paid."""
        return self.gross - self.paid


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one customer was charged, paid and is still to pay.

    `jobs` are the rests of deposits by their jobs, `account` is left for anything.
    `job_of_payment` tells the job of each payment for a quote or a request.
    """

    lines: Sequence[Line] = ()
    payments: Sequence[Raw] = ()
    jobs: Mapping[ObjectId, Decimal] = field(default_factory=dict)
    account: Decimal = ZERO
    job_of_payment: Mapping[ObjectId, ObjectId] = field(default_factory=dict)

    def of_job(self, job: ObjectId) -> list[Line]:
        """Return what was charged of a job."""
        return [one for one in self.lines if one.job == job]

    def paid_for(self, job: ObjectId) -> Decimal:
        """Return what was paid for a job, charged or not yet."""
        paid = sum((one.paid for one in self.of_job(job)), ZERO)
        return paid + self.jobs.get(job, ZERO)


def read(customer: ObjectId) -> Settlement:
    """Return what a customer was charged and paid. Four queries."""
    return _read([customer], {})[customer]


def unpaid_invoices(
    customers: Collection[ObjectId],
) -> dict[tuple[ObjectId, str], Decimal]:
    """Return what is open of each invoice that is not paid, by customer and number.

    In baht with VAT. Three queries, and one or more for payments of quotes.
    """
    found: dict[tuple[ObjectId, str], Decimal] = defaultdict(Decimal)
    for customer, settlement in _read(customers, {}).items():
        for line in settlement.lines:
            if line.invoice:
                found[customer, line.invoice] += line.open
    return {invoice: amount for invoice, amount in found.items() if amount > 0}


def _read(
    customers: Collection[ObjectId], further: Mapping[ObjectId, Sequence[Line]]
) -> dict[ObjectId, Settlement]:
    """Return the settlements of customers; `further` is what they will be charged."""
    entries, payments = defaultdict(list), defaultdict(list)
    counted = {"customer": {"$in": [*customers]}}
    of_entries = {**counted, "status": {"$ne": str(BillingStatus.VOID)}}
    shown = dict.fromkeys(_OF_ENTRY, 1)
    for row in BillingEntry.collection().find(of_entries, shown):
        entries[row["customer"]].append(row)
    of_payments = {**counted, "status": str(PaymentStatus.RECORDED)}
    found = list(Payment.collection().find(of_payments, dict.fromkeys(_OF_PAYMENT, 1)))
    for row in found:
        payments[row["customer"]].append(row)
    quotes = jobs_of_quotes(row["quote"] for row in found if row.get("quote"))
    return {
        one: _settled(
            [*_lines(entries[one]), *further.get(one, ())], payments[one], quotes
        )
        for one in customers
    }


def _settled(
    lines: Sequence[Line], payments: Sequence[Raw], quotes: Mapping[ObjectId, ObjectId]
) -> Settlement:
    jobs = {
        row["_id"]: row.get("request") or quotes.get(row["quote"], row["quote"])
        for row in payments
        if row.get("request") or row.get("quote")
    }
    found = settle(
        [Due(one.gross, one.invoice, one.job) for one in lines],
        [
            Received(
                as_decimal(row["amount"]),
                row.get("invoiceNumber") or "",
                jobs.get(row["_id"]),
            )
            for row in payments
        ],
    )
    paid = [
        replace(line, paid=amount)
        for line, amount in zip(lines, found.paid, strict=True)
    ]
    return Settlement(paid, payments, found.jobs, found.account, jobs)  # type: ignore[arg-type]


def jobs_of_quotes(quotes: Iterable[ObjectId]) -> dict[ObjectId, ObjectId]:
    """Return what a deposit on each of some quotes is for.

    The request that its last revision has created, else this revision. One query, and one
    for each revision.
    """
    ids = set(quotes)
    last = {one: one for one in ids}
    shown = {"request": 1, "revises": 1}
    rows = lookup.by_id(Quote, ids, ("request",)) if ids else {}
    later = ids
    while later:
        query = {"revises": {"$in": [*later]}}
        following = {
            row["revises"]: row for row in Quote.collection().find(query, shown)
        }
        for one, newest in last.items():
            if newest in following:
                row = following[newest]
                rows[row["_id"]], last[one] = row, row["_id"]
        later = {row["_id"] for row in following.values()}
    return {
        one: rows.get(newest, {}).get("request") or newest
        for one, newest in last.items()
    }


def _lines(entries: Iterable[Raw]) -> Iterator[Line]:
    """Yield what entries charge: the invoices first, the oldest first."""
    billed, waiting = list[Raw](), list[Raw]()
    for row in entries:
        (billed if row["status"] == BillingStatus.BILLED else waiting).append(row)
    billed.sort(key=lambda row: (row["billedAt"], row["invoiceNumber"], row["_id"]))
    by_invoice: dict[str, list[Raw]] = defaultdict(list)
    for row in billed:
        by_invoice[row["invoiceNumber"]].append(row)
    for invoice, rows in by_invoice.items():
        yield from _with_vat(rows, invoice)
    for row in sorted(waiting, key=lambda row: (row["deliveredAt"], row["_id"])):
        yield from _with_vat([row], "")


def _with_vat(entries: Sequence[Raw], invoice: str) -> Iterator[Line]:
    """Yield the lines of what is charged together, which add up to its gross amount."""
    ordered = sorted(entries, key=lambda row: as_decimal(row["vatPercent"]))
    for percent, rows in groupby(ordered, lambda row: as_decimal(row["vatPercent"])):
        parts = [(row, job, net) for row in rows for job, net in _nets(row)]
        vats = vat_shares([net for _, _, net in parts], percent)
        for (row, job, net), vat in zip(parts, vats, strict=True):
            yield Line(net, net + vat, job, row["_id"], invoice, row.get("billedAt"))


def _nets(entry: Raw) -> Iterator[tuple[ObjectId | None, Decimal]]:
    """Yield the jobs of an entry, and what it charges of each, with the adjustment."""
    parts, adjustment = entry.get("parts") or (), as_decimal(entry.get("adjustment"))
    nets = [as_decimal(part["net"]) for part in parts]
    if not parts:
        yield None, adjustment
        return
    shares = share_out(adjustment, [abs(one) for one in nets])
    for part, net, share in zip(parts, nets, shares, strict=True):
        yield part.get("request") or part.get("order"), net + share


def unpaid(deliveries: Sequence[Raw]) -> dict[ObjectId, Decimal]:
    """Return what customers who pay cash lack before deliveries may leave, by their ids.

    In baht with VAT: what they were charged, and the panes that wait on the stored delivery
    (`waitingPanes`). A delivery that is paid is left out. One query without such customers.
    """
    customers = {row["customer"] for row in deliveries}
    pay_cash = lookup.by_id(Customer, customers, ("_id",), where={"paysCash": True})
    rows = [row for row in deliveries if row["customer"] in pay_cash]
    if not rows:
        return {}
    panes = {
        row["_id"]: {*row.get("panes", ())} | {*row.get("missingPanes", ())}
        for row in rows
    }
    known = lookup.by_id(
        Pane,
        {pane for ids in panes.values() for pane in ids},
        ("_id", "order", "request", *agreed_prices.COUNTED, *agreed_prices.PRICED_BY),
    )
    missing = {}
    for row in rows:
        due = [known[one] for one in panes[row["_id"]] if one in known]
        further = list(_uncharged(due, row["customer"]))
        found = _read([row["customer"]], {row["customer"]: further})[row["customer"]]
        lacking = sum((one.open for one in found.lines), ZERO)
        if lacking > 0:
            missing[row["_id"]] = lacking
    return missing


def _uncharged(panes: Iterable[Raw], customer: ObjectId) -> Iterator[Line]:
    """Yield what panes will be charged that are not handed over yet."""
    percent = as_decimal(pricing.settings().vat_percent)
    jobs: dict[tuple[str, ObjectId], list[Raw]] = defaultdict(list)
    for one in panes:
        if is_live(one) and not one.get("deliveredAt"):
            owner = "request" if one.get("request") else "order"
            if one.get(owner):
                jobs[owner, one[owner]].append(one)
    for (owner, job), found in jobs.items():
        unpriced = [one for one in found if one.get("agreedPrice") is None]
        prices = (
            agreed_prices.calculated(
                unpriced,
                customer=customer,
                request=job if owner == "request" else None,
            )
            if unpriced
            else {}
        )
        net = sum(
            (
                rounded(prices.get(one["_id"]) or as_decimal(one.get("agreedPrice")))
                for one in found
            ),
            ZERO,
        )
        yield Line(net, net + part_of(net, percent), job)
