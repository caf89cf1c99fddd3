"""Counters for numbers that are never given twice: one atomic document each.

Draw numbers before a unit of work opens: inside a transaction a counter serializes all
transactions that use it. A use case that fails after drawing leaves a gap, which is
allowed.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count as counting_from
from itertools import islice
from typing import Any

import pymongo
from mongoengine.connection import get_db
from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from glassflow import runtime
from glassflow.core.process import deadlines, time_limit
from glassflow.core.store.connection import durable

COLLECTION = "counters"
# Of numbers that are rolled back: far beyond those of any counter, and apart for several
# transactions at once.
FIRST_PROVISIONAL, LAST_PROVISIONAL = 10**12, 10**15

_provisional: ContextVar[Iterator[int] | None] = ContextVar("provisional", default=None)


@contextmanager
def provisional() -> Iterator[None]:
    """Draw no numbers inside the block, all of whose writes are rolled back.

    It gets numbers that no counter gives, so that trying leaves no gap.
    """
    first = random.randrange(FIRST_PROVISIONAL, LAST_PROVISIONAL)
    token = _provisional.set(counting_from(first))
    try:
        yield
    finally:
        _provisional.reset(token)


def next_numbers(counter: str, count: int = 1) -> Sequence[int]:
    """Return the next `count` numbers of a counter, in one round trip.

    It runs outside the caller's transaction. Raises `PyMongoError` when the store does not
    answer within `COUNTER_TIMEOUT_S`, or what is left of the caller's time limit.
    """
    numbers = _provisional.get()
    if numbers is not None:
        return list(islice(numbers, count))
    seconds = time_limit.at_most(deadlines.COUNTER_TIMEOUT_S)
    return runtime.run_detached(_increment_with_timeout, counter, count, seconds)


def _increment_with_timeout(counter: str, count: int, seconds: float) -> range:
    with pymongo.timeout(seconds):
        return _increment(counter, count)


def _increment(counter: str, count: int) -> range:
    updated = _add(counter, count)
    if updated is None:  # the store has not been prepared
        ensure([counter])
        updated = _add(counter, count)
    assert updated is not None
    last = int(updated["seq"])
    return range(last - count + 1, last + 1)


def _add(counter: str, count: int) -> dict[str, Any] | None:
    # durable: a number that a failover takes back would be given twice
    return durable(COLLECTION).find_one_and_update(
        {"_id": counter},
        {"$inc": {"seq": count}},
        return_document=ReturnDocument.AFTER,
    )


def ensure(counters: Iterable[str]) -> None:
    """Create the counters that do not exist yet, at zero."""
    collection = get_db()[COLLECTION]
    for counter in counters:
        try:
            collection.insert_one({"_id": counter, "seq": 0})
        except DuplicateKeyError:
            pass
