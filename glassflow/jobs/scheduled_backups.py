"""Makes the scheduled backups, in the process that publishes."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

import gevent
import pymongo

from glassflow.core.process import deadlines
from glassflow.jobs.background import BackgroundWork
from glassflow.services.backups import records, schedule

log = logging.getLogger(__name__)

FIRST_LOOK_S = 1.0  # in memory: whether this process publishes
POLL_INTERVAL_S = 60.0  # at the time of the last backup, which is in the store
RETRY_AFTER_S = 600.0


class ScheduledBackups(BackgroundWork):
    """Backs the store up every `every_s` seconds (0: never) while `is_holder()`.

    A backup that is being made when it stops is not kept.
    """

    def __init__(
        self, every_s: int, folder: Path, keep: int, *, is_holder: Callable[[], bool]
    ) -> None:
        self._every_s = every_s
        self._folder = folder
        self._keep = keep
        self._is_holder = is_holder
        self._next_look = 0.0

    def start(self) -> None:
        """Start in this process where there is a schedule, unless that has been done."""
        if self._every_s:
            super().start()

    def _run(self) -> None:
        while True:
            gevent.sleep(FIRST_LOOK_S)
            if self._is_holder() and time.monotonic() >= self._next_look:
                self._next_look = time.monotonic() + self._look()

    def _look(self) -> float:
        """Make a backup if one is due; return after how many seconds to look again."""
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                if not schedule.is_due(self._every_s):
                    return min(POLL_INTERVAL_S, self._every_s)
            made = schedule.make(self._folder, keep=self._keep)
        except Exception as error:
            log.exception("could not make a backup")
            self._record(f"{type(error).__name__}: {error}")
            return min(RETRY_AFTER_S, self._every_s)
        log.info(
            "backup: %s documents in %s, made in %.0f s",
            made.documents,
            made.path,
            made.took_s,
        )
        for name, found in made.findings.items():
            if found:
                log.warning("backup: %s differs: %s", name, "; ".join(found))
        return min(POLL_INTERVAL_S, self._every_s)

    def _record(self, reason: str) -> None:
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                records.store_failure(reason)
        except pymongo.errors.PyMongoError:
            pass  # the log has it
