"""How many quotes wait for an answer, and which part of them customers accept."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.models.quote import Quote

OFFERS = {"kind": {"$ne": str(QuoteKind.CONFIRMATION)}}
SOON_DAYS = 7
ANSWERED_DAYS = 90


def read() -> dict[str, Any]:
    """Return the quotes that wait, those that expire soon, and the answers of late.

    Amounts are in baht before VAT. `expiring` counts those whose last day is one of the
    next seven, today included; `answers` those of the last 90 days.
    """
    zone = runtime.current().policy.timezone
    soon = calendar.day_start(clock.now(), zone, SOON_DAYS)
    since = clock.now() - timedelta(ANSWERED_DAYS)
    waiting = _found({"status": str(QuoteStatus.SENT)})
    expiring = [row for row in waiting if _is_before(row, soon)]
    ends = {
        QuoteStatus.ACCEPTED: "answeredAt",
        QuoteStatus.REJECTED: "answeredAt",
        QuoteStatus.EXPIRED: "validUntil",
    }
    answers = {
        str(status): _sum(_found({"status": str(status), field: {"$gte": since}}))
        for status, field in ends.items()
    }
    return {"waiting": _sum(waiting), "expiring": _sum(expiring), "answers": answers}


def read_expiring() -> dict[str, Any]:
    """Return the quotes that wait and whose last day is one of the next seven."""
    zone = runtime.current().policy.timezone
    soon = calendar.day_start(clock.now(), zone, SOON_DAYS)
    last = {"status": str(QuoteStatus.SENT), "validUntil": {"$lt": soon}}
    return _sum(_found(last))


def _is_before(row: Mapping[str, Any], moment: Any) -> bool:
    return bool(row.get("validUntil") and row["validUntil"] < moment)


def _found(query: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    wanted = {"amount": 1, "validUntil": 1, "_id": 0}
    return list(Quote.collection().find({**query, **OFFERS}, wanted))


def _sum(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    amounts = [row.get("amount") or 0 for row in rows]
    return {"count": len(amounts), "amount": round(sum(amounts), 2)}
