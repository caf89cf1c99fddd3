"""What waits for the office: late orders, those due today, and new requests."""

from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.aliases import May
from glassflow.models.customer import Customer
from glassflow.models.request import Request
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.reports import due_orders
from glassflow.services.reports.due_orders import Due

MAX_NEWEST = 5
SHOWN = ("requestNumber", "createdAt", "deadline", "status")


def read(may: May) -> dict[str, Any]:
    """Return counts of open orders, their value, and the requests since yesterday.

    `may` tells whether the caller holds a key; what they could not read elsewhere is None.
    Two round trips for the orders, and two or three for the requests.
    """
    if not may("requests:view"):
        return dict.fromkeys(("late", "dueToday", "openValue", "arrived"))
    found = due_orders.read_open_orders({})
    counts = found.counts()
    return {
        "late": counts[Due.LATE],
        "dueToday": counts[Due.TODAY],
        "openValue": found.value
        if restricted_fields.may_read("Request", may)
        else None,
        "arrived": _arrived(named=may("customers:view")),
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
