"""Registers in the store that this process serves, from its start to its end."""

import logging
from typing import Any

import gevent
import pymongo
from pymongo.errors import PyMongoError

from glassflow.core.process import deadlines
from glassflow.core.store import lease, migrations, service_processes
from glassflow.core.store.migrations import UnusableStore
from glassflow.jobs import background

log = logging.getLogger(__name__)


class ServiceProcess:
    """Registers this process in the store and renews that until it stops."""

    def __init__(self) -> None:
        self._owner = ""
        self._greenlet: Any = None

    def start(self) -> None:
        """Register the process, before it serves anybody; it goes on without a store.

        Raises `UnusableStore` while a backup is restored. The order is what counts: the
        process registers and then looks for the mark of a restore, which sets its mark
        and then looks for processes. So one of the two sees the other.
        """
        self._owner = lease.new_owner()
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                service_processes.running()  # removes those that were killed
                service_processes.register(self._owner)
                migrations.refuse_unfinished_restore()
        except PyMongoError as error:
            log.warning("cannot store that this process runs: %s", error)
        except UnusableStore:
            self._remove()
            raise
        self._greenlet = background.start(self._renew)

    def stop(self) -> None:
        """Store that the process has ended; without a store the lease ends by itself."""
        if self._greenlet is None:
            return
        self._greenlet.kill(block=False)
        self._greenlet = None
        self._remove()

    def _remove(self) -> None:
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                service_processes.remove(self._owner)
        except PyMongoError:
            pass

    def _renew(self) -> None:
        while True:
            gevent.sleep(lease.RENEW_INTERVAL_S)
            try:
                with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                    service_processes.register(self._owner)
            except PyMongoError:
                pass  # the next turn tries again
