"""What this process has written, reported after the commit to whoever keeps figures of it.

The functions that write records note what they write; the unit of work reports it once
it is committed, and drops it when the transaction fails.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple


class Write(NamedTuple):
    """A document of a collection that was created, changed or deleted.

    `document` returns its stored form: the new one, or that which was deleted. `fields`
    are the changed fields, without those inside of objects; empty unless it was changed.
    """

    collection: str
    action: str  # created, changed, deleted
    document: Callable[[], Mapping[str, Any]]
    fields: frozenset[str] = frozenset()


Listener = Callable[[Write], None]

_listeners: list[Listener] = []
_open: ContextVar[list[Write] | None] = ContextVar("open_writes", default=None)


def listen(listener: Listener) -> Listener:
    """Call a function with each write that is committed; it must not use the store."""
    _listeners.append(listener)
    return listener


def note(write: Write) -> None:
    """Note a write; outside a unit of work it is stored already."""
    writes = _open.get()
    if writes is None:
        report([write])
    else:
        writes.append(write)


def count() -> int:
    """Return how many writes the current attempt of a unit of work has noted."""
    return len(_open.get() or ())


@contextmanager
def collecting() -> Iterator[list[Write]]:
    """Collect the writes of one attempt of a unit of work."""
    writes: list[Write] = []
    token = _open.set(writes)
    try:
        yield writes
    finally:
        _open.reset(token)


def report(writes: list[Write]) -> None:
    """Report committed writes to the listeners."""
    for write in writes:
        for listener in _listeners:
            listener(write)
