"""Ends what is over by itself, in the process that publishes: quotes, and calls at stations."""

import logging
from collections.abc import Callable

import gevent
import pymongo

from glassflow.core.process import deadlines
from glassflow.jobs.background import BackgroundWork
from glassflow.services import calls
from glassflow.services.quotes import quotes

log = logging.getLogger(__name__)

FIRST_LOOK_S = 2.0  # this process then knows whether it publishes
# So a quote is shown as sent for a minute after midnight at most, and a call about a pane
# for a minute after the pane has gone on.
POLL_INTERVAL_S = 60.0


class Overdue(BackgroundWork):
    """Looks once a minute while `is_holder()`: one query by an index for each kind."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder

    def look(self) -> None:
        """End all that is over; raises nothing."""
        for what, end in (
            ("quotes", quotes.expire_overdue),
            ("calls", calls.end_over),
        ):
            try:
                with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                    end()
            except Exception as error:  # the store is away: the next look tries again
                log.warning("cannot look for overdue %s: %r", what, error)

    def _run(self) -> None:
        gevent.sleep(FIRST_LOOK_S)
        while True:
            if self._is_holder():
                self.look()
            gevent.sleep(POLL_INTERVAL_S)
