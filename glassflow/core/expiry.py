"""Expired documents of the embedded store, which the service removes itself.

For a TTL index the embedded store reads every document of the collection once a minute,
and others wait meanwhile: with 30,000 events in the log, for a second (measured). So it
gets a plain index, and the retention is stored here. MongoDB has TTL indexes
(`core.ttl_indexes`).
"""

from datetime import timedelta

from mongoengine.connection import get_db

from glassflow.core import clock

COLLECTION = "retentions"


def ensure(collection: str, field: str, retention_s: int) -> None:
    """Create a plain index on a date, and store how long after it documents are kept.

    A TTL index of an earlier release is replaced.
    """
    rows = get_db()[collection]
    existing = rows.index_information().get(f"{field}_1", {})
    if "expireAfterSeconds" in existing:
        rows.drop_index(f"{field}_1")
    rows.create_index(field)
    kept = {"collection": collection, "field": field, "seconds": retention_s}
    name = {"_id": f"{collection}.{field}"}
    get_db()[COLLECTION].replace_one(name, kept, upsert=True)


def remove_expired() -> int:
    """Delete the documents whose retention has ended; return how many."""
    removed = 0
    for kept in get_db()[COLLECTION].find():
        end = clock.now() - timedelta(seconds=kept["seconds"])
        rows = get_db()[kept["collection"]]
        removed += rows.delete_many({kept["field"]: {"$lt": end}}).deleted_count
    return removed
