"""The event log: everything that was ever told, numbered, kept for a while.

An event is numbered when it is published and not when it is stored: a number drawn
inside a request's transaction would be a queue for all requests. Numbers are drawn in
the small transaction that stores the events, so there are no gaps, and whoever sees
one event can see all before it.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import OperationFailure

from glassflow.core import clock, counters, outbox, publishers
from glassflow.core.outbox import Bundle
from glassflow.core.unit_of_work import unit_of_work

log = logging.getLogger(__name__)

COLLECTION = outbox.LOG
COUNTER = "events"
PAGE = 500  # events read at once

_retention: list[timedelta] = [timedelta(days=7)]


@dataclass(frozen=True, slots=True)
class Event:
    """Something to be heard: its name, its payload as JSON, and in which inner rooms.

    `recheck` is the kind and id of a worker or role whose sockets have to be looked at
    again; such an event has no rooms, nor has one that only marks that a bundle was
    published. `seq` is 0 until it is stored.
    """

    name: str
    payload: bytes
    rooms: tuple[str, ...]
    at: datetime
    recheck: tuple[str, ObjectId] | None = None
    id: str = ""
    seq: int = 0


def configure(*, retention: float) -> None:
    """Set for how many seconds events are kept."""
    _retention[:] = [timedelta(seconds=retention)]


def ensure() -> None:
    """Make the counter and the indexes; an older retention gives way."""
    counters.ensure([COUNTER])
    log = get_db()[COLLECTION]
    log.create_index("seq", unique=True)
    seconds = int(_retention[0].total_seconds())
    try:
        log.create_index("at", expireAfterSeconds=seconds)
    except OperationFailure:  # there is one with another number
        log.drop_index("at_1")
        log.create_index("at", expireAfterSeconds=seconds)
    get_db()[outbox.COLLECTION].create_index("at")
    publishers.ensure()


def last() -> int:
    """Tell the number of the newest event."""
    found = get_db()[counters.COLLECTION].find_one({"_id": COUNTER})
    return int(found["seq"]) if found else 0


class _SomeTaken(Exception):
    """Somebody else has taken some of the bundles out of the outbox."""


def store(bundles: Mapping[ObjectId, Sequence[Event]]) -> list[Event]:
    """Number and store the events of bundles (one or more each), which leave the outbox.

    What somebody else has taken out of the outbox meanwhile is left to them. Gives the
    events that were stored, by their numbers.
    """
    left = dict(bundles)
    while left:
        try:
            return _store(left)
        except _SomeTaken:
            query = {"_id": {"$in": list(left)}}
            rows = get_db()[outbox.COLLECTION].find(query, {"_id": 1})
            there = {row["_id"] for row in rows}
            left = {one: events for one, events in left.items() if one in there}
    return []


@unit_of_work
def _store(bundles: Mapping[ObjectId, Sequence[Event]]) -> list[Event]:
    query = {"_id": {"$in": list(bundles)}}
    taken = get_db()[outbox.COLLECTION].delete_many(query).deleted_count
    if taken < len(bundles):
        raise _SomeTaken
    events = [(one, bundle) for bundle, found in bundles.items() for one in found]
    numbers = counters.take(COUNTER, len(events))
    pairs = zip(events, numbers, strict=True)
    numbered = [(_numbered(one, n), bundle) for (one, bundle), n in pairs]
    get_db()[COLLECTION].insert_many([_row(*one) for one in numbered])
    return [event for event, _ in numbered]


def _numbered(event: Event, seq: int) -> Event:
    return Event(
        event.name,
        event.payload,
        event.rooms,
        event.at,
        event.recheck,
        id=str(ObjectId()),
        seq=seq,
    )


def _row(event: Event, bundle: ObjectId) -> dict[str, Any]:
    return {
        "bundle": bundle,
        "_id": event.id,
        "seq": event.seq,
        "at": event.at,
        "name": event.name,
        "payload": event.payload,
        "rooms": list(event.rooms),
        "recheck": list(event.recheck) if event.recheck else None,
    }


def after(seq: int, upto: int | None = None) -> list[Event]:
    """Read the next page of events after a number, in their order."""
    end = seq + PAGE if upto is None else min(upto, seq + PAGE)
    query = {"seq": {"$gt": seq, "$lte": end}}
    rows = get_db()[COLLECTION].find(query).sort("seq", 1)
    return [_event(row) for row in rows]


def since(moment: datetime, name: str) -> list[Event]:
    """Read the events of one name that are not older than a moment."""
    rows = get_db()[COLLECTION].find({"at": {"$gte": moment}, "name": name})
    return [_event(row) for row in rows.sort("seq", 1)]


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


def oldest(upto: int) -> int:
    """Tell the number of the oldest event that is kept; `upto` + 1 if there is none.

    Old events go in the order of their numbers, so a few look-ups find it.
    """
    low, high = 1, upto + 1
    while low < high:
        middle = (low + high) // 2
        if get_db()[COLLECTION].find_one({"seq": middle}, {"_id": 1}):
            high = middle
        else:
            low = middle + 1
    return low


def waiting(limit: int) -> list[ObjectId]:
    """List the bundles that wait in the outbox, in the order of their changes."""
    rows = get_db()[outbox.COLLECTION].find({}, {"_id": 1}).sort("_id", 1)
    return [row["_id"] for row in rows.limit(limit)]


def is_left_behind(age: timedelta) -> bool:
    """Tell whether a bundle has waited in the outbox for longer than it should."""
    query = {"at": {"$lte": clock.now() - age}}
    return get_db()[outbox.COLLECTION].find_one(query, {"_id": 1}) is not None


def bundles(ids: Collection[ObjectId]) -> Iterator[Bundle]:
    """Read bundles; one that is no bundle is given without entries, and logged."""
    for row in get_db()[outbox.COLLECTION].find({"_id": {"$in": list(ids)}}):
        try:
            yield outbox.read(row)
        except Exception:  # another program's: it must not hold up all others
            log.exception("no bundle of entries, not published: %s", str(row)[:500])
            yield Bundle(row["_id"], clock.now(), ())
