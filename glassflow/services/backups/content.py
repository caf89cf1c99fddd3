"""What a backup holds, and how it is read from a store and compared with one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mongoengine.connection import get_db

from glassflow.core.access import rate_limits
from glassflow.core.events import event_log, event_numbers, history, publisher_lease
from glassflow.core.store import lease
from glassflow.core.store.backup_file import Contents, Tally
from glassflow.core.store.counters import COLLECTION as COUNTERS
from glassflow.core.store.progress import Progress
from glassflow.core.store.timed_reads import in_time
from glassflow.services.cutting import audit as reservations
from glassflow.services.stock import audit

# When backups were made; about this store, so that a restore leaves it as it is.
RECORDS = "backups"
# What processes that run at the moment need; it means nothing in another store.
LEFT_OUT = frozenset(
    {
        rate_limits.COLLECTION,
        lease.COLLECTION,
        publisher_lease.COLLECTION,
        RECORDS,
    }
)
DOCUMENTS_PER_BATCH = 500  # other greenlets run between two batches


def collections() -> list[str]:
    """Return the names of the collections that a backup holds; outside of a snapshot."""
    names: list[str] = get_db().list_collection_names()
    return sorted(
        name
        for name in names
        if name not in LEFT_OUT and not name.startswith("system.")
    )


def indexes(collection: str) -> list[Mapping[str, Any]]:
    """Return the indexes of a collection as the store describes them; outside of a snapshot."""
    found = (dict(index) for index in get_db()[collection].list_indexes())
    return [{name: one[name] for name in one if name != "ns"} for one in found]


def batches(collection: str) -> Iterator[bytes]:
    """Yield the documents of a collection, some at a time, each within its time limit."""
    found = get_db()[collection].find_raw_batches({}, batch_size=DOCUMENTS_PER_BATCH)
    return in_time(found)


def count(collection: str) -> int:
    """Return how many documents a collection has; outside of a snapshot."""
    return get_db()[collection].estimated_document_count()


def contents(found: Iterable[bytes]) -> Contents:
    """Return how many documents there are in batches, and their checksums."""
    tally = Tally()
    for batch in found:
        tally.add(batch)
    return tally.contents()


def stock_findings() -> list[str]:
    """Return what is wrong with the stock, in the caller's snapshot."""
    return [*map(str, audit.compare()), *reservations.compare()]


def history_findings(progress: Progress, step: str) -> list[str]:
    """Return what is wrong with the history; outside of a snapshot.

    It reads all rows of years, which may take longer than a snapshot lasts. Rows do not
    change, so it needs none.
    """
    rows = count(history.COLLECTION)
    found = history.verify(on_rows=lambda done: progress(step, done, rows))
    return [f"row {fault.seq}: {fault.reason}" for fault in found.faults]


def event_head() -> int:
    """Return the number of the newest event, in the caller's snapshot; 0 if none ever."""
    newest = get_db()[event_log.COLLECTION].find_one({}, {"seq": 1}, sort=[("seq", -1)])
    counter = get_db()[COUNTERS].find_one({"_id": event_numbers.COUNTER})
    counted = int(counter["seq"]) if counter else 0
    return max(counted, int(newest["seq"]) if newest else 0)
