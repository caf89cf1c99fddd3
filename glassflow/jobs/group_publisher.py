"""Publishes groups of outbox batches: builds their events and stores these in the log.

A group is published in one transaction with a time limit of its own. If it fails, its
batches are published one by one. What cannot be published at all is moved to the dead
letters, and the rest goes on.
"""

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pymongo
from bson import ObjectId
from pymongo.errors import ConnectionFailure, PyMongoError

from glassflow.core.events import event_log, publisher_lease
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.events.event_log import Event
from glassflow.core.events.publisher_lease import PublisherLease
from glassflow.core.process import deadlines, metrics, record_cache
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.outbox_entries import Entry, OutboxBatch, Unreadable
from glassflow.domain.errors import Conflict
from glassflow.services.events.event_builder import EventBuilder, recheck_of

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3  # of a batch at which the store fails, while it answers otherwise


class UnreadableEntryError(ValueError):
    """An entry of the outbox has not the form in which the service stores entries."""


class EntryTooLargeError(ValueError):
    """The event of an entry has a payload that the event log has no room for."""


class GroupPublisher:
    """Publishes batches while this process holds the lease.

    `on_published` is called with the events that it has stored in the log.
    """

    def __init__(
        self,
        builder: EventBuilder,
        lease: PublisherLease,
        *,
        on_published: Callable[[list[Event]], None],
    ) -> None:
        self._builder = builder
        self._lease = lease
        self._on_published = on_published
        self._failed: Counter[ObjectId] = Counter()

    def publish_all(self, batches: Sequence[OutboxBatch]) -> None:
        """Publish batches together, or one by one if that fails.

        Raises the error of an attempt after which another one follows.
        """
        try:
            self.publish(batches)
        except Exception as error:
            if is_unreachable(error):
                raise
            for batch in batches:
                self._publish_alone(batch)

    def publish(
        self,
        batches: Sequence[OutboxBatch],
        *,
        give_up: bool = False,
        oldest: bool = False,
    ) -> bool:
        """Publish batches; with `oldest` only if these are the oldest in the outbox.

        With `give_up` each entry has a time limit of its own and no common one: an entry
        would be given up because those before it were slow. Returns whether the batches
        are published, by this process or another.
        """
        dead: list[DeadLetter] = []
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            if not batches or not self._lease.hold():
                return False
            if not give_up:
                events = self._build(batches, dead)
                return self._store(events, dead, _histories(batches), oldest=oldest)
        events = self._build(batches, dead, give_up=True)
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            return self._lease.hold() and self._store(events, dead, _histories(batches))

    def _build(
        self,
        batches: Sequence[OutboxBatch],
        dead: list[DeadLetter],
        *,
        give_up: bool = False,
    ) -> dict[ObjectId, list[Event]]:
        return {
            batch.id: _events_of(self._builder, batch, dead, give_up=give_up)
            for batch in yielding(batches)
        }

    def _publish_alone(self, batch: OutboxBatch) -> None:
        """Publish one batch; give it up after `MAX_ATTEMPTS`, or if it cannot be stored.

        In the last attempt the store has to accept other writes before and after it:
        while it is slow or away, no batch is to blame. Raises the error of an attempt
        after which another one follows.
        """
        self._failed[batch.id] += 1
        last_attempt = self._failed[batch.id] >= MAX_ATTEMPTS and _accepts_writes()
        try:
            self.publish([batch], give_up=last_attempt)
        except Exception as error:
            temporary = _is_temporary(error)
            if temporary and not (last_attempt and _accepts_writes()):
                raise
            self._give_up(batch, error)
        del self._failed[batch.id]

    def _store(
        self,
        events: Mapping[ObjectId, Sequence[Event]],
        dead: Sequence[DeadLetter],
        history: event_log.Histories,
        *,
        oldest: bool = False,
    ) -> bool:
        """Store in the session of the lease, which is held, and report what is new."""
        store = event_log.store_oldest if oldest else event_log.store
        with self._lease.session():
            stored = store(events, dead, history)
        if stored:
            _count(stored)
            self._on_published(stored)
        return stored is not None

    def _give_up(self, batch: OutboxBatch, error: Exception) -> None:
        """Move all entries of a batch to the dead letters."""
        dead = [_dead_letter(batch.id, one, error) for one in batch.entries]
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            if self._lease.hold():
                events = {batch.id: _events_of_dead(batch)}
                self._store(events, dead, _histories([batch]))


def _events_of(
    builder: EventBuilder, batch: OutboxBatch, dead: list[DeadLetter], *, give_up: bool
) -> list[Event]:
    """Build the events of a batch; entries that have none are added to `dead`.

    Raises `PyMongoError` if the store is away; with `give_up` the entry at which that
    happens is dead.
    """
    events: list[Event] = []
    for entry in yielding(batch.entries):
        changed = recheck_of(entry)
        if changed:  # another process may have changed it: later events show the change
            record_cache.forget([changed])
        try:
            built = _built(builder, entry, batch)
        except Exception as error:
            if _is_temporary(error) and not give_up:
                raise
            dead.append(_dead_letter(batch.id, entry, error))
            events += _rechecks(batch, [entry])
        else:
            events += built
    # A batch without events leaves a mark, which `outbox.is_stored` looks for.
    return events or [_marker(batch)]


def _events_of_dead(batch: OutboxBatch) -> list[Event]:
    """Return the events of a batch whose entries are all dead letters, one at least."""
    return _rechecks(batch, batch.entries) or [_marker(batch)]


def _built(
    builder: EventBuilder, entry: Entry | Unreadable, batch: OutboxBatch
) -> list[Event]:
    if isinstance(entry, Unreadable):
        raise UnreadableEntryError
    with pymongo.timeout(deadlines.RENDER_TIMEOUT_S):
        events = builder.build(entry, batch.at)
    if any(len(event.payload) > event_log.MAX_PAYLOAD_BYTES for event in events):
        raise EntryTooLargeError
    return events


def _marker(batch: OutboxBatch) -> Event:
    return Event("", b"null", (), batch.at)


def _rechecks(batch: OutboxBatch, entries: Sequence[Entry | Unreadable]) -> list[Event]:
    """Return what remains of dead letters: caches and sockets learn of the change."""
    found = (recheck_of(entry) for entry in entries)
    return [replace(_marker(batch), recheck=one) for one in found if one]


def _dead_letter(
    batch: ObjectId, entry: Entry | Unreadable, error: Exception
) -> DeadLetter:
    """Log an error without its message, which may quote what the entry contains."""
    letter = DeadLetter(batch, entry, type(error).__name__)
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"
    log.error(
        "Moved %s of batch %s to the dead letters: %s at %s",
        letter.subject,
        batch,
        letter.reason,
        where,
    )
    return letter


def _is_temporary(error: Exception) -> bool:
    """Return whether the same may succeed later: the store was away, slow or busy."""
    if isinstance(error, PyMongoError):
        return (
            isinstance(error, ConnectionFailure)
            or error.timeout
            or error.has_error_label("TransientTransactionError")
        )
    return isinstance(error, Conflict)


def _histories(batches: Sequence[OutboxBatch]) -> event_log.Histories:
    return {one.id: one.history for one in batches if one.history}


def _count(events: Sequence[Event]) -> None:
    for event in events:
        if event.rooms:  # else it is a marker of a batch
            metrics.events.labels(event.name).inc()


def is_unreachable(error: Exception) -> bool:
    """Return whether an attempt failed because the store writes nothing at all."""
    return _is_temporary(error) and not _accepts_writes()


def _accepts_writes() -> bool:
    """Return whether the store writes another document; a ping it answers at all times."""
    try:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            publisher_lease.write_probe()
    except PyMongoError:
        return False
    return True
