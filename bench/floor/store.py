"""Transactions of the floor, and the publication of their events after the commit."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import gevent
import orjson
import pymongo
from bson import ObjectId
from gevent.lock import BoundedSemaphore
from gevent.queue import Queue
from pymongo import MongoClient, ReturnDocument
from pymongo.client_session import ClientSession
from pymongo.errors import PyMongoError
from pymongo.write_concern import WriteConcern

T = TypeVar("T")
Document = dict[str, Any]

PREFIX = "bench_"  # of the collections that the service must not see
MAJORITY = WriteConcern(w="majority", j=True)
TRANSIENT = "TransientTransactionError"
BATCHES_PER_GROUP = 100  # published in one transaction, about as by the service
LONGEST_PAUSE_S = 0.004  # before a transaction that lost a conflict is repeated


class FloorStore:
    """The database of the service, and the events that its changes cause."""

    def __init__(self, uri: str, database: str = "glassflow") -> None:
        self.client: MongoClient[Document] = MongoClient(uri)
        self.db = self.client[database]
        self._batches: Queue[tuple[ObjectId, Sequence[Document]]] = Queue()
        self._publisher = gevent.spawn(self._publish_forever)
        self._unpublished = 0
        self._one_repetition = BoundedSemaphore()

    def prepare(self) -> None:
        """Create the copies of the counters and of the event log, with its indexes."""
        for name in ("REQ", "ORD", "PNE", "events"):
            counter = {"$setOnInsert": {"seq": 0}}
            self.collection("counters").update_one({"_id": name}, counter, upsert=True)
        self.collection("event_log").create_index("seq", unique=True)
        self.collection("event_log").create_index("at", expireAfterSeconds=86_400)

    def close(self) -> None:
        """Stop publishing, and close the connections."""
        self._publisher.kill()
        self.client.close()

    def collection(self, name: str) -> Any:
        """Return the floor's copy of a collection of the kernel."""
        return self.db[PREFIX + name]

    def next_number(self, counter: str, count: int = 1, session: Any = None) -> int:
        """Draw numbers and return the last one."""
        row = self.collection("counters").find_one_and_update(
            {"_id": counter},
            {"$inc": {"seq": count}},
            return_document=ReturnDocument.AFTER,
            session=session,
        )
        return int(row["seq"])

    def change(
        self, work: Callable[[ClientSession], tuple[T, Sequence[Document]]]
    ) -> T:
        """Run `work` in a transaction, with its events in the outbox; publish them.

        `work` returns its result and its events, and is repeated after a conflict.
        """
        try:
            return self._published(*self._attempt(work))
        except PyMongoError as error:
            if not error.has_error_label(TRANSIENT):
                raise
        with self._one_repetition:  # those who lost would only meet each other again
            while True:
                gevent.sleep(random.uniform(0, LONGEST_PAUSE_S))
                try:
                    return self._published(*self._attempt(work))
                except PyMongoError as error:
                    if not error.has_error_label(TRANSIENT):
                        raise

    def _published(self, result: T, batch: ObjectId, events: Sequence[Document]) -> T:
        if events:
            self._unpublished += 1
            self._batches.put((batch, events))
        return result

    def _attempt(
        self, work: Callable[[ClientSession], tuple[T, Sequence[Document]]]
    ) -> tuple[T, ObjectId, Sequence[Document]]:
        with (
            self.client.start_session() as session,
            session.start_transaction(write_concern=MAJORITY),
        ):
            result, events = work(session)
            batch = ObjectId()
            if events:
                row = {"_id": batch, "at": now(), "entries": list(events)}
                self.collection("outbox").insert_one(row, session=session)
        return result, batch, events

    def wait_until_published(self) -> None:
        """Wait until all events are in the event log."""
        while self._unpublished:
            gevent.sleep(0.002)

    def _publish_forever(self) -> None:
        while True:
            batches = [self._batches.get()]
            while self._batches.qsize() and len(batches) < BATCHES_PER_GROUP:
                batches.append(self._batches.get())
            self._publish(batches)
            self._unpublished -= len(batches)

    def _publish(self, batches: Sequence[tuple[ObjectId, Sequence[Document]]]) -> None:
        """Number and store the events of some batches in one transaction."""
        ids = {"_id": {"$in": [batch for batch, _ in batches]}}
        events = [event for _, group in batches for event in group]
        with (
            self.client.start_session() as session,
            session.start_transaction(write_concern=MAJORITY),
        ):
            self.collection("outbox").delete_many(ids, session=session)
            last = self.next_number("events", len(events), session)
            rows = [
                _row(event, last - len(events) + 1 + index)
                for index, event in enumerate(events)
            ]
            self.collection("event_log").insert_many(rows, session=session)


def _row(event: Document, seq: int) -> Document:
    payload = orjson.dumps(
        {"action": event["action"], "data": event["data"]}, default=str
    )
    return {
        "_id": str(ObjectId()),
        "seq": seq,
        "at": now(),
        "name": event["name"],
        "payload": payload,
        "rooms": event["rooms"],
        "recheck": None,
    }


def event(name: str, action: str, data: Mapping[str, Any], *rooms: str) -> Document:
    """Return an event of a changed record, as it is kept in the outbox."""
    return {"name": name, "action": action, "data": dict(data), "rooms": list(rooms)}


def stamped(record: Mapping[str, Any]) -> Document:
    """Return the times and the version of a record's next change."""
    return {"updatedAt": now(), "version": record.get("version", 0) + 1}


def copy_of(sample: Mapping[str, Any], **values: Any) -> Document:
    """Return a new record with the fields of a stored one."""
    moment = now()
    new = {"createdAt": moment, "updatedAt": moment, "version": 1}
    return {**sample, "_id": ObjectId(), **new, **values}


def now() -> datetime:
    """Return the time as it is stored: UTC, naive, whole milliseconds."""
    moment = datetime.now(UTC).replace(tzinfo=None)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def set_fields(record_id: Any, values: Mapping[str, Any]) -> Any:
    """Return the bulk write that sets fields of one record, or unsets those of None."""
    update = {
        "$set": {k: v for k, v in values.items() if v is not None},
        "$unset": {k: "" for k, v in values.items() if v is None},
    }
    return pymongo.UpdateOne(
        {"_id": record_id}, {name: fields for name, fields in update.items() if fields}
    )
