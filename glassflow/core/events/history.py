"""The history: what was changed of each record, when, by whom and by what, in one chain.

A unit of work stores its changesets with its outbox batch, and the transaction that
publishes the batch keeps them with its events. From there `append` moves them into rows
that are numbered without gaps. Each row has a hash of the row before and of itself, so
`verify` detects a row that was altered, removed, inserted or swapped. It shows this to
whoever has noted a hash elsewhere; it does not prevent it.

Nothing is lost while an event stays in the log (EVENT_RETENTION): a process that dies
leaves the rest to the next one. Several processes may append at once: each transaction
writes the head of the chain, so they conflict, and the loser reads the new head.

`prune` removes the oldest rows. The mark `start` keeps the number and the hash of the
last one that was removed, so that the rest can still be verified.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

import bson
from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import CollectionInvalid

from glassflow.core.process.cooperative import yielding
from glassflow.core.store import outbox
from glassflow.core.store.backup_file import split
from glassflow.core.store.timed_reads import in_time
from glassflow.core.store.unit_of_work import unit_of_work

COLLECTION = "history"
MARKS = "history_marks"
HEAD, START = "head", "start"
FIRST_HASH = "0" * 64  # before the first row
# Of a record; of kinds and actions; of an actor's. In the last two a list of either is read in
# order: the embedded store reads no range of numbers by an index in descending order.
INDEXES: Sequence[Sequence[tuple[str, int]]] = (
    [("record", 1), ("_id", -1)],
    [("kind", 1), ("action", 1), ("_id", 1)],
    [("by", 1), ("kind", 1), ("action", 1), ("_id", 1)],
)
# The id of the unit of work in which records were deleted, in each row of that unit.
DELETION = "deletion"
ROWS_PER_APPEND = 1_000  # about; a batch is not divided
ROWS_PER_PRUNE = 2_000  # deleted in one transaction
ROWS_PER_READ = 500  # decoding them holds up other greenlets
MAX_FAULTS = 100
# How a stored row ends: with its hash, a text of 64 characters, and a zero.
HASH_FIELD = b"\x02hash\0" + (65).to_bytes(4, "little")
HASH_BEGIN, HASH_END = -66, -2
FIELD_BEGIN = HASH_BEGIN - len(HASH_FIELD)
# How one begins, behind its length: with a number of four or of eight bytes.
NUMBERS = {b"\x10_id\0": 4, b"\x12_id\0": 8}


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the chain: a row's number and hash, and the event it was taken from."""

    seq: int = 0
    hash: str = FIRST_HASH
    event: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where the chain is broken: the id of a row, and what is wrong there."""

    seq: Any  # a number, if it is of the service's
    reason: str  # altered, missing, inserted


@dataclass(slots=True)
class Verification:
    """The result of `verify`: how many rows there are, the newest one, and the faults."""

    head: Mark
    rows: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether the chain has no faults."""
        return not self.faults


def ensure() -> None:
    """Create the collections, the marks and the indexes."""
    for name in (COLLECTION, MARKS):
        try:
            get_db().create_collection(name)
        except CollectionInvalid:
            pass  # it exists
    for keys in INDEXES:
        get_db()[COLLECTION].create_index(keys)
    get_db()[COLLECTION].create_index(DELETION, sparse=True)
    for mark in (HEAD, START):
        get_db()[MARKS].update_one(
            {"_id": mark}, {"$setOnInsert": _mark_form(Mark())}, upsert=True
        )


def append(also: Callable[[Sequence[Mapping[str, Any]]], None]) -> int:
    """Move the changesets of all published events into the history; return how many.

    `also` gets the rows of each transaction, within it.
    """
    count = 0
    while moved := _append_some(also):
        count += moved
    return count


@unit_of_work
def _append_some(also: Callable[[Sequence[Mapping[str, Any]]], None]) -> int:
    head = _mark(HEAD)
    rows, last = [], head
    for event in _events_after(head.event):
        for change in event["history"]["changes"]:
            row = _row(last, event, change)
            last = Mark(row["_id"], row["hash"], event["seq"])
            rows.append(row)
        if len(rows) >= ROWS_PER_APPEND:
            break
    if rows:
        get_db()[COLLECTION].insert_many(rows)
        also(rows)
        get_db()[MARKS].replace_one({"_id": HEAD}, _mark_form(last), upsert=True)
    return len(rows)


def hold_head() -> Mark:
    """Return the head; a transaction that appends beside the caller's conflicts with it."""
    get_db()[MARKS].update_one({"_id": HEAD}, {"$inc": {"held": 1}})
    return _mark(HEAD)


def changes_of_events(after: int, upto: int) -> Iterator[Mapping[str, Any]]:
    """Yield the changesets of the events after a number up to another one, with their time."""
    for event in _events_after(after, upto):
        for change in event["history"]["changes"]:
            yield {**change, "at": event["at"]}


def _events_after(seq: int, upto: int | None = None) -> Iterator[Mapping[str, Any]]:
    numbers = {"$gt": seq} if upto is None else {"$gt": seq, "$lte": upto}
    query = {"seq": numbers, "history": {"$exists": True}}
    fields = {"seq": 1, "at": 1, "history": 1}
    return get_db()[outbox.EVENT_LOG].find(query, fields).sort("seq", 1).batch_size(100)


def _row(last: Mark, event: Mapping[str, Any], change: Mapping[str, Any]) -> Any:
    actor = event["history"]
    row = {
        "_id": last.seq + 1,
        "record": change["record"],
        "kind": change["kind"],
        "action": change["action"],
        "version": change["version"],
        "at": event["at"],
        "by": actor["by"],
        "via": actor["via"],
        "name": actor["name"],
        "request": actor["request"],
        "was": change["was"],
        "now": change["now"],
        "hidden": change["hidden"],
    }
    if DELETION in actor:
        row[DELETION] = actor[DELETION]
    return {**row, "hash": row_hash(last.hash, row)}


def row_hash(previous: str, row: Mapping[str, Any]) -> str:
    """Return the hash of a row, which depends on that of the row before."""
    content = {name: value for name, value in row.items() if name != "hash"}
    return sha256(previous.encode() + bson.encode(content)).hexdigest()


def head() -> Mark:
    """Return the place of the newest row."""
    return _mark(HEAD)


def is_pruned() -> bool:
    """Return whether `prune` has ever removed a row."""
    return _mark(START).seq > 0


def oldest_row() -> Mapping[str, Any] | None:
    """Read the oldest row that is kept."""
    return get_db()[COLLECTION].find_one({}, sort=[("_id", 1)])


def of_record(
    kind: str, record_id: ObjectId, *, before: int | None = None, limit: int = 0
) -> list[dict[str, Any]]:
    """Read the rows of a record, the newest first: all, or `limit` before a number."""
    query: dict[str, Any] = {"record": record_id, "kind": kind}
    if before is not None:
        query["_id"] = {"$lt": before}
    return list(get_db()[COLLECTION].find(query).sort("_id", -1).limit(limit))


def of_records(kind: str, ids: list[ObjectId], *, since: datetime) -> list[Any]:
    """Read the rows of records that are newer than a time (UTC), the newest first."""
    query = {"record": {"$in": ids}, "kind": kind, "at": {"$gt": since}}
    return list(get_db()[COLLECTION].find(query).sort("_id", -1))


def of_kinds(
    kinds: Collection[str],
    actions: Collection[str],
    *,
    by: ObjectId | None = None,
    first: int = 0,
    before: int,
    limit: int = 0,
) -> list[dict[str, Any]]:
    """Read rows of some kinds and actions, the newest first: all, or `limit`.

    Those with a number from `first` to before `before`; `by` a worker, if one is given.
    """
    query: dict[str, Any] = {
        "kind": {"$in": list(kinds)},
        "action": {"$in": list(actions)},
        "_id": {"$gte": first, "$lt": before},
    }
    if by is not None:
        query["by"] = by
    return list(get_db()[COLLECTION].find(query).sort("_id", -1).limit(limit))


def of_deletion(deletion: ObjectId) -> list[dict[str, Any]]:
    """Read all rows of the unit of work in which records were deleted."""
    return list(get_db()[COLLECTION].find({DELETION: deletion}))


def number_at(moment: datetime) -> int:
    """Return the number of the first row that is not older than a time (UTC).

    The next number if all are older. It halves the rows 20 times for a million of them.
    """
    low, high = _mark(START).seq + 1, _mark(HEAD).seq + 1
    while low < high:
        middle = (low + high) // 2
        row = get_db()[COLLECTION].find_one({"_id": middle}, {"at": 1})
        if row is None or row["at"] < moment:  # pruned meanwhile
            low = middle + 1
        else:
            high = middle
    return low


def verify(*, on_rows: Callable[[int], None] = lambda rows: None) -> Verification:
    """Compute the hash of every row again, and compare the newest with the head.

    Each batch of rows has a time limit, and all of them together have none; `on_rows` is
    called behind each, with how many there were. Begins again where rows are pruned
    meanwhile.
    """
    while True:
        start = _mark(START)
        result = _verify_from(start, on_rows)
        if result.is_whole or _mark(START) == start:
            return result


def _verify_from(last: Mark, on_rows: Callable[[int], None]) -> Verification:
    result = Verification(_mark(HEAD))  # rows that are appended meanwhile are left out
    begin = last.seq
    found = get_db()[COLLECTION].find_raw_batches(
        _numbers(begin, result.head.seq), batch_size=ROWS_PER_READ
    )
    for batch in in_time(found.sort("_id", 1)):
        for row in yielding(split(batch)):
            result.rows += 1
            last, reason = _next(last, bytes(row))
            if reason:
                result.faults.append(reason)
            if len(result.faults) >= MAX_FAULTS:
                return result
        on_rows(result.rows)
    if last.seq < result.head.seq:
        result.faults.append(Fault(last.seq + 1, "missing"))
    elif last.hash != result.head.hash:
        result.faults.append(Fault(last.seq, "altered"))
    result.faults += _outside(begin)
    return result


def _next(last: Mark, stored: bytes) -> tuple[Mark, Fault | None]:
    """Return the place of the next row, and its fault; of the bytes that are stored."""
    if following := _following(last, stored):
        return following, None
    row = bson.decode(stored, get_db().codec_options)
    reason = _fault(last, row)
    if reason != "inserted":
        last = Mark(row["_id"], str(row.get("hash")))
    return last, Fault(row["_id"], reason) if reason else None


def _following(last: Mark, stored: bytes) -> Mark | None:
    """Return the place of a row that follows without a fault, which need not be decoded.

    None where the bytes do not show that. Without the field of the hash, which `append`
    writes last, they are those that the hash was made of.
    """
    size = NUMBERS.get(stored[4:9])
    if size is None or stored[FIELD_BEGIN:HASH_BEGIN] != HASH_FIELD:
        return None
    if int.from_bytes(stored[9 : 9 + size], "little", signed=True) != last.seq + 1:
        return None
    length = len(stored) + FIELD_BEGIN + 1
    content = length.to_bytes(4, "little") + stored[4:FIELD_BEGIN] + b"\0"
    found = sha256(last.hash.encode() + content).hexdigest()
    if found.encode() != stored[HASH_BEGIN:HASH_END]:
        return None
    return Mark(last.seq + 1, found)


def rows_between(after: int, upto: int) -> Iterator[Mapping[str, Any]]:
    """Yield the rows behind a number, up to another one."""
    found = get_db()[COLLECTION].find(_numbers(after, upto)).sort("_id", 1)
    yield from found.batch_size(ROWS_PER_READ)


def _numbers(after: int, upto: int) -> dict[str, Any]:
    return {"_id": {"$gt": after, "$lte": upto}}


def _outside(begin: int) -> Iterator[Fault]:
    """Yield the first and the last row if they are not between the marks.

    An id that is no number is in one of the two places.
    """
    for direction in (1, -1):
        row = get_db()[COLLECTION].find_one({}, {"_id": 1}, sort=[("_id", direction)])
        if row and not _is_between(row["_id"], begin, _mark(HEAD).seq):
            yield Fault(row["_id"], "inserted")


def _is_between(id: Any, begin: int, end: int) -> bool:
    is_number = isinstance(id, (int, float)) and not isinstance(id, bool)
    return is_number and begin < id <= end


def _fault(last: Mark, row: Mapping[str, Any]) -> str:
    if row["_id"] > last.seq + 1:
        return "inserted" if row["_id"] % 1 else "missing"
    if row["_id"] < last.seq + 1:  # no whole number
        return "inserted"
    return "altered" if row_hash(last.hash, row) != row.get("hash") else ""


def prune(before: datetime) -> int:
    """Remove the rows that are older than a time (UTC); return how many.

    They are found by their number: no index has the time, so the store would read all rows.
    """
    last = number_at(before) - 1
    count = 0
    while removed := _prune_some(last):
        count += removed
    return count


@unit_of_work
def _prune_some(last: int) -> int:
    """Remove the oldest rows up to a number, and mark where the chain begins now."""
    start = _mark(START)
    upto = min(last, start.seq + ROWS_PER_PRUNE)
    row = get_db()[COLLECTION].find_one({"_id": upto})
    if row is None:  # all are removed
        return 0
    mark = _mark_form(Mark(upto, row["hash"]))
    get_db()[MARKS].replace_one({"_id": START}, mark, upsert=True)
    return int(get_db()[COLLECTION].delete_many({"_id": {"$lte": upto}}).deleted_count)


def _mark(name: str) -> Mark:
    members = {"_id": 0, **dict.fromkeys(("seq", "hash", "event"), 1)}
    found = get_db()[MARKS].find_one({"_id": name}, members)
    return Mark(**found) if found else Mark()


def _mark_form(mark: Mark) -> dict[str, Any]:
    return {"seq": mark.seq, "hash": mark.hash, "event": mark.event}
