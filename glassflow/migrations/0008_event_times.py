"""Every event has a time that is no later than now: the store removes an event by its time.

An earlier release stored any time that another program had put into the outbox.
"""

from typing import Any

from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.core.store.outbox_entries import CLOCK_TOLERANCE


def up(db: Any) -> None:
    """Give events whose time is none, or lies in the future, the current time."""
    now = clock.now()
    wrong = [
        {"at": {"$not": {"$type": "date"}}},
        {"at": {"$type": "array"}},
        {"at": {"$gt": now + CLOCK_TOLERANCE}},
    ]
    db[event_log.COLLECTION].update_many({"$or": wrong}, {"$set": {"at": now}})
