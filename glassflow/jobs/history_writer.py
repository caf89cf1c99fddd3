"""Moves what was published into the history and the daily figures, where it is published.

In the background and twice a second at most, so that a request, and the publishing of its
events, takes no round trip for it. Once a day it removes the rows that are older than the
setting HISTORY_RETENTION, and logs the head of the chain. What an earlier process has left
it moves as soon as this one holds the publisher lease.
"""

import logging
import time
from collections.abc import Callable

import pymongo
from gevent.event import Event as Signal

from glassflow import runtime
from glassflow.core.events import history
from glassflow.core.process import clock, deadlines
from glassflow.jobs.background import BackgroundWork
from glassflow.services import history as service

log = logging.getLogger(__name__)

PAUSE_S = 0.5  # between two moves
RETRY_DELAY_S = 5.0
PRUNE_INTERVAL_S = 24 * 3600.0
POLL_INTERVAL_S = 60.0  # for what another process has published


class HistoryWriter(BackgroundWork):
    """Appends to the history while this process holds the publisher lease."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder
        self._has_published = Signal()
        self._has_published.set()  # a process before may have left something
        self._pruned = float("-inf")  # when, on the monotonic clock
        self._stopping = Signal()

    def stop(self) -> None:
        """Move what is published, and stop.

        The rest, if the store is away, is moved by the process that takes over.
        """
        self._stopping.set()
        self._has_published.set()
        if self._greenlet is not None:  # killed, it might leave a transaction open
            self._greenlet.join(deadlines.PUBLISHER_STOP_S)

    def on_published(self) -> None:
        """Report that this process has published something."""
        self.start()
        self._has_published.set()

    def _run(self) -> None:
        failing = is_last = False
        while not is_last:
            self._has_published.wait(POLL_INTERVAL_S)
            is_last = self._stopping.is_set()
            try:
                if self._is_holder():
                    self._has_published.clear()
                    self._append()
                    if not is_last:
                        self._prune_if_due()
                failing = False
            except Exception as error:  # the store is away: the log keeps the rest
                if not failing:
                    log.warning("could not write the history yet: %s", error)
                failing = True
                self._has_published.set()
                self._stopping.wait(RETRY_DELAY_S)
            self._stopping.wait(PAUSE_S)

    @staticmethod
    def _append() -> None:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            service.append()

    def _prune_if_due(self) -> None:
        if time.monotonic() - self._pruned <= PRUNE_INTERVAL_S:
            return
        retention = runtime.current().history_retention
        with pymongo.timeout(deadlines.PRUNE_TIMEOUT_S):
            removed = history.prune(clock.now() - retention)
            head = history.head()
        self._pruned = time.monotonic()
        log.info("history: head %d %s, %d pruned", head.seq, head.hash, removed)
