"""Repairs the times of stored events: the store removes an event by its time only."""

from math import inf, nan
from sys import maxunicode
from typing import Any

from bson import Binary, MaxKey, MinKey, ObjectId, Timestamp
from mongoengine.connection import get_db
from pymongo import UpdateMany

from glassflow.core.events import event_numbers
from glassflow.core.process import clock
from glassflow.core.store.outbox_entries import CLOCK_TOLERANCE

# What is no time, by type. A condition on the type itself would read the whole log; each
# of these, as a statement of its own, finds its few events by the index on `at`.
NO_TIMES: tuple[Any, ...] = (
    None,  # also without the field
    {"$gte": -inf},
    nan,
    {"$gte": "", "$lt": chr(maxunicode)},
    {"$gte": {}},
    {"$gte": []},
    {"$gte": Binary(b"")},
    {"$gte": ObjectId(b"\0" * 12)},
    {"$gte": False},
    {"$gte": Timestamp(0, 0)},
    MinKey(),
    MaxKey(),
)


def repair() -> None:
    """Give events whose time is none, or lies in the future, the current time.

    The store would never remove them. Earlier releases stored any time that another
    program had put into the outbox. One round trip.
    """
    now = clock.now()
    wrong = (*NO_TIMES, {"$gt": now + CLOCK_TOLERANCE})
    repaired = {"$set": {"at": now}}
    get_db()[event_numbers.COLLECTION].bulk_write(
        [UpdateMany({"at": one}, repaired) for one in wrong], ordered=False
    )
