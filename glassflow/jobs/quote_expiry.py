"""Lets quotes expire whose last day is over, in the process that publishes."""

import logging
from collections.abc import Callable

import gevent
import pymongo

from glassflow.core.process import deadlines
from glassflow.jobs.background import BackgroundWork
from glassflow.services.quotes import quotes

log = logging.getLogger(__name__)

FIRST_LOOK_S = 2.0  # this process then knows whether it publishes
POLL_INTERVAL_S = (
    60.0  # so a quote is shown as sent for a minute after midnight at most
)


class QuoteExpiry(BackgroundWork):
    """Looks once a minute while `is_holder()`: one query by an index."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder

    def look(self) -> None:
        """Let all overdue quotes expire; raises nothing."""
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                quotes.expire_overdue()
        except Exception as error:  # the store is away: the next look tries again
            log.warning("cannot look for overdue quotes: %r", error)

    def _run(self) -> None:
        gevent.sleep(FIRST_LOOK_S)
        while True:
            if self._is_holder():
                self.look()
            gevent.sleep(POLL_INTERVAL_S)
