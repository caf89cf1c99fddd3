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
they have done the work that the conflict would waste. A unit that reserves before it has
read anything wastes none: its transaction begins in the store with its first command.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Document = tuple[str, str]  # a collection's name, and an id as text
Turns = dict[Document, threading.Event]
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


# The turns for each document in the order in which they come; the first one has come.
_queues: dict[Document, deque[threading.Event]] = {}
# The documents for which a unit that writes many of them has its turn.
_of_many: set[Document] = set()


# The turns of the open unit of work.
_turns: ContextVar[Turns | None] = ContextVar("turns", default=None)


@contextmanager
def hold(documents: Iterable[Document], deadline: float) -> Iterator[None]:
    """Wait for this process's other losers of the same documents, then run the block.

    `deadline` is on the monotonic clock, in seconds. Raises `TurnTimeout` when it
    passes.
    """
    mine: Turns = {}
    token = _turns.set(mine)
    wanted = sorted(documents)
    many: list[Document] = []
    try:
        for document in wanted:  # in one order, so without deadlocks
            _take(mine, document, deadline)
        many = wanted if len(wanted) > MANY else []
        _of_many.update(many)
        yield
    finally:
        _of_many.difference_update(many)
        _turns.reset(token)
        _end_turns(mine, list(mine))


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
    _end_turns(mine, {one for one in mine if one[0] == collection} - wanted)
    missing = wanted - mine.keys()
    if not missing.isdisjoint(_queues):
        raise Reserved(frozenset(mine.keys() | missing))
    for document in missing:  # nobody has them, so this does not wait
        _take(mine, document, time.monotonic())


def _take(turns: Turns, document: Document, deadline: float) -> None:
    turn = turns[document] = threading.Event()
    queue = _queues.setdefault(document, deque())
    queue.append(turn)
    if queue[0] is not turn and not turn.wait(max(0.0, deadline - time.monotonic())):
        raise TurnTimeout


def _end_turns(turns: Turns, documents: Iterable[Document]) -> None:
    """End turns, also some that have not come yet; the next one of each comes."""
    for document in documents:
        queue = _queues[document]
        queue.remove(turns.pop(document))
        if queue:
            queue[0].set()
        else:
            del _queues[document]
