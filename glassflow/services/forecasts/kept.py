"""The forecasts that were made, and how many of them held.

Each is kept with the working time that it gave the panes, for each of the odds. It held if
the orders of its request were complete within that time, from the forecast on, or from when
the last of the orders was made. It is not judged while that is not known, nor if the orders
have more or fewer panes by then. Of the forecasts of one record on one day the last counts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.cursor import Cursor
from pymongo.errors import CollectionInvalid

from glassflow.domain import calendar
from glassflow.domain.aliases import Raw
from glassflow.domain.forecast import ODDS
from glassflow.domain.orders import OrderStatus
from glassflow.domain.working_time import WorkingTime
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.quote import Quote
from glassflow.services.records import lookup

COLLECTION = "forecasts"
MOST_JUDGED = 200
MOST_READ = 1000
LEAST_JUDGED = 20  # of fewer a share says too little
OFF_BY = 10  # of 100


def ensure() -> None:
    """Create the collection."""
    try:
        get_db().create_collection(COLLECTION)
    except CollectionInvalid:
        pass  # it exists


def keep(
    record: Record, panes: int, leads_s: Mapping[int, float], at: datetime
) -> None:
    """Keep a forecast of a quote or a request with so many panes.

    `leads_s` is the working time (s) in which they are finished, for each of the odds.
    """
    get_db()[COLLECTION].insert_one(
        {
            "at": at,
            "kind": type(record).__name__,
            "record": record.pk,
            "panes": panes,
            "leads": {str(odds): lead_s for odds, lead_s in leads_s.items()},
        }
    )


class _Work(NamedTuple):
    """The orders of a request: their panes, when the last was made, and when all were complete."""

    panes: int
    made_at: datetime
    completed_at: datetime | None


def hit_rate(time: WorkingTime, now: datetime) -> dict[str, Any]:
    """Return of how many forecasts, of the last `MOST_JUDGED`, which share (of 100) held.

    `isOff` means that a share is more than `OFF_BY` beside its odds. Three queries.
    """
    judged = []
    for one in _judged(time, now):
        judged.append(one)
        if len(judged) == MOST_JUDGED:
            break
    held = {
        odds: round(100 * sum(one[odds] for one in judged) / len(judged))
        for odds in (ODDS if judged else ())
    }
    is_off = any(abs(share - odds) > OFF_BY for odds, share in held.items())
    return {
        "judged": len(judged),
        "held": {f"p{odds}": share for odds, share in held.items()} or None,
        "isOff": is_off and len(judged) >= LEAST_JUDGED,
    }


def _judged(time: WorkingTime, now: datetime) -> Iterator[Mapping[int, bool]]:
    """Yield whether forecasts held, by their odds, the newest first."""
    found: Cursor[dict[str, Any]] = (
        get_db()[COLLECTION].find({}).sort("_id", -1).limit(MOST_READ)
    )
    days: dict[tuple[Any, str], Raw] = {}
    for row in found:
        day = calendar.local_date(row["at"], time.zone)
        days.setdefault((row["record"], day), row)
    quotes = [one["record"] for one in days.values() if one["kind"] == Quote.__name__]
    of_quotes = lookup.field_of(Quote, "request", quotes)

    def request_of(row: Raw) -> Any:
        record = row["record"]
        return of_quotes.get(record) if row["kind"] == Quote.__name__ else record

    last = list(days.values())
    works = _works({request_of(row) for row in last} - {None})
    for one in last:
        work = works.get(request_of(one))
        if work is None or work.panes != one["panes"]:
            continue
        since, end = max(one["at"], work.made_at), work.completed_at or now
        took_s = time.seconds(since, end) if since < end else 0.0
        leads = {odds: one["leads"][str(odds)] for odds in ODDS}
        if work.completed_at is None and took_s <= max(leads.values()):
            continue
        yield {odds: took_s <= lead_s for odds, lead_s in leads.items()}


def _works(requests: Collection[ObjectId]) -> Mapping[ObjectId, _Work]:
    """Read the orders of requests that are not cancelled."""
    if not requests:
        return {}
    orders: dict[ObjectId, list[Raw]] = defaultdict(list)
    shown = ("request", "status", "paneCount", "createdAt", "completedAt")
    query = {"request": {"$in": list(requests)}}
    for row in Order.collection().find(query, dict.fromkeys(shown, 1)):
        if row["status"] != OrderStatus.CANCELLED:
            orders[row["request"]].append(row)
    return {request: _work(rows) for request, rows in orders.items()}


def _work(rows: Sequence[Raw]) -> _Work:
    ends = [row["completedAt"] for row in rows if row.get("completedAt")]
    return _Work(
        panes=sum(row.get("paneCount") or 0 for row in rows),
        made_at=max(row["createdAt"] for row in rows),
        completed_at=max(ends) if len(ends) == len(rows) else None,
    )
