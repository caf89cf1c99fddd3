"""Records that a process keeps for a short time, because nearly every request needs them.

The worker and role behind a token, the stations of a scan and the materials of a list are
read again only after `RECORD_CACHE_S`. A record is forgotten before that

- by the process that changes it, once its transaction has ended, whatever the result
  (`core.store.outbox` reports what was changed), so that process never uses an older record
  after the change was acknowledged;
- by the process that publishes the change, so no event shows an older record than the
  events before it;
- by the other processes when the event log reports the change (`Event.recheck`). A
  process without clients does not follow the log and uses the old record until it
  expires.

A read that began before a record was forgotten does not bring the old one back. Reads
run outside the caller's transaction, which may see an older state of the store.

So a cached record may be out of date. Use it for rights, names and messages; what a rule
protects is read inside the transaction. Cached records are shared: do not change them.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from bson import ObjectId
from cachetools import TLRUCache
from mongoengine.connection import get_connection, get_db

from glassflow.core.process import deadlines

MAX_RECORDS = 4096  # of each kind
Row = Mapping[str, Any]

_caches: dict[str, "RecordCache"] = {}


class RecordCache:
    """The recently read records of one kind, in stored form, by id.

    `kind` is the name under which `outbox.record` reports changes.
    """

    def __init__(self, kind: str, collection: str) -> None:
        self._collection = collection
        self._rows: TLRUCache[ObjectId, Row] = TLRUCache(MAX_RECORDS, ttu=_expires_at)
        self._changes = 0
        _caches[kind] = self

    def get(self, record_id: ObjectId) -> Row | None:
        """Return a record, or None if it does not exist."""
        return self.get_all((record_id,)).get(record_id)

    def get_all(self, record_ids: Collection[ObjectId]) -> dict[ObjectId, Row]:
        """Return those of these records that exist, in one round trip at most."""
        found: dict[ObjectId, Row] = {}
        for one in record_ids:
            row = self._rows.get(one)
            if row is not None:
                found[one] = row
        missing = [one for one in record_ids if one not in found]
        return found | self._read(missing) if missing else found

    def forget(self, record_id: ObjectId) -> None:
        """Forget a record that is changed, and what is being read at the moment."""
        self._changes += 1
        self._rows.pop(record_id, None)

    def clear(self) -> None:
        """Forget all records."""
        self._changes += 1
        self._rows.clear()

    def _read(self, record_ids: Collection[ObjectId]) -> dict[ObjectId, Row]:
        changes = self._changes
        client = get_connection()
        with client.start_session() as session, session.bind(end_session=False):
            query = {"_id": {"$in": list(record_ids)}}
            found = get_db()[self._collection].find(query)
            rows: dict[ObjectId, Row] = {row["_id"]: row for row in found}
        if changes == self._changes:
            self._rows.update(rows)
        return rows


def _expires_at(_id: ObjectId, _row: Row, now: float) -> float:
    return now + deadlines.RECORD_CACHE_S


def of_kind(kind: str) -> RecordCache | None:
    """Return the cache of a kind of records, None for kinds that are not cached."""
    return _caches.get(kind)


def forget(changed: Iterable[tuple[str, Any]]) -> None:
    """Forget changed records, given as kinds and ids."""
    for kind, record_id in changed:
        cache = _caches.get(kind)
        if cache is not None:
            cache.forget(record_id)


def clear_all() -> None:
    """Forget all records of all kinds."""
    for cache in _caches.values():
        cache.clear()
