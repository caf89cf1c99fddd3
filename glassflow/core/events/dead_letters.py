"""Dead letters: outbox entries that cannot be published, kept for an operator.

An entry that cannot be read, rendered or stored must not hold up the ones behind it. The
publisher moves it here, in the transaction that removes its batch from the outbox.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import bson
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import outbox, ttl_indexes
from glassflow.core.store.outbox_entries import Entry, Message, Unreadable, stored_form
from glassflow.core.store.unit_of_work import unit_of_work

COLLECTION = "dead_letters"
RETENTION = timedelta(days=90)
MAX_ENTRY_BYTES = 15_000_000  # a document of the store takes 16 MB


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An entry of a batch, and why it could not be published (a class of errors)."""

    batch: Any
    entry: Entry | Unreadable
    reason: str

    @property
    def subject(self) -> str:
        """What the entry was to publish, without its content."""
        if isinstance(self.entry, Unreadable):
            return "unreadable entry"
        if isinstance(self.entry, Message):
            return self.entry.event
        return f"{self.entry.kind} {self.entry.action}"


def ensure() -> None:
    """Create the TTL index that removes dead letters after `RETENTION`."""
    retention_s = int(RETENTION.total_seconds())
    ttl_indexes.ensure(COLLECTION, "at", retention_s)


def store(letters: Sequence[DeadLetter]) -> None:
    """Store dead letters; inside a transaction, which also removes their batch."""
    if letters:
        get_db()[COLLECTION].insert_many([_row(letter) for letter in letters])


def count() -> int:
    """Return the number of dead letters."""
    return get_db()[COLLECTION].count_documents({})


def newest(limit: int) -> list[dict[str, Any]]:
    """Return the newest dead letters without their entries: `{_id, at, subject, …}`."""
    rows = get_db()[COLLECTION].find({}, {"entry": 0}).sort("_id", -1)
    return list(rows.limit(limit))


@unit_of_work
def retry() -> int:
    """Move all dead letters back to the outbox, the oldest first; return their number.

    An entry that was too large to be kept is discarded.
    """
    rows = list(get_db()[COLLECTION].find({}).sort("_id", 1))
    now = clock.now()
    for row in rows:
        if row["entry"] is not None:
            batch = {"at": now, "entries": [row["entry"]]}
            get_db()[outbox.COLLECTION].insert_one(batch)
    get_db()[COLLECTION].delete_many({"_id": {"$in": [row["_id"] for row in rows]}})
    return len(rows)


def discard() -> int:
    """Delete all dead letters; return their number."""
    return int(get_db()[COLLECTION].delete_many({}).deleted_count)


def _row(letter: DeadLetter) -> dict[str, Any]:
    return {
        "_id": ObjectId(),
        "at": clock.now(),
        "batch": letter.batch,
        "subject": letter.subject,
        "reason": letter.reason,
        "entry": _if_storable(stored_form(letter.entry)),
    }


def _if_storable(entry: Any) -> Any:
    """Return an entry as it is, or None where no document has room for it."""
    try:
        size = len(bson.encode({"entry": entry}))
    except (bson.errors.BSONError, OverflowError, RecursionError):
        return None
    return entry if size <= MAX_ENTRY_BYTES else None
