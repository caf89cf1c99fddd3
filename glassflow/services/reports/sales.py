"""What customers were sold: deliveries by customer and month, with what was made again."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.aliases import May
from glassflow.domain.billing import BillingStatus
from glassflow.domain.calendar import in_zone, local_month
from glassflow.domain.money import as_text
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.pane import Pane
from glassflow.services import agreed_prices
from glassflow.services.records import lookup

NO_ID = ObjectId(bytes(12))  # less than all ids
Key = tuple[ObjectId, str]  # a customer, and a month such as "2026-11"


def read(*, months: int, customer: ObjectId | None, may: May) -> dict[str, Any]:
    """Return the sales of the last months, this one included, by customer and month.

    Amounts are texts in baht before VAT. `remakeCost` is what the panes that were made
    again in the month would cost the customer by the prices of today; a workshop without
    costs of its own has no better measure. Names of customers need their key.
    """
    since = month_start(clock.now(), months - 1)
    sold = _sold(since, customer)
    remade = _remade(since, customer)
    names = (
        lookup.field_of(Customer, "name", (one for one, _ in (*sold, *remade)))
        if may("customers:view")
        else {}
    )
    rows = [
        {
            "customer": key[0],
            "customerName": names.get(key[0]),
            "month": key[1],
            **_sums(sold.get(key, ()), remade.get(key, ())),
        }
        for key in {**sold, **remade}
    ]
    rows.sort(
        key=lambda one: (one["customerName"] or "", one["customer"], one["month"])
    )
    every = [entry for found in sold.values() for entry in found]
    total = _sums(every, [pane for found in remade.values() for pane in found])
    return {"from": since, "rows": rows, "total": total}


def month_start(moment: datetime, before: int = 0) -> datetime:
    """Return when the month of a moment begins, or so many months before it; naive UTC."""
    zone = runtime.current().policy.timezone
    local = in_zone(moment, zone)
    months = local.year * 12 + local.month - 1 - before
    first = datetime(months // 12, months % 12 + 1, 1, tzinfo=zone)
    return calendar.to_utc(first)


def _sold(
    since: datetime, customer: ObjectId | None
) -> dict[Key, list[Mapping[str, Any]]]:
    query: dict[str, Any] = {
        "deliveredAt": {"$gte": since},
        "status": {"$ne": str(BillingStatus.VOID)},
    }
    if customer:
        query["customer"] = customer
    names = ("customer", "deliveredAt", "net", "paneCount", "delivery")
    shown = {**dict.fromkeys(names, 1), "_id": 0}
    zone = runtime.current().policy.timezone
    found: dict[Key, list[Mapping[str, Any]]] = defaultdict(list)
    for row in BillingEntry.collection().find(query, shown):
        found[row["customer"], local_month(row["deliveredAt"], zone)].append(row)
    return found


def _remade(
    since: datetime, customer: ObjectId | None
) -> dict[Key, list[Decimal | None]]:
    """Return the prices of the panes that were made again since then."""
    # a bound that every id meets: the sparse index has the remakes only
    query: dict[str, Any] = {"remakeOf": {"$gt": NO_ID}, "createdAt": {"$gte": since}}
    fields = dict.fromkeys(
        (*agreed_prices.PRICED_BY, "order", "request", "createdAt"), 1
    )
    panes = list(Pane.collection().find(query, fields))
    owners = lookup.customers_of_panes(panes)
    of_customer: dict[ObjectId, list[Mapping[str, Any]]] = defaultdict(list)
    for pane in panes:
        owner = owners.get(pane.get("order")) or owners.get(pane.get("request"))
        if owner and customer in (None, owner):
            of_customer[owner].append(pane)
    zone = runtime.current().policy.timezone
    found: dict[Key, list[Decimal | None]] = defaultdict(list)
    for owner, remakes in of_customer.items():
        prices = agreed_prices.calculated(remakes, customer=owner)
        for remake in remakes:
            month = local_month(remake["createdAt"], zone)
            found[owner, month].append(prices[remake["_id"]])
    return found


def _sums(
    entries: Iterable[Mapping[str, Any]], remade: Iterable[Decimal | None]
) -> dict[str, Any]:
    sold, again = list(entries), list(remade)
    delivered = [one for one in sold if one.get("delivery")]
    net = sum((Decimal(str(one["net"])) for one in sold), Decimal(0))
    cost = sum((one or Decimal(0) for one in again), Decimal(0))
    return {
        "deliveries": len({one["delivery"] for one in delivered}),
        "panes": sum(one["paneCount"] for one in delivered),
        "net": as_text(net),
        "remakes": len(again),
        "remakeCost": as_text(cost),
    }
