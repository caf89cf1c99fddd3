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
- where the shards cannot be written in time, because a transaction that never ends holds
  one of them, a document in `RELEASED` says that the lock is no longer in force;
- it expires after `LOCK_TTL_S`, if its process has died.

What the latter two leave on the shards is removed with the next write: by the next
deletion of the process that failed, or of one that has read an expired lock.

A name is a text: `Customer:<id>` for a record, `Pane` for all records of a kind.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

import pymongo
from mongoengine.connection import get_db
from pymongo import ReturnDocument, UpdateOne
from pymongo.errors import (
    BulkWriteError,
    DuplicateKeyError,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
)

from glassflow import runtime
from glassflow.core.process import deadlines
from glassflow.core.store import retry_queue, transactions
from glassflow.core.store.connection import durable
from glassflow.core.store.unit_of_work import RetryTransaction, lock_before
from glassflow.domain.errors import Contention

log = logging.getLogger(__name__)

COLLECTION = "ties"
RELEASED = "released_reference_locks"
SHARDS = 16

# Ids of locks that have ended and may be on the shards: the next write removes them.
_ended: set[str] = set()
_writing = threading.Lock()  # the deletions of this process write the shards in turn
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
        in_force = locks - _released_among(locks)
        for lock_id in in_force & _ended:
            _mark_released(lock_id)
        if in_force:
            raise RetryTransaction


def _locks_on(shard: Mapping[str, Any], names: Collection[str]) -> set[str]:
    """Return the ids of the locks of a shard that have not expired and name one."""
    now = time.time()
    found = set()
    for lock_id, lock in shard["going"].items():
        age = abs(now - lock["at"])
        if age > _kept_s():
            _ended.add(lock_id)
        if age < deadlines.LOCK_TTL_S and not set(lock["names"]).isdisjoint(names):
            found.add(lock_id)
    return found


def _released_among(lock_ids: Collection[str]) -> set[str]:
    """Return which of these locks are marked as released.

    It reads in the caller's transaction: what has released a lock since that began is
    not seen, and neither is what the deletion has stored. Such a caller starts again.
    """
    found = get_db()[RELEASED].find({"_id": {"$in": list(lock_ids)}}, {"_id": 1})
    return {row["_id"] for row in found}


def wait_for_equal_deletions(names: Iterable[str]) -> None:
    """Wait until this process's other deletions of these records have ended.

    Call it before the open unit of work reads them, and `deleting` after that: of equal
    deletions at once one writes the shards, and the others read that the record is gone.
    Raises `Contention` at the deadline of the unit of work.
    """
    lock_before([f"deletion of {name}" for name in names], _turn)


@contextmanager
def _turn(names: Collection[str], deadline: float) -> Iterator[None]:
    turns = [("deletions", name) for name in names]
    try:
        with retry_queue.hold(turns, deadline):
            yield
    except retry_queue.TurnTimeout:
        raise Contention from None


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
        _write_shards(deadline, added={lock_id: lock})
    except BaseException:
        _mark_released(lock_id)  # the store may still write the lock, later
        raise
    try:
        yield
    finally:
        _release(lock_id, deadline)


def _release(lock_id: str, deadline: float) -> None:
    """Remove the names of a lock from the shards, or mark it as released.

    The latter where the deadline passes first: the next write removes the names.
    """
    try:
        _write_shards(deadline, ended=[lock_id])
    except PyMongoError:
        _mark_released(lock_id)


def _mark_released(lock_id: str) -> None:
    """Store that a lock is not in force. No other transaction can block this write.

    If the store is away, the next use case that meets the lock tries again.
    """
    _ended.add(lock_id)
    try:
        _limited(deadlines.LOCK_RELEASE_TIMEOUT_S, lambda: _insert_released(lock_id))
    except PyMongoError as error:
        log.warning(
            "could not release the lock of a deletion, trying again later: %s",
            str(error).partition(", Timeout: ")[0],
        )


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
    deadline: float,
    added: Mapping[str, Mapping[str, Any]] | None = None,
    ended: Collection[str] = (),
) -> None:
    """Add locks to every shard, and remove those that have ended.

    Call it outside any transaction. `deadline` is on the monotonic clock. Raises the
    driver's errors, and `NetworkTimeout` where the turn of this process does not come.
    """
    left_s = deadline - time.monotonic()
    if left_s <= 0 or not _writing.acquire(timeout=left_s):
        raise NetworkTimeout("no time left to write the reference locks")
    try:
        removed = {*ended, *_ended}
        change = _change(added or {}, removed)
        _limited(deadline - time.monotonic(), lambda: _write_change(change))
        _ended.difference_update(removed)
    finally:
        _writing.release()


def _write_change(change: Mapping[str, Any]) -> None:
    if not _is_written_at_once(change):
        _write_one_by_one(change)


def _is_written_at_once(change: Mapping[str, Any]) -> bool:
    """Write every shard in one transaction, or none where another one has written some.

    One statement and one sync of the journal. It does not wait for other transactions:
    the store refuses it.
    """
    try:
        with transactions.open_transaction() as session:
            written = get_db()[COLLECTION].update_many({}, change)
            session.commit_transaction()
    except OperationFailure:
        return False
    return written.matched_count == SHARDS


def _write_one_by_one(change: Mapping[str, Any]) -> None:
    """Write every shard, and wait for the transactions that have written one.

    An `update_many` that waits for a transaction would keep the shards it has written
    locked, and the embedded store does not resolve that deadlock.
    """
    shards = durable(COLLECTION)
    writes = [UpdateOne({"_id": shard}, change) for shard in range(SHARDS)]
    if shards.bulk_write(writes, ordered=False).matched_count < SHARDS:
        ensure()
        shards.bulk_write(writes, ordered=False)


def _change(
    added: Mapping[str, Mapping[str, Any]], ended: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return the update of a shard."""
    change: dict[str, dict[str, Any]] = {
        "$set": {f"going.{lock_id}": lock for lock_id, lock in added.items()},
        "$unset": {f"going.{lock_id}": "" for lock_id in ended},
    }
    return {operator: fields for operator, fields in change.items() if fields}


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
