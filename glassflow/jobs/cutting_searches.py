"""Runs the search for a cutting plan in a child process, one plan at a time.

The process that publishes starts the child, so that one search runs in the whole service.
The child has the task and nothing else: neither the settings nor the store. It is ended
when nobody wants its plan any more, when another plan has waited for `LEAST_TURN_S`, and
with the process that has started it.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gevent
import pymongo
from gevent import subprocess

import glassflow
from glassflow.core.process import deadlines
from glassflow.jobs.background import BackgroundWork
from glassflow.planner.messages import Answer
from glassflow.services.cutting import searches
from glassflow.services.cutting.searches import Search

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "glassflow.planner")
FOLDER = Path(glassflow.__file__).parents[1]
POLL_INTERVAL_S = 0.5  # the first plan comes within 3 s
LOOK_INTERVAL_S = 0.25  # at what the child has found
LEAST_TURN_S = 5.0  # of a search while another plan waits
SPARE_S = 10.0  # after its time, for a child that does not end by itself
# A plan is stored after so many seconds at the earliest, twice as many after each one: of a
# search of a minute eight at most, as each is a version of the record and an event.
FIRST_PAUSE_S = 1.0
LINE_BYTES = 4 * 2**20  # of one answer; 500 panes are some 30 KB


class CuttingSearches(BackgroundWork):
    """Searches while `is_holder()`, one plan after the other."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder

    def _run(self) -> None:
        while True:
            gevent.sleep(POLL_INTERVAL_S)
            if self._is_holder():
                try:
                    self._search_next()
                except Exception as error:  # the store is away: it is begun again
                    log.warning("cannot search a cutting plan: %r", error)

    def _search_next(self) -> None:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            search = searches.begin()
        if search is None:
            return
        child = _Child(search)
        try:
            self._follow(child)
        finally:
            child.kill()

    def _follow(self, child: "_Child") -> None:
        search, pause = child.search, FIRST_PAUSE_S
        next_store = time.monotonic()
        while child.is_running and self._is_holder():
            gevent.sleep(LOOK_INTERVAL_S)
            now = time.monotonic()
            if child.latest is not None and now >= next_store:
                if not self._store(child):
                    return
                next_store, pause = now + pause, pause * 2
            if child.is_over(now) or not self._goes_on(child, now):
                break
        if not self._is_holder():
            return  # the process that publishes now begins it again
        child.kill()
        self._store(child)
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            searches.end(search, failed=child.has_failed)

    def _store(self, child: "_Child") -> bool:
        """Store what the child has found last; return whether the search goes on."""
        answer, child.latest = child.latest, None
        if answer is None:
            return True
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            return searches.store(child.search, answer.found, answer.maker)

    def _goes_on(self, child: "_Child", now: float) -> bool:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            if not searches.is_wanted(child.search):
                return False
            had_turn = child.has_answered and now - child.began_at >= LEAST_TURN_S
            return not (had_turn and searches.is_waiting(child.search.plan))


class _Child:
    """The process of a search, and the last plan that it has written."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.latest: Answer | None = None
        self.has_answered = False
        self.began_at = time.monotonic()
        self._ended_by_us = False
        self._process: Any = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=FOLDER,
            env={"PATH": os.environ.get("PATH", "")},
            start_new_session=True,
        )
        self._reader = gevent.spawn(self._read)

    def _read(self) -> None:
        self._process.stdin.write(self.search.task.encode())
        self._process.stdin.close()
        while line := self._process.stdout.readline(LINE_BYTES):
            self.latest, self.has_answered = Answer.decode(line), True

    @property
    def is_running(self) -> bool:
        """Whether the process runs, or has written what is not read yet."""
        return not self._reader.dead

    @property
    def has_failed(self) -> bool:
        """Whether the process ended otherwise than it should."""
        return not self._ended_by_us and self._process.poll() != 0

    def is_over(self, now: float) -> bool:
        """Return whether the process has had more than its time."""
        return now - self.began_at > self.search.task.seconds + SPARE_S

    def kill(self) -> None:
        """End the process, unless it has ended, and read what it has written."""
        if self._process.poll() is None:
            self._ended_by_us = not self._reader.dead
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
