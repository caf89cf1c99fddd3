"""Locks against new references to records that are being deleted.

A use case that writes a reference reads the referenced record and does not write it; a
deletion reads that nothing refers to its records. Two such transactions write no common
document, so the store would commit both and leave a dangling reference (write skew, see
`core.store.locks`). Writing the referenced record in both would prevent it, but would also
serialize everybody who creates panes for one station.

So there are `SHARDS` small documents. A transaction that writes references writes one
of them, each the next in turn, so that such transactions rarely conflict, and reads
there which records are being deleted. A deletion writes the names of its records into
every shard, outside its transaction and before it. That write waits for the transaction
that has written the shard, and causes a conflict in one that began earlier and writes
the shard later. After it, every reference is either committed, so that the deletion
sees it, or its transaction sees the name, starts again, and meets the result of the
deletion.

A lock ends in one of these ways:

- its names are removed from the shards as soon as the deletion has ended;
- where the shards cannot be written, because a transaction that never ends holds one of
  them, a document in `RELEASED` says that the lock is no longer in force;
- it expires after `LOCK_TTL_S`, if its process has died.

A name is a text: `Customer:<id>` for a record, `Pane` for all records of a kind.
"""

import logging
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

import pymongo
from mongoengine.connection import get_db
from pymongo import ReturnDocument, UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError, PyMongoError

from glassflow import runtime
from glassflow.core.process import deadlines
from glassflow.core.store.connection import durable
from glassflow.core.store.unit_of_work import RetryTransaction

log = logging.getLogger(__name__)

COLLECTION = "ties"
RELEASED = "released_reference_locks"
SHARDS = 16

# Ids of locks that this process could not release, because the store was away.
_to_release: set[str] = set()
_next_shard = count(uuid.uuid4().int % SHARDS)  # another first shard in each process


def lock_name(kind: str, record_id: object) -> str:
    """Return the name of a record for `protect` and `deleting`."""
    return f"{kind}:{record_id}"


def protect(names: Iterable[str]) -> None:
    """Protect these records from deletion until the open unit of work has ended.

    Call it where the unit of work writes references to them. One round trip. Raises
    `RetryTransaction` while one of them is being deleted.
    """
    shard: Mapping[str, Any] | None = get_db()[COLLECTION].find_one_and_update(
        {"_id": next(_next_shard) % SHARDS},
        {"$inc": {"turn": 1}},
        return_document=ReturnDocument.AFTER,
    )
    if shard is None:  # the store has not been prepared
        runtime.run_detached(ensure)
        raise RetryTransaction
    wanted = set(names)
    kinds = {name.partition(":")[0] for name in wanted}
    locks = _locks_on(shard, wanted | kinds)
    if locks:
        for lock_id in locks & _to_release:
            _mark_released(lock_id)
        if locks - _released_among(locks):
            raise RetryTransaction


def _locks_on(shard: Mapping[str, Any], names: Collection[str]) -> set[str]:
    """Return the ids of the locks of a shard that have not expired and name one."""
    now = time.time()
    return {
        lock_id
        for lock_id, lock in shard["going"].items()
        if abs(now - lock["at"]) < deadlines.LOCK_TTL_S
        and not set(lock["names"]).isdisjoint(names)
    }


def _released_among(lock_ids: Collection[str]) -> set[str]:
    """Return which of these locks are marked as released.

    It reads in the caller's transaction: what has released a lock since that began is
    not seen, and neither is what the deletion has stored. Such a caller starts again.
    """
    found = get_db()[RELEASED].find({"_id": {"$in": list(lock_ids)}}, {"_id": 1})
    return {row["_id"] for row in found}


@contextmanager
def deleting(names: Collection[str], deadline: float) -> Iterator[None]:
    """Prevent new references to these records inside the block.

    Enter it before the transaction that deletes them, and leave it after that. It waits
    for the open transactions that write references; `deadline`, on the monotonic clock,
    limits this, because one of a dead process stays open until the store ends it. Then
    it raises the driver's error of a timeout.
    """
    lock_id = uuid.uuid4().hex
    lock = {"at": time.time(), "names": list(names)}
    try:
        _limited(
            deadline - time.monotonic(), lambda: _write_shards(added={lock_id: lock})
        )
    except BaseException:
        _mark_released(lock_id)  # the store may still write the lock, later
        raise
    try:
        yield
    finally:
        _release(lock_id)


def _release(lock_id: str) -> None:
    """Remove the names of a lock from the shards, or mark it as released."""
    try:
        _limited(
            deadlines.LOCK_RELEASE_TIMEOUT_S, lambda: _write_shards(ended=[lock_id])
        )
    except PyMongoError:
        _mark_released(lock_id)


def _mark_released(lock_id: str) -> None:
    """Store that a lock is not in force. No other transaction can block this write.

    If the store is away, the next use case that meets the lock tries again.
    """
    _to_release.add(lock_id)
    try:
        _limited(deadlines.LOCK_RELEASE_TIMEOUT_S, lambda: _insert_released(lock_id))
    except PyMongoError:
        log.exception("Could not release the lock of a deletion; trying again later")
    else:
        _to_release.discard(lock_id)


def _insert_released(lock_id: str) -> None:
    released = durable(RELEASED)
    try:
        released.insert_one({"_id": lock_id, "at": time.time()})
    except DuplicateKeyError:
        pass  # the answer to the first attempt was lost
    released.delete_many({"at": {"$lt": time.time() - _kept_s()}})


def _limited(seconds: float, call: Callable[[], None]) -> None:
    """Run a call outside the caller's transaction, with a time limit of its own."""

    def run() -> None:
        with pymongo.timeout(max(seconds, 0.001)):  # 0 would be no limit
            call()

    runtime.run_detached(run)


def _kept_s() -> float:
    """Return for how many seconds locks are kept, with a margin for other clocks."""
    return 2 * deadlines.LOCK_TTL_S


def _write_shards(
    added: Mapping[str, Mapping[str, Any]] | None = None, ended: Collection[str] = ()
) -> None:
    """Add locks to every shard, and remove those that have ended or expired.

    Call it outside any transaction. It writes one by one: an `update_many` that waits
    for a transaction keeps the shards it has written locked, and the embedded store does
    not resolve that deadlock.
    """
    change = _change(added or {}, ended)
    shards = durable(COLLECTION)
    writes = [UpdateOne({"_id": shard}, change) for shard in range(SHARDS)]
    if shards.bulk_write(writes, ordered=False).matched_count < SHARDS:
        ensure()
        shards.bulk_write(writes, ordered=False)


def _change(
    added: Mapping[str, Mapping[str, Any]], ended: Collection[str]
) -> list[Mapping[str, Any]]:
    """Return the update of a shard, as a pipeline."""
    age = {"$abs": {"$subtract": ["$$lock.v.at", time.time()]}}
    is_kept = {
        "$and": [
            {"$lt": [age, _kept_s()]},
            {"$not": [{"$in": ["$$lock.k", list(ended)]}]},
        ]
    }
    locks = {"$objectToArray": "$going"}
    kept = {"$filter": {"input": locks, "as": "lock", "cond": is_kept}}
    return [
        {"$set": {"going": {"$arrayToObject": kept}}},
        *(
            {"$set": {f"going.{key}": {"$literal": lock}}}
            for key, lock in added.items()
        ),
    ]


def clear_all() -> None:
    """Remove all locks, for a process that is the only one to use the store."""
    get_db()[COLLECTION].update_many({}, {"$set": {"going": {}}})


def ensure() -> None:
    """Create the shards that do not exist yet."""
    rows = [{"_id": shard, "turn": 0, "going": {}} for shard in range(SHARDS)]
    try:
        get_db()[COLLECTION].insert_many(rows, ordered=False)
    except BulkWriteError:
        pass  # some exist already
