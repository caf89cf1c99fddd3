"""Messages and events with any name and payload, which the service itself never makes."""

from dataclasses import dataclass

import gevent
from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import BulkWriteError

from described_events import expect_foreign
from glassflow.core.events import event_log, event_numbers
from glassflow.core.process.clock import now
from glassflow.core.process.json import encode
from glassflow.core.store import outbox
from glassflow.core.store.outbox_entries import stored_form
from glassflow.core.store.unit_of_work import unit_of_work


@dataclass(frozen=True)
class AnyMessage:
    """What `outbox.send` needs of an event."""

    event_name: str
    data: dict
    stations: tuple
    workers: tuple

    def payload(self):
        return self.data


def send_message(name, data, *, stations=(), workers=()):
    """Put a message into the outbox."""
    expect_foreign(name)
    outbox.send(AnyMessage(name, data, tuple(stations), tuple(workers)))


def add_to_outbox(*entries):
    """Store a batch of entries in the outbox as another process does."""
    stored = [stored_form(entry) for entry in entries]
    batch = {"_id": outbox._next_id(), "at": now(), "entries": stored}
    get_db()[outbox.COLLECTION].insert_one(batch)


def add_to_log(name, payloads, *, rooms, at=None):
    """Store events in the event log directly, as another process or program may have.

    Returns the number of the last one.
    """
    expect_foreign(name)
    while True:
        first = event_log.last() + 1
        numbers = range(first, first + len(payloads))
        try:
            last = _add_to_log(name, payloads, numbers, rooms, at)
            event_numbers.set_highest(last)
            event_numbers.save()
            return last
        except BulkWriteError:  # the service has published meanwhile
            gevent.sleep(0)


@unit_of_work
def _add_to_log(name, payloads, numbers, rooms, at):
    rows = [
        {
            "_id": str(ObjectId()),
            "bundle": ObjectId(),
            "seq": seq,
            "at": now() if at is None else at,
            "name": name,
            "payload": encode(payload),
            "rooms": list(rooms),
            "recheck": None,
        }
        for seq, payload in zip(numbers, payloads, strict=True)
    ]
    get_db()[event_log.COLLECTION].insert_many(rows)
    return numbers[-1]
