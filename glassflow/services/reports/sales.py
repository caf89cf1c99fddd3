"""What customers were sold: deliveries by customer and month, with what was made again."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import chain
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
            **_sums(sold.get(key, _Sold()), remade.get(key, ())),
        }
        for key in {**sold, **remade}
    ]
    rows.sort(
        key=lambda one: (one["customerName"] or "", one["customer"], one["month"])
    )
    total = _sums(
        _Sold.of_all(sold.values()), list(chain.from_iterable(remade.values()))
    )
    return {"from": since, "rows": rows, "total": total}


def month_start(moment: datetime, before: int = 0) -> datetime:
    """Return when the month of a moment begins, or so many months before it; naive UTC."""
    zone = runtime.current().policy.timezone
    local = in_zone(moment, zone)
    months = local.year * 12 + local.month - 1 - before
    first = datetime(months // 12, months % 12 + 1, 1, tzinfo=zone)
    return calendar.to_utc(first)


@dataclass
class _Sold:
    """Sums of entries: those of a year are read once, and not kept."""

    net: Decimal = Decimal(0)
    panes: int = 0
    deliveries: set[ObjectId] = field(default_factory=set)

    @classmethod
    def of_all(cls, parts: Collection["_Sold"]) -> "_Sold":
        return cls(
            sum((one.net for one in parts), Decimal(0)),
            sum(one.panes for one in parts),
            {delivery for one in parts for delivery in one.deliveries},
        )

    def add(self, entry: Mapping[str, Any]) -> None:
        self.net += Decimal(str(entry["net"]))
        delivery = entry.get("delivery")
        if delivery:
            self.deliveries.add(delivery)
            self.panes += entry["paneCount"]


def _sold(since: datetime, customer: ObjectId | None) -> dict[Key, _Sold]:
    query: dict[str, Any] = {
        "deliveredAt": {"$gte": since},
        "status": {"$ne": str(BillingStatus.VOID)},
    }
    if customer:
        query["customer"] = customer
    names = ("customer", "deliveredAt", "net", "paneCount", "delivery")
    shown = {**dict.fromkeys(names, 1), "_id": 0}
    zone = runtime.current().policy.timezone
    found: dict[Key, _Sold] = defaultdict(_Sold)
    for row in BillingEntry.collection().find(query, shown):
        found[row["customer"], local_month(row["deliveredAt"], zone)].add(row)
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


def _sums(sold: _Sold, remade: Collection[Decimal | None]) -> dict[str, Any]:
    cost = sum((one or Decimal(0) for one in remade), Decimal(0))
    return {
        "deliveries": len(sold.deliveries),
        "panes": sold.panes,
        "net": as_text(sold.net),
        "remakes": len(remade),
        "remakeCost": as_text(cost),
    }
