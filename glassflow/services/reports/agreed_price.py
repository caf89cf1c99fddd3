"""How the agreed price of a request comes about: what is charged, and what is open."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.domain.agreed_prices import is_live
from glassflow.domain.billing import BillingStatus
from glassflow.domain.money import as_decimal, as_text
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import agreed_prices


def read(request: Request) -> dict[str, Any]:
    """Return the agreed price of a request and its parts, which add up to it.

    Amounts are texts in baht before VAT. `charges` are its parts of billing entries, oldest
    first; `open` are the panes that none has charged, but for free ones that were handed
    over, `lost` those of them that were cancelled or lost and can still be charged. Three
    queries.
    """
    charges = [_charge(entry, request.pk) for entry in _entries(request.pk)]
    charged = agreed_prices.charged("request", request.pk)
    query = {"request": request.pk}
    fields = (*agreed_prices.COUNTED, "remade", "remakeOf")
    rows = list(Pane.collection().find(query, dict.fromkeys(fields, 1)))
    replaced = {row.get("remakeOf") for row in rows}
    left = [row for row in rows if not charged.has(row) and row["_id"] not in replaced]
    live = [row for row in left if is_live(row) and not _is_done(row)]
    lost = [
        row
        for row in left
        if row.get("agreedPrice") and not (is_live(row) or row.get("remade"))
    ]
    return {
        "total": as_text(as_decimal((request.details or {}).get("estimatedPrice"))),
        "charged": as_text(charged.net),
        "charges": charges,
        "open": _of_panes(live),
        "unpriced": sum(row.get("agreedPrice") is None for row in live),
        "lost": {**_of_panes(lost), "panes": [row["_id"] for row in lost]},
        "waiting": as_text(as_decimal(request.unshared_price)),
    }


def _is_done(pane: dict[str, Any]) -> bool:
    """Return whether a pane was handed over free: no entry is to come."""
    return bool(pane.get("deliveredAt")) and pane.get("agreedPrice") == 0


def _entries(request: ObjectId) -> list[BillingEntry]:
    query = {"parts.request": request, "status": {"$ne": str(BillingStatus.VOID)}}
    found = BillingEntry.find_many(query)
    return sorted(found, key=lambda one: (one.delivered_at, one.pk))


def _charge(entry: BillingEntry, request: ObjectId) -> dict[str, Any]:
    parts = [one for one in entry.parts if one["request"] == request]
    lines = [line for one in parts for line in one.get("panes", ())]
    return {
        "entry": entry.pk,
        "entryNumber": entry.entry_number,
        "at": entry.delivered_at,
        "status": entry.status,
        "reason": entry.reason,
        "count": len(lines),
        "net": as_text(_sum(one["net"] for one in parts)),
    }


def _of_panes(rows: list[dict[str, Any]]) -> dict[str, Any]:
    prices = _sum(row.get("agreedPrice") for row in rows)
    return {"count": len(rows), "price": as_text(prices)}


def _sum(amounts: Iterable[float | str | None]) -> Decimal:
    return sum((Decimal(str(one or 0)) for one in amounts), Decimal(0))
