"""Let the units of work that lost a conflict on one document retry one at a time.

Otherwise the losers of a conflict conflict with each other again: of 20 units that write
one document each needs 8 attempts instead of 2, and some give up. The queue is per
document, so a loser never waits behind work on other documents.

The store does not say which document a conflict was about. So the functions that write
records announce each write with `writing`, and a unit that loses queues for the documents
of its last announced write. A write that is not announced is still correct: its loser
retries without a queue, or in the one of an earlier write. A bulk write names many
documents; its loser queues for all of them. While it has its turn for more than `MANY`,
the others do not write these documents: a unit that takes seconds would lose each attempt
against those that take milliseconds.

A document that many units write at the end of their work, as the order of the panes that
are scanned, is reserved early with `reserve`: then the others of this process wait before
they have done the work that the conflict would waste.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

Document = tuple[str, str]  # a collection's name, and an id as text
MANY = 50  # documents


class TurnTimeout(Exception):
    """The turn for a document did not come before the deadline."""


class Reserved(Exception):
    """Ends an attempt of a unit of work: it has to queue for these documents first."""

    def __init__(self, documents: frozenset[Document]) -> None:
        super().__init__()
        self.documents = documents


_last_write: ContextVar[tuple[str, tuple[Any, ...]]] = ContextVar("last_write")


def writing(collection: str, *ids: Any) -> None:
    """Announce a write of existing documents, just before it is sent to the store.

    Where a unit of many documents has its turn for one of them, the open unit is aborted,
    and repeated when it is its turn.
    """
    _last_write.set((collection, ids))
    mine = _turns.get()
    if mine is not None and _of_many:
        held = {(collection, str(one)) for one in ids} & _of_many - mine.keys()
        if held:
            raise Reserved(frozenset(mine.keys() | held))


def forget() -> None:
    """Forget the last announced write."""
    _last_write.set(("", ()))


def last_written() -> frozenset[Document]:
    """Return the documents of the last announced write of this greenlet."""
    collection, ids = _last_write.get(("", ()))
    return frozenset((collection, str(one)) for one in ids)


@dataclass(slots=True)
class _Queue:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


_queues: dict[Document, _Queue] = {}
# The documents for which a unit that writes many of them has its turn.
_of_many: set[Document] = set()


# The documents for which the open unit of work has its turn, and how to end each turn.
_turns: ContextVar[dict[Document, ExitStack] | None] = ContextVar("turns", default=None)


@contextmanager
def hold(documents: Iterable[Document], deadline: float) -> Iterator[None]:
    """Wait for this process's other losers of the same documents, then run the block.

    `deadline` is on the monotonic clock, in seconds. Raises `TurnTimeout` when it
    passes.
    """
    mine: dict[Document, ExitStack] = {}
    token = _turns.set(mine)
    wanted = sorted(documents)
    many = wanted if len(wanted) > MANY else []
    try:
        for document in wanted:  # in one order, so without deadlocks
            _take(mine, document, deadline)
        _of_many.update(many)
        try:
            yield
        finally:
            _of_many.difference_update(many)
    finally:
        _turns.reset(token)
        for held in mine.values():
            held.close()


def reserve(collection: str, *ids: Any) -> None:
    """Let this process's other units of work that reserve these documents wait.

    Until the open unit of work ends. Call it as soon as it is known which documents of the
    collection will be written. Where another unit has reserved one of them, or queues for
    it, the open one is aborted, and repeated when it is its turn; a turn for other
    documents of the collection ends, as they need not be written any more.
    """
    mine = _turns.get()
    if mine is None:
        return
    wanted = {(collection, str(one)) for one in ids}
    for document in [one for one in mine if one[0] == collection]:
        if document not in wanted:
            mine.pop(document).close()
    missing = wanted - mine.keys()
    if not missing.isdisjoint(_queues):
        raise Reserved(frozenset(mine.keys() | missing))
    for document in missing:  # nobody has them, so this does not wait
        _take(mine, document, time.monotonic())


def _take(
    turns: dict[Document, ExitStack], document: Document, deadline: float
) -> None:
    with ExitStack() as held:
        held.enter_context(_queued(document, deadline))
        turns[document] = held.pop_all()


@contextmanager
def _queued(document: Document, deadline: float) -> Iterator[None]:
    queue = _queues.setdefault(document, _Queue())
    queue.users += 1
    try:
        if not queue.lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise TurnTimeout
        try:
            yield
        finally:
            queue.lock.release()
    finally:
        queue.users -= 1
        if not queue.users:
            del _queues[document]
