"""What waits for the office: late orders, those due today, new requests, returned panes."""

from collections import Counter
from datetime import datetime
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.aliases import May, Raw
from glassflow.domain.deliveries import PaneState, state_of
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services.deliveries import deliveries
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.reports import due_orders
from glassflow.services.reports.due_orders import Due

MAX_NEWEST = 5
SHOWN = ("requestNumber", "createdAt", "deadline", "status")
# Deliveries that came back which are read: the newest, where there are more.
MAX_CAME_BACK = 200
SHOWN_OF_DELIVERY = ("deliveryNumber", "plannedFor", "status")
READ_OF_DELIVERY = (
    *SHOWN_OF_DELIVERY, "customer", "missingPanes", "handOvers.at", "handOvers.undone",
    "handOvers.left.pane", "handOvers.left.reason",
)  # fmt: skip
WAITING = frozenset(set(PaneState) - {PaneState.LOST, PaneState.DELIVERED})
OF_PANE = ("currentStatus", "heldFrom", "writtenOff", "deliveredAt")


def read(may: May) -> dict[str, Any]:
    """Return counts of open orders, their value, new requests, and what came back.

    `may` tells whether the caller holds a key; what they could not read elsewhere is None.
    Two round trips for the orders, two or three for the requests, and one to three for the
    deliveries.
    """
    named = may("customers:view")
    came_back = _came_back(named=named) if may("orders:view") else None
    if not may("requests:view"):
        orders = dict.fromkeys(("late", "dueToday", "openValue", "arrived"))
        return {**orders, "cameBack": came_back}
    found = due_orders.read_open_orders({})
    counts = found.counts()
    return {
        "late": counts[Due.LATE],
        "dueToday": counts[Due.TODAY],
        "openValue": found.value
        if restricted_fields.may_read("Request", may)
        else None,
        "arrived": _arrived(named=named),
        "cameBack": came_back,
    }


def _arrived(*, named: bool) -> dict[str, Any]:
    """Return how many requests were created today or yesterday, and the newest of them."""
    zone = runtime.current().policy.timezone
    since = calendar.day_start(clock.now(), zone, -1)
    query = {"createdAt": {"$gte": since}}
    requests = Request.collection()
    found = requests.find(query, dict.fromkeys((*SHOWN, "customer"), 1))
    newest = list(found.sort([("createdAt", -1), ("_id", -1)]).limit(MAX_NEWEST))
    ids = [row["customer"] for row in newest] if named else ()
    customers = lookup.field_of(Customer, "name", ids)
    return {
        "since": since,
        "count": requests.count_documents(query),
        "newest": [
            {
                "_id": row["_id"],
                **{name: row.get(name) for name in SHOWN},
                "customerName": customers.get(row["customer"]),
            }
            for row in newest
        ],
    }


def _came_back(*, named: bool) -> dict[str, Any]:
    """Return the deliveries with panes that came back and wait, the newest of them in full.

    Panes that are lost meanwhile do not wait.
    """
    shown = dict.fromkeys(READ_OF_DELIVERY, 1)
    found = Delivery.collection().find(deliveries.waiting(), shown)
    newest_day = [("plannedFor", -1), ("_id", -1)]
    rows = list(found.sort(newest_day).limit(MAX_CAME_BACK))
    ids = [one for row in rows for one in row["missingPanes"]]
    panes = lookup.by_id(Pane, ids, OF_PANE)
    waiting = {one for one, pane in panes.items() if state_of(pane) in WAITING}
    open_rows = [
        {**row, "missingPanes": [one for one in row["missingPanes"] if one in waiting]}
        for row in rows
    ]
    open_rows = [row for row in open_rows if row["missingPanes"]]
    newest = sorted(open_rows, key=_came_back_at, reverse=True)[:MAX_NEWEST]
    customers = lookup.referred(
        Customer, newest if named else (), "customer", ("name",)
    )
    return {
        "deliveries": len(open_rows),
        "panes": sum(len(row["missingPanes"]) for row in open_rows),
        "newest": [
            {
                "_id": row["_id"],
                **{name: row.get(name) for name in SHOWN_OF_DELIVERY},
                "at": _came_back_at(row),
                "customerName": customers.get(row["customer"], {}).get("name"),
                "panes": len(row["missingPanes"]),
                "reasons": _reasons(row),
            }
            for row in newest
        ],
    }


def _came_back_at(delivery: Raw) -> datetime:
    """Return when a stored delivery was handed over last, or came back."""
    times: list[datetime] = [one["at"] for one in _counting(delivery)]
    return max(times, default=delivery["plannedFor"])


def _reasons(delivery: Raw) -> list[dict[str, Any]]:
    """Count the panes that wait by why they came back, as it was said last."""
    said = {
        row["pane"]: row["reason"]
        for one in _counting(delivery)
        for row in one["left"]
        if row["reason"]
    }
    counts = Counter(said[one] for one in delivery["missingPanes"] if one in said)
    return [{"reason": one, "count": count} for one, count in counts.most_common()]


def _counting(delivery: Raw) -> list[Raw]:
    return [one for one in delivery["handOvers"] if not one["undone"]]
