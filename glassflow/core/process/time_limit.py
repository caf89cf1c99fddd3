"""The time limit of a request on its calls to the store.

It is paused while the request waits for something else (a password hash, the rest of a
large body): otherwise such a wait would be reported as a store that does not respond.
"""

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

import pymongo

from glassflow.core.process import deadlines
from glassflow.domain.errors import TooMany

SHORTEST_S = 0.001  # the driver takes 0 as no limit
RECORDS_IN_TIME = 50  # that the time limits of a request cover
MAX_RECORDS = 10_000  # of one transaction, which take 30 to 40 s on an idle machine


class TimeLimit:
    """Limits all calls to the store between `start` and `stop` together, in seconds.

    Both are called in the greenlet of the request: the driver keeps the limit in a
    context variable.
    """

    def __init__(self, seconds: float) -> None:
        self._granted = self._left = seconds
        self.added_s = 0.0  # for the records that are written
        self._since = 0.0
        self._limit: AbstractContextManager[None] | None = None

    def start(self) -> None:
        """Let the time run."""
        self._since = time.monotonic()
        self._limit = pymongo.timeout(max(self._left, SHORTEST_S))
        self._limit.__enter__()
        _current.set(self)

    def stop(self) -> None:
        """Stop the time; calls to the store are not limited until the next start."""
        _current.set(None)
        if self._limit is not None:
            self._limit.__exit__(None, None, None)
            self._limit = None
            self._left -= time.monotonic() - self._since

    def add(self, seconds: float) -> None:
        """Lengthen the limit while the time runs, up to `LONG_WORK_TIMEOUT_S` in all."""
        room = max(0.0, deadlines.LONG_WORK_TIMEOUT_S - self._granted)
        added = min(seconds, room)
        self.stop()
        self._granted += added
        self._left += added
        self.added_s += added
        self.start()

    @property
    def left_s(self) -> float:
        """How many seconds are left while the time runs; negative after its end."""
        return self._left - (time.monotonic() - self._since)


_current: ContextVar[TimeLimit | None] = ContextVar("time_limit", default=None)


def allow_for(records: int) -> None:
    """Lengthen the time limit of a request for so many records, before they are written.

    Raises `TooMany` for more than can be written in that time. Without a limit, as in
    commands, this does nothing.
    """
    limit = _current.get()
    if limit is None:
        return
    if records > MAX_RECORDS:
        raise TooMany(maximum=MAX_RECORDS)
    if records > RECORDS_IN_TIME:
        limit.add((records - RECORDS_IN_TIME) * deadlines.RECORD_TIMEOUT_S)


def added_s() -> float:
    """Return by how many seconds the caller's time limit was lengthened for records."""
    limit = _current.get()
    return 0.0 if limit is None else limit.added_s


def ends_at() -> float:
    """Return when the caller's time limit ends, on the monotonic clock; never without."""
    limit = _current.get()
    return math.inf if limit is None else time.monotonic() + limit.left_s


def at_most(seconds: float) -> float:
    """Return this time, or what is left of the caller's time limit if that is less."""
    return max(min(seconds, ends_at() - time.monotonic()), SHORTEST_S)


@contextmanager
def extended(seconds: float) -> Iterator[None]:
    """Give the block a limit of its own instead of the caller's, if there is one."""
    with paused():
        limit = TimeLimit(seconds)
        limit.start()
        try:
            yield
        finally:
            limit.stop()


@contextmanager
def paused() -> Iterator[None]:
    """Stop the caller's time limit inside the block, if there is one."""
    limit = _current.get()
    if limit is None:
        yield
        return
    limit.stop()
    try:
        yield
    finally:
        limit.start()
