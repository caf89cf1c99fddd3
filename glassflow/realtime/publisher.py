"""From the outbox to the event log: what was committed is numbered, and so published.

A request says which bundles it has stored and goes on; one greenlet publishes what
waits in the outbox, the oldest first, whoever has stored it: so of two changes of which
one has seen the other, that one is told first, though two processes made them. What
does not get through, because its process died or the store was away, is found there by
a sweep.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import gevent
import pymongo
from bson import ObjectId
from gevent.event import Event as Signal
from gevent.lock import BoundedSemaphore
from pymongo.errors import PyMongoError

from glassflow.core import event_log
from glassflow.core.event_log import Event
from glassflow.core.outbox import Bundle
from glassflow.core.publishers import Publishing
from glassflow.domain.errors import Conflict
from glassflow.realtime.telling import Teller

log = logging.getLogger(__name__)

KEPT = 1_000  # bundles of this process that need not be read again
AT_ONCE = 200  # bundles published together
FORGOTTEN = timedelta(seconds=2)  # a bundle that waits longer has lost its process
SWEEP_EVERY = 1.0  # seconds
REST = 0.5  # seconds after a failure
PATIENCE = 10.0  # seconds for one round


class Publisher:
    """Carries bundles to the event log, in the order in which they were stored."""

    def __init__(self, teller: Teller, *, told: Callable[[list[Event]], None]) -> None:
        self._teller = teller
        self._told = told
        self._own: dict[ObjectId, Bundle] = {}
        self._signal = Signal()
        self._running: list[Any] = []
        self._publishing = Publishing()
        self._turn = BoundedSemaphore()

    def __call__(self, bundles: Sequence[Bundle]) -> None:
        """Take the bundles of one unit of work, after its commit."""
        self.start()
        if len(self._own) < KEPT:  # beyond it they are read from the store
            self._own.update((bundle.id, bundle) for bundle in bundles)
        self._signal.set()

    def start(self) -> None:
        """Begin to carry and to sweep; a greenlet belongs to its process."""
        if not self._running:
            self._running = [gevent.spawn(self._carry), gevent.spawn(self._sweep)]
            for greenlet in self._running:
                greenlet.name = "background"

    def flush(self) -> bool:
        """Publish all that waits, now: for a process that ends, and for a command."""
        try:
            self._publish_all()
        except Exception as error:
            log.warning("could not publish: %s", error)
            return False
        return True

    def _carry(self) -> None:
        away = False
        while True:
            self._signal.wait()
            self._signal.clear()
            try:
                self._publish_all()
                away = False
            except Exception as error:  # the store is away: everything waits there
                if not away:
                    log.warning("could not publish yet: %s", error)
                away = True
                self._signal.set()
                gevent.sleep(REST)

    def _sweep(self) -> None:
        """Publish what other processes, dead ones and commands, have left behind."""
        while True:
            gevent.sleep(SWEEP_EVERY)
            try:
                with pymongo.timeout(PATIENCE):
                    left = event_log.is_left_behind(FORGOTTEN)
            except Exception as error:  # the store is away
                log.debug("could not sweep: %s", error)
                continue
            if left:
                self._signal.set()

    def _publish_all(self) -> None:
        with self._turn, pymongo.timeout(PATIENCE):
            try:
                while self._publish():
                    pass
            except Conflict:  # of nobody who lives: such transactions are short
                self._publishing.end_others()
                raise

    def _publish(self) -> bool:
        """Publish the oldest that wait; tell whether there may be more."""
        own, self._own = self._own, {}
        ids = event_log.waiting(AT_ONCE)
        found = {one: own.pop(one) for one in ids if one in own}
        others = [one for one in ids if one not in found]
        if others:
            found.update((one.id, one) for one in event_log.bundles(others))
        made = {one: self._events(found[one]) for one in ids if one in found}
        stored = self._store(made) if made else []
        if stored:
            self._told(stored)
        more = len(ids) == AT_ONCE
        if more:
            self._own = own | self._own
        return more

    def _store(self, made: Mapping[ObjectId, Sequence[Event]]) -> list[Event]:
        with self._publishing.session():
            return event_log.store(made)

    def _events(self, bundle: Bundle) -> list[Event]:
        made = []
        for entry in bundle.entries:
            try:
                made.append(self._teller.event(entry, bundle.at))
            except PyMongoError:  # the store is away: it is told later
                raise
            except Exception:
                log.exception("could not tell of %s", _name(bundle.id, entry))
        heard = [event for event in made if event is not None]
        # one of which nobody hears leaves a mark: `outbox.is_stored` has to find it
        return heard or [Event("", b"null", (), bundle.at)]


def _name(bundle: ObjectId, entry: Any) -> str:
    said = getattr(entry, "event", None) or f"{entry.kind} {entry.action}"
    return f"{said} in bundle {bundle}"
