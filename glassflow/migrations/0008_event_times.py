"""Every event has a time that is no later than now: the store removes an event by its time.

An earlier release stored any time that another program had put into the outbox.
"""

from datetime import timedelta
from typing import Any

from glassflow.core.events import event_log
from glassflow.core.process import clock

CLOCK_TOLERANCE = timedelta(hours=1)  # between machines


def up(db: Any) -> None:
    """Give events whose time is none, or lies in the future, the current time."""
    now = clock.now()
    wrong = [
        {"at": {"$not": {"$type": "date"}}},
        {"at": {"$type": "array"}},
        {"at": {"$gt": now + CLOCK_TOLERANCE}},
    ]
    db[event_log.COLLECTION].update_many({"$or": wrong}, {"$set": {"at": now}})
