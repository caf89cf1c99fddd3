"""Where a customer stands: open quotes, orders, deliveries, what is owed and paid, claims."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.aliases import May
from glassflow.domain.billing import BillingStatus
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.money import as_decimal, as_text
from glassflow.domain.orders import OPEN_ORDERS
from glassflow.domain.price_lists import is_valid
from glassflow.domain.quotes import QuoteStatus
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.claim import Claim
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.price_list import PriceList
from glassflow.models.quote import Quote
from glassflow.services import settlements
from glassflow.services.claims import claims
from glassflow.services.records.serialization import to_wire
from glassflow.services.reports import unbilled
from glassflow.services.reports.quote_sums import OFFERS
from glassflow.services.settlements import Line

MOST_SHOWN = 20  # unpaid invoices
ZERO = Decimal(0)


def read(customer: Customer, *, may: May) -> dict[str, Any]:
    """Return counts and sums of a customer; a part whose key is not held is None.

    Amounts are texts in baht; those of quotes before VAT. One query for each part.
    """
    key = customer.pk
    sees_prices = may("pricing:view")
    return {
        "quotes": _open_quotes(key) if sees_prices else None,
        "orders": _open_orders(key) if may("orders:view") else None,
        "deliveries": _planned(key) if may("orders:view") else None,
        "unbilled": _unbilled(key) if sees_prices else None,
        "balance": _balance(key) if sees_prices else None,
        "claims": _claims(key) if may("claims:view") else None,
        "prices": _prices(customer) if sees_prices else None,
    }


def _open_quotes(customer: ObjectId) -> dict[str, Any]:
    query = {"customer": customer, "status": str(QuoteStatus.SENT), **OFFERS}
    amounts = [
        row.get("amount") or 0 for row in Quote.collection().find(query, {"amount": 1})
    ]
    return {"count": len(amounts), "amount": f"{sum(amounts):.2f}"}


def _open_orders(customer: ObjectId) -> dict[str, int]:
    query = {
        "customer": customer,
        "status": {"$in": sorted(map(str, OPEN_ORDERS))},
    }
    names = ("paneCount", "panesCompleted", "panesDelivered")
    rows = list(Order.collection().find(query, dict.fromkeys(names, 1)))
    sums = {name: sum(row.get(name) or 0 for row in rows) for name in names}
    return {"count": len(rows), **sums}


def _planned(customer: ObjectId) -> dict[str, Any]:
    query = {"customer": customer, "status": str(DeliveryStatus.PLANNED)}
    shown = {"plannedFor": 1, "panes": 1}
    rows = list(Delivery.collection().find(query, shown))
    return {
        "count": len(rows),
        "panes": sum(len(row.get("panes", ())) for row in rows),
        "next": min((row["plannedFor"] for row in rows), default=None),
    }


def _unbilled(customer: ObjectId) -> dict[str, Any]:
    query = {"customer": customer, "status": str(BillingStatus.OPEN)}
    shown = {"net": 1, "vatPercent": 1}
    return unbilled.sums(list(BillingEntry.collection().find(query, shown)))


def _balance(customer: ObjectId) -> dict[str, Any]:
    """Return what a customer owes on invoices, and what is paid in advance."""
    found = settlements.read(customer)
    billed = [one for one in found.lines if one.invoice]
    invoices: dict[str, list[Line]] = defaultdict(list)
    for one in billed:
        invoices[one.invoice].append(one)
    unpaid = [
        (number, lines)
        for number, lines in invoices.items()
        if sum(one.open for one in lines)
    ]
    paid = sum((as_decimal(one["amount"]) for one in found.payments), ZERO)
    rest = sum((one.open for one in billed), ZERO)
    gross = sum((one.gross for one in billed), ZERO)
    return {
        "billed": as_text(gross),
        "paid": as_text(paid),
        "open": as_text(rest),
        "inAdvance": as_text(paid - (gross - rest)),
        "invoices": [_invoice(number, lines) for number, lines in unpaid[:MOST_SHOWN]],
        "unpaidInvoices": len(unpaid),
    }


def _invoice(number: str, lines: Sequence[Line]) -> dict[str, Any]:
    gross, paid = (
        sum((getattr(one, name) for one in lines), ZERO) for name in ("gross", "paid")
    )
    return {
        "invoiceNumber": number,
        "billedAt": lines[0].at,
        "gross": as_text(gross),
        "paid": as_text(paid),
        "open": as_text(gross - paid),
    }


def _claims(customer: ObjectId) -> dict[str, int]:
    found = Claim.collection().find(claims.of_customer(customer), {"status": 1})
    statuses = [row["status"] for row in found]
    return {
        "pending": statuses.count(ClaimStatus.PENDING),
        "approved": statuses.count(ClaimStatus.APPROVED),
        "count": len(statuses),
    }


def _prices(customer: Customer) -> Mapping[str, Any]:
    listed = PriceList.find_one({"_id": customer.price_list})
    is_now = listed and is_valid(to_wire(PriceList, listed.stored_form()), clock.now())
    return {
        "discount": float(customer.discount or 0),
        "priceList": listed.pk if listed else None,
        "priceListName": listed.name if listed else None,
        "isValid": bool(is_now),
    }
