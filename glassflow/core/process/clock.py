"""The current time, which can be frozen so that a retried unit of work repeats it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_frozen: ContextVar[datetime | None] = ContextVar("frozen_time", default=None)


def now() -> datetime:
    """Return the current time: UTC, naive, in whole milliseconds as the store keeps it.

    Inside a unit of work it is the time at which the unit began, so that a retry decides
    the same as the first attempt.
    """
    frozen_time = _frozen.get()
    if frozen_time is not None:
        return frozen_time
    time = datetime.now(UTC).replace(tzinfo=None)
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def epoch_s(time: datetime) -> float:
    """Return a time as the store keeps it (UTC, naive) in epoch seconds."""
    return time.replace(tzinfo=UTC).timestamp()


def frozen() -> AbstractContextManager[datetime]:
    """Freeze the clock at the current time inside the block, and yield that time."""
    return at(now())


@contextmanager
def at(time: datetime) -> Iterator[datetime]:
    """Freeze the clock at a time (UTC, naive) inside the block, and yield it."""
    token = _frozen.set(time.replace(microsecond=time.microsecond // 1000 * 1000))
    try:
        yield time
    finally:
        _frozen.reset(token)
