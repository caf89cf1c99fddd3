"""The outbox: what has to be published once a change is committed.

Models and services add entries. The unit of work stores them in batches, in the
transaction of the change, and passes the batches to the publisher after its commit. If
that does not happen (the process died), the publisher's sweep finds the batches in the
store (`core.events.event_log`). Which clients receive what is decided by the publisher
(`glassflow.realtime`), not here.
"""

import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import bson
from bson import ObjectId
from bson.raw_bson import RawBSONDocument
from mongoengine.connection import get_db
from pymongo.errors import CollectionInvalid

from glassflow import runtime
from glassflow.core import actor
from glassflow.core.process import clock, record_cache
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.changesets import DELETED, GENERIC, Changeset, Changesets
from glassflow.core.store.live_events import LiveEvent
from glassflow.core.store.outbox_entries import (
    Change,
    Entry,
    Message,
    OutboxBatch,
    stored_form,
)
from glassflow.core.store.transactions import open_transaction

log = logging.getLogger(__name__)

COLLECTION = "outbox"
EVENT_LOG = "event_log"  # the collection of `core.events.event_log`
MAX_BATCH_BYTES = 4_000_000  # a single larger entry makes a batch of its own
MAX_BATCH_ENTRIES = 500


@dataclass(slots=True)
class Outbox:
    """The entries of one unit of work: at most one for each record and named action.

    Besides, what it has changed of each record, announced or not.
    """

    entries: list[Entry] = field(default_factory=list)
    changesets: Changesets = field(default_factory=Changesets)
    additions: int = 0  # entries and changesets, also those that were merged
    _changed: set[tuple[str, Any]] = field(default_factory=set)

    def add(self, entry: Entry) -> None:
        """Add an entry, merged with an earlier change of the same record if possible.

        A delete replaces earlier changes of a record that existed before.
        """
        if isinstance(entry, Change):
            if (entry.kind, entry.id) in self._changed:
                if entry.action == "deleted":
                    entry = self._collapse_into_delete(entry)
                elif self._merge_into_earlier(entry):
                    return
            self._changed.add((entry.kind, entry.id))
        self.entries.append(entry)

    def named_changesets(self) -> list[Changeset]:
        """Return the changesets, under the named action of the record's event."""
        named = {
            (entry.kind, entry.id): entry.action
            for entry in self.entries
            if isinstance(entry, Change) and entry.action not in GENERIC
        }
        return self.changesets.named(named)

    def _merge_into_earlier(self, change: Change) -> bool:
        for index, earlier in enumerate(self.entries):
            merged = _merged(earlier, change)
            if merged is not None:
                self.entries[index] = merged
                return True
        return False

    def _collapse_into_delete(self, change: Change) -> Change:
        stations = dict.fromkeys(change.stations)
        kept: list[Entry] = []
        for entry in self.entries:
            if (
                isinstance(entry, Change)
                and entry.action != "created"
                and _same_record(entry, change)
            ):
                stations.update(dict.fromkeys(entry.stations))
            else:
                kept.append(entry)
        self.entries[:] = kept
        return replace(change, stations=tuple(stations))


def _same_record(change: Change, other: Change) -> bool:
    return (change.kind, change.id) == (other.kind, other.id)


def _merged(earlier: Entry, later: Change) -> Change | None:
    """Return one change that stands for both, or None if both have to be published."""
    if not isinstance(earlier, Change) or not _same_record(earlier, later):
        return None
    stations = tuple(dict.fromkeys(earlier.stations + later.stations))
    if later.action == earlier.action or later.action == "updated":
        return replace(earlier, data=later.data, stations=stations)
    if earlier.action == "updated":
        return replace(later, stations=stations)
    return None


_open: ContextVar[Outbox | None] = ContextVar("open_outbox", default=None)
# Batches of this process that are stored in transactions which have not ended.
_committing: set[ObjectId] = set()


def ensure() -> None:
    """Create the collection, so that no transaction has to."""
    try:
        get_db().create_collection(COLLECTION)
    except CollectionInvalid:
        pass  # it exists


def record(
    kind: str,
    data: dict[str, Any],
    action: str,
    *,
    stations: Sequence[str] = (),
    detail: dict[str, Any] | None = None,
) -> None:
    """Record a change of a record; `data` is its stored form with `_id`.

    A named action (`scanned`, `moved`) replaces the generic one of the same record in
    the same unit of work.
    """
    _add(Change(kind, data["_id"], action, data, tuple(stations), detail))


def send(event: LiveEvent) -> None:
    """Send an event that is not a record's change to its rooms, after the commit."""
    _add(Message(event.event_name, event.payload(), event.stations, event.workers))


def add_changeset(changeset: Changeset) -> None:
    """Note what was changed of a record, for the history."""
    with collecting() as outbox:
        outbox.additions += 1
        outbox.changesets.add(changeset)


def _add(entry: Entry) -> None:
    with collecting() as outbox:
        outbox.additions += 1
        outbox.add(entry)


def additions() -> int:
    """Return how many changes the open unit of work has recorded; 0 outside of one."""
    outbox = _open.get()
    return 0 if outbox is None else outbox.additions


@contextmanager
def collecting() -> Iterator[Outbox]:
    """Collect what the block adds; inside a unit of work it joins that one's.

    Outside, the changes are stored already, and what was collected is stored, in a
    transaction of its own, when the block ends.
    """
    outer = _open.get()
    if outer is not None:
        yield outer
        return
    own = Outbox()
    token = _open.set(own)
    try:
        yield own
    finally:
        _open.reset(token)
    publish(_store_in_own_transaction(own))


def end_transaction(entries: Iterable[Entry], batches: Iterable[OutboxBatch]) -> None:
    """Report that a transaction has ended, whatever its result.

    `entries` are all that it had, `batches` what it has stored of them. The cached records
    that it has changed are forgotten.
    """
    record_cache.forget(
        (entry.kind, entry.id) for entry in entries if isinstance(entry, Change)
    )
    _committing.difference_update(batch.id for batch in batches)


def committing() -> frozenset[ObjectId]:
    """Return the batches of this process that are stored and not committed yet."""
    return frozenset(_committing)


def _store_in_own_transaction(outbox: Outbox) -> list[OutboxBatch]:
    # Without a transaction, an insert into a collection from which thousands of
    # documents were deleted is slow on the embedded store.
    batches: list[OutboxBatch] = []
    try:
        with open_transaction() as session:
            batches = store(outbox.entries, outbox.named_changesets())
            session.commit_transaction()
    finally:
        end_transaction(outbox.entries, batches)
    return batches


def store(
    entries: Sequence[Entry], changesets: Sequence[Changeset] = ()
) -> list[OutboxBatch]:
    """Store entries in batches, inside the open transaction, in one round trip.

    The changesets are stored with them, with who made them. Those of a unit that deletes
    records have an id in common, `deletion`, by which a restore finds all of them. The
    caller reports the end of the transaction with `end_transaction`.
    """
    actor_form: dict[str, Any] = actor.current().stored_form()
    if any(one.action == DELETED for one in changesets):
        actor_form["deletion"] = ObjectId()
    batches, rows = [], []
    for chunk in _chunks(entries, changesets):
        batch = chunk.batch(actor_form)
        batches.append(batch)
        rows.append(chunk.row(batch, actor_form))
    ids = [batch.id for batch in batches]
    _committing.update(ids)
    try:
        if rows:
            get_db()[COLLECTION].insert_many(rows)
    except BaseException:
        _committing.difference_update(ids)
        raise
    return batches


def _next_id() -> ObjectId:
    """Return an id that increases with the clock, to a fraction of a microsecond.

    Batches are published in the order of their ids, so of two changes of a record, in
    any process, the later one is published later. Between machines this is as exact as
    their clocks.
    """
    seconds, rest_ns = divmod(time.time_ns(), 10**9)
    fraction = (rest_ns << 24) // 10**9
    return ObjectId(
        seconds.to_bytes(4, "big") + fraction.to_bytes(3, "big") + os.urandom(5)
    )


@dataclass(slots=True)
class _Chunk:
    """What one document takes: entries and changesets, with their encoded forms."""

    entries: list[tuple[Entry, RawBSONDocument]] = field(default_factory=list)
    changes: list[tuple[dict[str, Any], RawBSONDocument]] = field(default_factory=list)
    size: int = 0  # bytes

    def has_room(self, size: int) -> bool:
        count = len(self.entries) + len(self.changes)
        return self.size + size <= MAX_BATCH_BYTES and count < MAX_BATCH_ENTRIES

    def batch(self, actor_form: Mapping[str, Any]) -> OutboxBatch:
        entries = tuple(entry for entry, _ in self.entries)
        changes = [form for form, _ in self.changes]
        history = {**actor_form, "changes": changes} if changes else None
        return OutboxBatch(_next_id(), clock.now(), entries, history)

    def row(self, batch: OutboxBatch, actor_form: Mapping[str, Any]) -> dict[str, Any]:
        encoded = [raw for _, raw in self.entries]
        row = {"_id": batch.id, "at": batch.at, "entries": encoded}
        if changes := [raw for _, raw in self.changes]:
            row["history"] = {**actor_form, "changes": changes}
        return row


def _chunks(
    entries: Sequence[Entry], changesets: Sequence[Changeset]
) -> Iterator[_Chunk]:
    """Encode entries and changesets, and divide them so that each document has room."""
    chunk = _Chunk()
    for one in yielding([*entries, *changesets]):
        form = stored_form(one)
        raw = RawBSONDocument(bson.encode(form))
        size = len(raw.raw)
        if chunk.size and not chunk.has_room(size):
            yield chunk
            chunk = _Chunk()
        if isinstance(one, Changeset):
            chunk.changes.append((form, raw))
        else:
            chunk.entries.append((one, raw))
        chunk.size += size
    if chunk.size:
        yield chunk


def is_stored(batch: OutboxBatch) -> bool:
    """Return whether a batch is in the store, published or not."""
    if get_db()[COLLECTION].find_one({"_id": batch.id}, {"_id": 1}):
        return True
    published = {"at": batch.at, "bundle": batch.id}
    return get_db()[EVENT_LOG].find_one(published, {"_id": 1}) is not None


def publish(batches: Sequence[OutboxBatch]) -> None:
    """Pass committed batches to the runtime's publisher; its errors are only logged."""
    publish_soon = runtime.current().publish_soon if batches else None
    if publish_soon is None:
        return
    try:
        publish_soon(batches)
    except Exception:
        log.exception("Could not publish %d batches", len(batches))
