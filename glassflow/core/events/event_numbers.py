"""The numbers of events: without gaps, and none is given twice.

The process that publishes keeps the highest number in memory, and draws none from a
counter in the store. Where another process has published meanwhile, the unique index on
`seq` refuses the number; then it is read from the log again.

The counter in the store is a lower bound of the highest number, written twice a second
at most. It counts where all events have expired, and limits what `newest` searches.

A restored log goes on far behind its newest event (`skip_to`), because the events that it
lacks had numbers too.
"""

from collections.abc import Mapping
from typing import Any

from mongoengine.connection import get_connection, get_db

from glassflow.core.store import counters, outbox
from glassflow.core.store.connection import as_majority_stored

COLLECTION = outbox.EVENT_LOG
COUNTER = "events"
SKIPPED = "skipped"  # the member of the counter that `skip_to` sets

_UNKNOWN = (None, 0)
# The highest number, and what the counter is known to be, of a connection.
_highest: tuple[Any, int] = _UNKNOWN
_saved: tuple[Any, int] = _UNKNOWN


def ensure() -> None:
    """Create the counter, and raise it to the newest event if it is behind the log."""
    counters.ensure([COUNTER])
    counted = _counted()
    number = newest(counted)
    if number > counted:
        _raise_counter(number)


def newest(known: int | None = None) -> int:
    """Return the number of the newest event, 0 if there was never one.

    `known` is the number of an event that the caller has read: then this is one round
    trip, otherwise two.
    """
    known = _counted() if known is None else known
    query = {"seq": {"$gt": known}}
    log = as_majority_stored(COLLECTION)
    row = log.find_one(query, {"seq": 1}, sort=[("seq", -1)])
    return int(row["seq"]) if row else known


def next_free() -> int:
    """Return the number of the next event; call it outside any transaction."""
    global _highest
    client = get_connection()
    if _highest[0] is not client:
        _highest = client, newest()
    return _highest[1] + 1


def set_highest(number: int) -> None:
    """Report the number of the newest event, after the transaction that has stored it."""
    global _highest
    _highest = get_connection(), number


def forget() -> None:
    """Read the highest number from the store next time: another process has published."""
    global _highest
    _highest = _UNKNOWN


def save() -> None:
    """Raise the counter in the store to the highest number, unless that has been done."""
    global _saved
    client, number = _highest
    if client is not get_connection() or _saved == _highest:
        return
    _raise_counter(number)
    _saved = client, number


def skip_to(number: int) -> None:
    """Leave out all numbers up to this one, and one at least.

    A reader who continues after one of them, or after the newest event, is told that events
    are missing, as where they have expired (`is_any_skipped`); other gaps are passed over. Call
    it while no process publishes.
    """
    head = newest()
    end = max(number, head + 1)
    values = {"seq": end, SKIPPED: {"after": head, "upto": end}}
    counted = get_db()[counters.COLLECTION]
    counted.update_one({"_id": COUNTER}, {"$set": values}, upsert=True)
    forget()


def are_skipped(after: int, upto: int) -> bool:
    """Return whether `skip_to` has left out all numbers after one up to another."""
    return _counter().get(SKIPPED) == {"after": after, "upto": upto}


def is_any_skipped(first: int, last: int) -> bool:
    """Return whether the last `skip_to` has left out a number from one to another."""
    skipped = _counter().get(SKIPPED)
    return skipped is not None and first <= skipped["upto"] and skipped["after"] < last


def _raise_counter(number: int) -> None:
    counted = get_db()[counters.COLLECTION]
    counted.update_one({"_id": COUNTER}, {"$max": {"seq": number}})


def _counted() -> int:
    return int(_counter().get("seq", 0))


def _counter() -> Mapping[str, Any]:
    return as_majority_stored(counters.COLLECTION).find_one({"_id": COUNTER}) or {}
