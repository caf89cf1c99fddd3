"""From the outbox to the event log: what was committed is numbered, and so published.

A request puts its stored bundles into a queue in this process and goes on; one greenlet
takes them out, in order, and stores their events. A bundle that does not get through,
because its process died or the store was away, is found in the outbox by a sweep.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

import gevent
from bson import ObjectId
from gevent.queue import Empty, Full, Queue

from glassflow.core import event_log
from glassflow.core.event_log import Event
from glassflow.core.outbox import Bundle
from glassflow.realtime.telling import Teller

log = logging.getLogger(__name__)

BACKLOG = 10_000  # bundles; beyond it they wait in the store for the sweep
AT_ONCE = 200  # bundles published together
FORGOTTEN = timedelta(seconds=2)  # a bundle that waits longer has lost its process
SWEEP_EVERY = 1.0  # seconds
REST = 0.5  # seconds after a failure


class Publisher:
    """Carries bundles to the event log, in the order in which they were stored."""

    def __init__(self, teller: Teller, *, told: Callable[[list[Event]], None]) -> None:
        self._teller = teller
        self._told = told
        self._queue: Queue[Bundle] = Queue(maxsize=BACKLOG)
        self._running: list[Any] = []

    def __call__(self, bundles: Sequence[Bundle]) -> None:
        """Take the bundles of one unit of work, after its commit."""
        self.start()
        for bundle in bundles:
            try:
                self._queue.put_nowait(bundle)
            except Full:
                log.warning("the backlog of events is full; the sweep will find them")

    def start(self) -> None:
        """Begin to carry and to sweep; a greenlet belongs to its process."""
        if not self._running:
            self._running = [gevent.spawn(self._carry), gevent.spawn(self._sweep)]
            for greenlet in self._running:
                greenlet.name = "background"

    def flush(self) -> bool:
        """Publish what was taken so far, now: for a command, which ends at once."""
        return self._published(self._waiting([]))

    def _carry(self) -> None:
        while True:
            if not self._published(self._waiting([self._queue.get()])):
                gevent.sleep(REST)  # the sweep brings them

    def _waiting(self, bundles: list[Bundle]) -> list[Bundle]:
        while len(bundles) < AT_ONCE:
            try:
                bundles.append(self._queue.get_nowait())
            except Empty:
                break
        return bundles

    def _sweep(self) -> None:
        """Publish what other processes, dead ones and commands, have left behind."""
        while True:
            gevent.sleep(SWEEP_EVERY)
            try:
                left = list(event_log.left_behind(FORGOTTEN))
            except Exception as error:  # the store is away
                log.debug("could not sweep: %s", error)
                continue
            if left and self._published(left):
                log.info("published %d bundles that were left behind", len(left))

    def _published(self, bundles: Iterable[Bundle]) -> bool:
        try:
            stored = event_log.store({b.id: self._events(b) for b in bundles})
        except Exception as error:
            log.warning("could not publish yet: %s", error)
            return False
        self._told(stored)
        return True

    def _events(self, bundle: Bundle) -> list[Event]:
        made = []
        for entry in bundle.entries:
            try:
                made.append(self._teller.event(entry, bundle.at))
            except Exception:
                log.exception("could not tell of %s", _name(bundle.id, entry))
        return [event for event in made if event is not None]


def _name(bundle: ObjectId, entry: Any) -> str:
    said = getattr(entry, "event", None) or f"{entry.kind} {entry.action}"
    return f"{said} in bundle {bundle}"
