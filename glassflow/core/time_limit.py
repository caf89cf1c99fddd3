"""The time limit of a request on its calls to the store.

It is paused while the request waits for something else (a password hash, the rest of a
large body): otherwise such a wait would be reported as a store that does not respond.
"""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

import pymongo

SHORTEST_S = 0.001  # the driver takes 0 as no limit


class TimeLimit:
    """Limits all calls to the store between `start` and `stop` together, in seconds.

    Both are called in the greenlet of the request: the driver keeps the limit in a
    context variable.
    """

    def __init__(self, seconds: float) -> None:
        self._left = seconds
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

    @property
    def left_s(self) -> float:
        """How many seconds are left while the time runs; negative after its end."""
        return self._left - (time.monotonic() - self._since)


_current: ContextVar[TimeLimit | None] = ContextVar("time_limit", default=None)


def at_most(seconds: float, *, keep_s: float = 0.0) -> float:
    """Return this time, or what is left of the caller's time limit if that is less.

    `keep_s` of the caller's limit are not given away.
    """
    limit = _current.get()
    if limit is None:
        return seconds
    return max(min(seconds, limit.left_s - keep_s), SHORTEST_S)


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
