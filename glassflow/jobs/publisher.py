"""Publishes the outbox: numbers what was committed and stores it in the event log.

A request only passes on the batches that it has stored. The process that holds the
publisher lease publishes what is in the outbox, the oldest batch first, whichever process
stored it: where one change has seen another, the earlier one is published first, even if
two processes made them. Other processes notify the holder, which also polls the outbox,
for what commands and processes that died have left.

What the holder has stored itself it publishes from memory in three round trips: remove
the batches, store the events, commit. That the outbox has no older batches shows in how
many it removes; if there are others, it reads them.

Batches are published in small groups, see `jobs.group_publisher`.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, takewhile
from typing import Any

import gevent
import pymongo
from bson import ObjectId
from gevent.event import Event as Signal
from gevent.lock import BoundedSemaphore
from pymongo.errors import PyMongoError

from glassflow.core.events import event_numbers, outbox_batches
from glassflow.core.events.event_log import Event
from glassflow.core.events.publisher_lease import PublisherLease
from glassflow.core.process import deadlines
from glassflow.core.store import outbox
from glassflow.core.store.outbox_entries import OutboxBatch
from glassflow.jobs import background
from glassflow.jobs.group_publisher import GroupPublisher, is_unreachable
from glassflow.services.events.event_builder import EventBuilder

log = logging.getLogger(__name__)

MAX_CACHED_BATCHES = 1_000  # own batches kept in memory, to be published unread
BATCHES_PER_READ = 500  # ids of batches that one command reads
# Published in one transaction: so many entries, of one batch at least. With fewer, a busy
# process falls behind: each of the three round trips waits for its turn in the event loop.
ENTRIES_PER_GROUP = 200
UNREAD_ENTRIES = 10  # counted for a batch that is not in memory
POLL_INTERVAL_S = 0.5
RETRY_DELAY_S = 0.5
FLUSH_POLL_S = 0.1
COMMITS_TIMEOUT_S, COMMITS_POLL_S = 0.1, 0.001  # a commit takes milliseconds


class Publisher:
    """Moves batches from the outbox to the event log, in the order they were stored.

    `on_published` is called with the events that this process has stored in the log,
    `poll_log` at intervals to look for events that others have published, and
    `notify_holder` when this process has stored batches that another one has to publish.
    """

    def __init__(
        self,
        builder: EventBuilder,
        *,
        on_published: Callable[[list[Event]], None],
        poll_log: Callable[[], None],
        notify_holder: Callable[[], None],
    ) -> None:
        self._poll_log = poll_log
        self._notify_holder = notify_holder
        self._in_memory: dict[ObjectId, OutboxBatch] = {}
        self._wake_up = Signal()
        self._stopping = False
        self._greenlet: Any = None
        self._lease = PublisherLease(on_taken=event_numbers.forget)
        self._groups = GroupPublisher(builder, self._lease, on_published=on_published)
        self._polled_at = float("-inf")  # the outbox, on the monotonic clock
        self._one_at_a_time = BoundedSemaphore()

    @property
    def is_holder(self) -> bool:
        """Whether this process publishes, as far as it knows."""
        return self._lease.is_held

    def publish_soon(self, batches: Sequence[OutboxBatch]) -> None:
        """Publish the batches of one unit of work after its commit; does not block."""
        self.start()
        if len(self._in_memory) < MAX_CACHED_BATCHES:  # more are read from the store
            self._in_memory.update((batch.id, batch) for batch in batches)
        self._wake_up.set()

    def start(self) -> None:
        """Start publishing in this process, unless that has been done."""
        if self._greenlet is None:
            self._greenlet = background.start(self._publish_loop)

    def wake(self) -> None:
        """Report that another process has stored a batch."""
        self._polled_at = float("-inf")
        self._wake_up.set()

    def stop(self) -> None:
        """Stop publishing, and leave it to another process; the outbox stays as it is.

        Takes up to `PUBLISHER_STOP_S` if something is being published.
        """
        self._stopping = True
        self._wake_up.set()
        if self._greenlet is not None:
            self._greenlet.join(deadlines.PUBLISHER_STOP_S)
            self._greenlet.kill(block=False)
        with pymongo.timeout(deadlines.PUBLISHER_STOP_S):
            with suppress(PyMongoError):  # the next publisher reads it from the log
                event_numbers.save()
            self._lease.release()

    def flush(self) -> bool:
        """Publish all that is in the outbox now; return whether that succeeded.

        For a process that ends, and for commands. Waits `PUBLISHER_STOP_S` at most for
        another process, if that holds the lease.
        """
        try:
            return self._publish_all() or self._is_published_by_holder()
        except Exception as error:
            log.warning("could not publish: %s", error)
            return False

    def _is_published_by_holder(self) -> bool:
        deadline = time.monotonic() + deadlines.PUBLISHER_STOP_S
        with pymongo.timeout(deadlines.PUBLISHER_STOP_S):
            while outbox_batches.pending(1):
                if time.monotonic() > deadline:
                    return False
                gevent.sleep(FLUSH_POLL_S)
        return True

    def _publish_loop(self) -> None:
        failing = False
        while not self._stopping:
            woken = self._wake_up.wait(POLL_INTERVAL_S)
            self._wake_up.clear()
            try:
                if not (woken or self.is_holder):  # a holder knows all events
                    with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                        self._poll_log()
                overdue = time.monotonic() - self._polled_at > POLL_INTERVAL_S
                poll = overdue or not woken
                self._publish_all(read_outbox=poll)
                if poll:
                    self._save_number()
                failing = False
            except Exception as error:  # the store is away: the outbox is kept there
                if not failing:
                    log.warning("could not publish yet: %s", error)
                failing = True
                self.wake()
                gevent.sleep(RETRY_DELAY_S)

    def _save_number(self) -> None:
        if self.is_holder:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                event_numbers.save()

    def _publish_all(self, *, read_outbox: bool = True) -> bool:
        """Publish until the outbox is empty; return whether this process may publish.

        Without `read_outbox`, only what this process has stored, if nothing older is in the
        outbox: then the outbox need not be read.
        """
        with self._one_at_a_time:
            if read_outbox:
                self._polled_at = time.monotonic()
            if not self._may_publish(may_acquire=read_outbox):
                if self._in_memory:
                    self._in_memory = {}
                    self._notify_holder()
                return False
            if read_outbox or not self._publish_from_memory():
                self._publish_pending()
            return True

    def _may_publish(self, *, may_acquire: bool) -> bool:
        """Return whether this process holds the lease, or has acquired it now."""
        if not may_acquire and not self.is_holder:
            return False
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            return self._lease.hold()

    def _publish_from_memory(self) -> bool:
        """Publish the batches in memory, the oldest first.

        Returns False if that failed, or if other batches have to be published first.
        """
        while self._in_memory:
            ids = self._next_group()
            try:
                own = [self._in_memory[id] for id in ids]
                if not self._groups.publish(own, oldest=True):
                    return False
            except Exception as error:  # tried again one by one
                if is_unreachable(error):
                    raise
                return False
            for id in ids:
                del self._in_memory[id]
        return True

    def _next_group(self) -> list[ObjectId]:
        """Return the ids of the oldest batches in memory.

        First waits for the transactions of this process that are about to be committed,
        so that their batches are in the same group. A batch that is newer than one still
        uncommitted is left for the next group, because order counts.
        """
        committing = outbox.committing()
        deadline = time.monotonic() + COMMITS_TIMEOUT_S
        while committing & outbox.committing() and time.monotonic() < deadline:
            gevent.sleep(COMMITS_POLL_S)
        ids, oldest = sorted(self._in_memory), min(outbox.committing(), default=None)
        older = [id for id in ids if oldest is None or id < oldest]
        return _first_group(older or ids, self._in_memory)

    def _publish_pending(self) -> None:
        """Publish what is in the outbox, whoever has stored it."""
        while True:
            own, self._in_memory = self._in_memory, {}
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                ids = outbox_batches.pending(BATCHES_PER_READ)
            rest = ids
            while rest:
                group = _first_group(rest, own)
                self._publish_group(group, own)
                rest = rest[len(group) :]
            if len(ids) < BATCHES_PER_READ:
                return
            self._in_memory = own | self._in_memory  # some may not have been read yet

    def _publish_group(
        self, ids: Sequence[ObjectId], own: dict[ObjectId, OutboxBatch]
    ) -> None:
        """Publish batches, those that are not in memory read from the outbox."""
        batches = {id: own.pop(id) for id in ids if id in own}
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            unread = [id for id in ids if id not in batches]
            if unread:
                batches.update(
                    (one.id, one) for one in outbox_batches.read_batches(unread)
                )
        self._groups.publish_all([batches[id] for id in ids if id in batches])


def _first_group(
    ids: Sequence[ObjectId], own: Mapping[ObjectId, OutboxBatch]
) -> list[ObjectId]:
    """Return the first of these batches, those that are published in one transaction.

    `own` are those in memory.
    """
    sizes = (len(own[id].entries) if id in own else UNREAD_ENTRIES for id in ids)
    fitting = takewhile(lambda size: size <= ENTRIES_PER_GROUP, accumulate(sizes))
    return list(ids[: max(len(list(fitting)), 1)])
