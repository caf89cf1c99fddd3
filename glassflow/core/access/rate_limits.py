"""Counts attempts in the store, so that a limit holds for all processes together.

Each key has one document. Its window begins with the first attempt; the first attempt
after its end begins the next one. Beside them are keys that are remembered for a time,
because an attempt has succeeded there.

Inside a unit of work an attempt is counted with its commit, and only then.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from mongoengine.connection import get_db
from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes

COLLECTION = "attempts"


class Window(NamedTuple):
    """How many attempts a key has had in its window, and when that ends (UTC)."""

    attempts: int
    until: datetime


def ensure() -> None:
    """Create the TTL index that removes windows which have ended."""
    ttl_indexes.ensure(COLLECTION, "until", 0)


def take_back(key: str) -> None:
    """Take back an attempt that was counted and does not count, because it succeeded."""
    collection = get_db()[COLLECTION]
    collection.update_one(
        {"_id": key, "attempts": {"$gt": 0}}, {"$inc": {"attempts": -1}}
    )


def forget(key: str) -> None:
    """Forget the attempts of a key."""
    get_db()[COLLECTION].delete_one({"_id": key})


def remember(key: str, length: timedelta) -> None:
    """Remember a key, which is not counted, for so long."""
    until = {"$set": {"attempts": 0, "until": clock.now() + length}}
    get_db()[COLLECTION].update_one({"_id": key}, until, upsert=True)


def is_remembered(key: str) -> bool:
    """Return whether a key is remembered."""
    known = {"_id": key, "until": {"$gt": clock.now()}}
    return get_db()[COLLECTION].find_one(known, {"_id": 1}) is not None


def count(key: str, length: timedelta) -> Window:
    """Count one attempt, usually in one round trip; a new window has this length."""
    collection = get_db()[COLLECTION]
    while True:  # another attempt was counted wherever this has to repeat
        now = clock.now()
        new = Window(1, now + length)
        row = collection.find_one_and_update(
            {"_id": key},
            {"$inc": {"attempts": 1}},
            return_document=ReturnDocument.AFTER,
        )
        if row is None:
            try:
                collection.insert_one({"_id": key, **new._asdict()})
            except DuplicateKeyError:
                continue
            return new
        if now < row["until"] <= now + 2 * length:  # later ends come from a wrong clock
            return Window(row["attempts"], row["until"])
        ended = {"_id": key, "until": row["until"]}
        if collection.update_one(ended, {"$set": new._asdict()}).matched_count:
            return new
