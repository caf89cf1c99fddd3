"""The event log: every published event, numbered in order, kept for a while.

Events are numbered when they are published, not when they are stored in the outbox: a
number drawn inside a request's transaction would serialize all requests. A small
transaction removes batches from the outbox and stores their events with the next numbers
(`core.events.event_numbers`), so there are no gaps, and a reader who sees one event can
read all earlier ones. Retention by date, a repaired store or a restored backup can make
gaps later. A reader learns the newest number first and reads the events then: a number that
is missing there is not merely late, and is skipped.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import BulkWriteError

from glassflow import runtime
from glassflow.core.events import (
    dead_letters,
    event_numbers,
    outbox_batches,
)
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.events.outbox_batches import BatchesTaken, OthersPending
from glassflow.core.store import ttl_indexes
from glassflow.core.store.connection import StoreCollection, as_majority_stored
from glassflow.core.store.unit_of_work import unit_of_work

COLLECTION = event_numbers.COLLECTION
PAGE = 500  # events that `after` reads at most
PAGE_BYTES = 4_000_000  # of their payloads; events of earlier releases may be large
MAX_PAYLOAD_BYTES = 8_000_000  # of one event; a document of the store takes 16 MB
DUPLICATE_KEY = 11000  # MongoDB's error code
EVENT_ONLY = {"history": 0}  # what readers of events do not read

# By batch: what the history has of its changes (`OutboxBatch.history`).
Histories = Mapping[ObjectId, Mapping[str, Any]]
NO_HISTORIES: Histories = {}


@dataclass(frozen=True, slots=True)
class Event:
    """An event for clients: its name, its payload as JSON, and its keyed rooms.

    `recheck` is the kind and id of a changed record that processes cache: a worker or a
    role, whose sockets have to be authorized again, a station or a material. The marker that stands
    for a published batch without events has no rooms. `seq` is 0 until the event is stored.
    """

    name: str
    payload: bytes
    rooms: tuple[str, ...]
    at: datetime
    recheck: tuple[str, ObjectId] | None = None
    id: str = ""
    seq: int = 0


def ensure(*, retention: timedelta | None = None) -> None:
    """Create the counter and the indexes; by default with the runtime's retention."""
    event_numbers.ensure()
    events = get_db()[COLLECTION]
    events.create_index("seq", unique=True)
    kept = retention or runtime.current().event_retention
    retention_s = int(kept.total_seconds())
    ttl_indexes.ensure(COLLECTION, "at", retention_s)
    dead_letters.ensure()


def last(known: int | None = None) -> int:
    """Return the number of the newest event, 0 if there was never one.

    `known` is the number of an event that the caller has read, which saves a round trip.
    """
    return event_numbers.newest(known)


def store(
    events: Mapping[ObjectId, Sequence[Event]],
    dead: Sequence[DeadLetter] = (),
    history: Histories = NO_HISTORIES,
) -> list[Event]:
    """Number and store the events of batches, and remove the batches from the outbox.

    `events` maps a batch's id to its events, at least one each; `dead` are entries of
    these batches that cannot be published; `history` is what `core.events.history` takes
    from the log. Batches that another process has published
    meanwhile are skipped. Returns the stored events in the order of their numbers.
    """
    remaining = dict(events)
    while remaining:
        try:
            kept = [one for one in dead if one.batch in remaining]
            return _store_numbered(remaining, kept, history, outbox_batches.remove)
        except BatchesTaken:
            pending = outbox_batches.still_pending(remaining.keys())
            remaining = {key: remaining[key] for key in remaining if key in pending}
    return []


def store_oldest(
    events: Mapping[ObjectId, Sequence[Event]],
    dead: Sequence[DeadLetter] = (),
    history: Histories = NO_HISTORIES,
) -> list[Event] | None:
    """Do as `store` if these are the oldest batches in the outbox, without a look at it.

    Returns None, with nothing changed, if another process has stored an older batch or
    published one of these. A batch that was published already has its events in the log,
    under the same ids.
    """
    try:
        return _store_numbered(events, dead, history, outbox_batches.remove_oldest)
    except OthersPending:
        return None


def _store_numbered(
    events: Mapping[ObjectId, Sequence[Event]],
    dead: Sequence[DeadLetter],
    history: Histories,
    remove: Callable[[Collection[ObjectId]], None],
) -> list[Event]:
    """Store events with the next free numbers, again where another process took them."""
    while True:
        try:
            stored = _store(events, dead, history, remove, event_numbers.next_free())
        except BulkWriteError as error:
            event_numbers.forget()
            if _is_duplicate(error, "_id"):
                raise OthersPending from error
            if not _is_duplicate(error, "seq"):
                raise
        except BaseException:
            event_numbers.forget()  # the result of the commit may be unknown
            raise
        else:
            event_numbers.set_highest(stored[-1].seq)
            return stored


@unit_of_work
def _store(
    events: Mapping[ObjectId, Sequence[Event]],
    dead: Sequence[DeadLetter],
    history: Histories,
    remove: Callable[[Collection[ObjectId]], None],
    number: int,
) -> list[Event]:
    remove(events.keys())
    dead_letters.store(dead)
    pairs = [
        (batch, replace(event, id=_event_id(batch, place)))
        for batch, group in events.items()
        for place, event in enumerate(group)
    ]
    numbered = [
        (batch, replace(event, seq=seq))
        for seq, (batch, event) in enumerate(pairs, number)
    ]
    rows = [_row(*pair) for pair in numbered]
    _add_histories(rows, history)
    get_db()[COLLECTION].insert_many(rows)
    return [event for _, event in numbered]


def _add_histories(rows: Sequence[dict[str, Any]], history: Histories) -> None:
    """Let the first event of each batch carry its history."""
    first: dict[ObjectId, dict[str, Any]] = {}
    for row in rows:
        first.setdefault(row["bundle"], row)
    for batch, row in first.items():
        if batch in history:
            row["history"] = history[batch]


def _event_id(batch: ObjectId, place: int) -> str:
    """Return the id of an event, which depends on its batch and its place there.

    So the store refuses to have the events of a batch twice.
    """
    return sha256(batch.binary + place.to_bytes(4, "big")).hexdigest()[:24]


def _is_duplicate(error: BulkWriteError, field: str) -> bool:
    """Return whether a document was refused because of a unique index on a field."""
    faults = (error.details or {}).get("writeErrors", ())
    return any(
        fault.get("code") == DUPLICATE_KEY and field in fault.get("keyPattern", {})
        for fault in faults
    )


def _row(batch: ObjectId, event: Event) -> dict[str, Any]:
    return {
        "bundle": batch,
        "_id": event.id,
        "seq": event.seq,
        "at": event.at,
        "name": event.name,
        "payload": event.payload,
        "rooms": list(event.rooms),
        "recheck": list(event.recheck) if event.recheck else None,
    }


def after(seq: int, upto: int | None = None) -> list[Event]:
    """Read the next events after a number (and up to another), in order.

    Up to `PAGE` events, and not more than `PAGE_BYTES`, but for one event at least.
    """
    end = seq + PAGE if upto is None else min(upto, seq + PAGE)
    query = {"seq": {"$gt": seq, "$lte": end}}
    events: list[Event] = []
    size = 0
    for row in _committed().find(query, EVENT_ONLY).sort("seq", 1):
        event = _event(row)
        size += len(event.payload)
        if events and size > PAGE_BYTES:
            break
        events.append(event)
    return events


def since(time: datetime, name: str) -> list[Event]:
    """Read the events of one name that happened at a time (UTC) or later, in order."""
    rows = _committed().find({"at": {"$gte": time}, "name": name}, EVENT_ONLY)
    return [_event(row) for row in rows.sort("seq", 1)]


def named(name: str, *, after: int, upto: int) -> list[Event]:
    """Read the events of one name after a number up to another, in order."""
    query = {"seq": {"$gt": after, "$lte": upto}, "name": name}
    return [_event(row) for row in _committed().find(query, EVENT_ONLY).sort("seq", 1)]


def find(event_id: str) -> Event | None:
    """Read one event by its id; None if it has expired."""
    row = _committed().find_one({"_id": event_id}, EVENT_ONLY)
    return _event(row) if row else None


def _committed() -> StoreCollection:
    # A number that clients have seen must not be given to another event after a failover.
    return as_majority_stored(COLLECTION)


def _event(row: Mapping[str, Any]) -> Event:
    recheck = row.get("recheck")
    return Event(
        name=row["name"],
        payload=bytes(row["payload"]),
        rooms=tuple(row["rooms"]),
        at=row["at"],
        recheck=(recheck[0], recheck[1]) if recheck else None,
        id=row["_id"],
        seq=row["seq"],
    )


def oldest(upto: int, after: int = 0) -> int:
    """Return the number of the oldest stored event after a number, else `upto` + 1.

    Numbers may be missing anywhere, also many of them.
    """
    query = {"seq": {"$gt": after, "$lte": upto}}
    row = _committed().find_one(query, {"seq": 1}, sort=[("seq", 1)])
    return int(row["seq"]) if row else upto + 1
