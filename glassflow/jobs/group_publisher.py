"""Publishes groups of outbox batches: builds their events and stores these in the log.

A group is published in one transaction with a time limit of its own. If it fails, its
batches are published one by one. What cannot be published at all is moved to the dead
letters, and the rest goes on.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pymongo
from bson import ObjectId
from pymongo.errors import PyMongoError

from glassflow.core.events import event_log, publisher_lease
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.events.event_log import Event
from glassflow.core.events.publisher_lease import PublisherLease
from glassflow.core.process import deadlines, metrics
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.outbox_entries import OutboxBatch
from glassflow.jobs import batch_events
from glassflow.jobs.batch_events import is_temporary
from glassflow.services.events.event_builder import EventBuilder

MAX_ATTEMPTS = 3  # of a batch at which the store fails, while it answers otherwise


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
            batch.id: batch_events.build(self._builder, batch, dead, give_up=give_up)
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
            temporary = is_temporary(error)
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
        dead = [batch_events.dead_letter(batch.id, one, error) for one in batch.entries]
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            if self._lease.hold():
                events = {batch.id: batch_events.of_dead(batch)}
                self._store(events, dead, _histories([batch]))


def _histories(batches: Sequence[OutboxBatch]) -> event_log.Histories:
    return {one.id: one.history for one in batches if one.history}


def _count(events: Sequence[Event]) -> None:
    for event in events:
        if event.rooms:  # else it is a marker of a batch
            metrics.events.labels(event.name).inc()


def is_unreachable(error: Exception) -> bool:
    """Return whether an attempt failed because the store writes nothing at all."""
    return is_temporary(error) and not _accepts_writes()


def _accepts_writes() -> bool:
    """Return whether the store writes another document; a ping it answers at all times."""
    try:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            publisher_lease.write_probe()
    except PyMongoError:
        return False
    return True
