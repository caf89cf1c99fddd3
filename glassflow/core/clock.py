"""The time, as everybody in the service reads it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_held: ContextVar[datetime | None] = ContextVar("held_moment", default=None)


def now() -> datetime:
    """Give the present moment: UTC, naive, in whole milliseconds as the store keeps it.

    Inside a unit of work it is the moment at which the work began, so that a repeated
    try decides the same as the first.
    """
    held = _held.get()
    if held is not None:
        return held
    moment = datetime.now(UTC).replace(tzinfo=None)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@contextmanager
def held() -> Iterator[datetime]:
    """Hold the clock at the present moment for the length of the block."""
    moment = now()
    token = _held.set(moment)
    try:
        yield moment
    finally:
        _held.reset(token)
