"""What is not billed yet, by customer and month."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.domain.aliases import May, Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.calendar import local_month
from glassflow.domain.money import as_decimal, as_text, part_of
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.services.records import lookup


def read(*, may: May) -> dict[str, Any]:
    """Return the sums of what is not billed yet, by customer and month of the workshop.

    Amounts are texts in baht, the largest ones first; the VAT is calculated on each sum.
    Names of customers need their key.
    """
    zone = runtime.current().policy.timezone
    open_ones = {"status": str(BillingStatus.OPEN)}
    fields = ("customer", "deliveredAt", "net", "vatPercent")
    shown = {**dict.fromkeys(fields, 1), "_id": 0}
    groups: dict[tuple[ObjectId, str], list[Raw]] = defaultdict(list)
    for row in BillingEntry.collection().find(open_ones, shown):
        groups[row["customer"], local_month(row["deliveredAt"], zone)].append(row)
    names = (
        lookup.field_of(Customer, "name", (one for one, _ in groups))
        if may("customers:view")
        else {}
    )
    rows = [
        {
            "customer": customer,
            "customerName": names.get(customer),
            "month": month,
            **sums(found),
        }
        for (customer, month), found in groups.items()
    ]
    rows.sort(key=lambda one: (-as_decimal(one["gross"]), one["month"]))
    return {"groups": rows, "total": sums([one for g in groups.values() for one in g])}


def total() -> dict[str, Any]:
    """Return the sums of all that is not billed yet."""
    open_ones = {"status": str(BillingStatus.OPEN)}
    shown = {"net": 1, "vatPercent": 1, "_id": 0}
    return sums(list(BillingEntry.collection().find(open_ones, shown)))


def sums(rows: Sequence[Raw]) -> dict[str, Any]:
    """Return the sums of stored entries, as texts in baht; the VAT is that of the sum."""
    by_percent: dict[Decimal, Decimal] = defaultdict(Decimal)
    for row in rows:
        by_percent[as_decimal(row["vatPercent"])] += as_decimal(row["net"])
    net = sum(by_percent.values(), Decimal(0))
    vat = sum((part_of(n, p) for p, n in by_percent.items()), Decimal(0))
    return {
        "count": len(rows),
        "net": as_text(net),
        "vat": as_text(vat),
        "gross": as_text(net + vat),
    }
