"""Numbers that are given once: one atomic counter each, never reused.

Numbers are drawn before a unit of work opens, because inside a transaction a counter
is a queue for everybody; a failed use case leaves a gap, which is allowed.
"""

from collections.abc import Iterable
from contextvars import Context
from typing import Any

import pymongo
from mongoengine.connection import get_db
from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

COLLECTION = "counters"
PATIENCE = 4.0  # seconds


def draw(counter: str, count: int = 1) -> range:
    """Draw `count` consecutive numbers from a counter, in one round trip.

    Runs outside the caller's context, and so outside a transaction that is open and
    without the caller's patience.
    """
    return Context().run(_draw_in_time, counter, count)


def _draw_in_time(counter: str, count: int) -> range:
    with pymongo.timeout(PATIENCE):
        return _draw(counter, count)


def _draw(counter: str, count: int) -> range:
    collection = get_db()[COLLECTION]
    query, change = {"_id": counter}, {"$inc": {"seq": count}}
    found: dict[str, Any] | None = collection.find_one_and_update(
        query, change, return_document=ReturnDocument.AFTER
    )
    if found is None:  # a new store that nobody has prepared
        ensure([counter])
        found = collection.find_one_and_update(
            query, change, return_document=ReturnDocument.AFTER
        )
    assert found is not None
    last = int(found["seq"])
    return range(last - count + 1, last + 1)


def take(counter: str, count: int) -> range:
    """Draw numbers inside the caller's transaction: without gaps, and one by one."""
    return _draw(counter, count)


def ensure(counters: Iterable[str]) -> None:
    """Create the counters that do not exist yet, at zero."""
    collection = get_db()[COLLECTION]
    for counter in counters:
        try:
            collection.insert_one({"_id": counter, "seq": 0})
        except DuplicateKeyError:
            pass
