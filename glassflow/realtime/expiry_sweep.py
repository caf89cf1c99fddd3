"""Removes expired documents once a minute, where the store does not, in the publisher."""

import logging
from collections.abc import Callable

import gevent
import pymongo

from glassflow.core import deadlines, expiry
from glassflow.core.connection import is_embedded
from glassflow.realtime.background import BackgroundWork

log = logging.getLogger(__name__)

INTERVAL_S = 60.0  # as MongoDB


class ExpirySweep(BackgroundWork):
    """Sweeps the embedded store while `is_holder()`; does nothing on MongoDB."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder

    def _run(self) -> None:
        while True:
            gevent.sleep(INTERVAL_S)
            if not self._is_holder():
                continue
            try:
                with pymongo.timeout(deadlines.SWEEP_TIMEOUT_S):
                    if not is_embedded():
                        return
                    expiry.remove_expired()
            except Exception as error:  # the store is away or busy: a minute later
                log.warning("could not remove expired documents: %s", error)
