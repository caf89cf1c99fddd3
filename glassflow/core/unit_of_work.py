"""All or nothing: a use case as one transaction, spoken of only when it is stored.

`unit_of_work` runs a function inside a transaction of the store and repeats the whole
function when the store asks for it (two transactions touched one document). So such a
function is repeatable: it reads what it decides on, takes the time from `core.clock`,
and says what it has to say through `core.outbox`. It is not for reads, and not for
slow outside work: a transaction holds up everybody who wants the same documents.
"""

import random
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    suppress,
)
from contextvars import Context, ContextVar
from functools import partial, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar

import pymongo
from mongoengine.connection import get_connection
from pymongo.client_session import ClientSession
from pymongo.errors import (
    AutoReconnect,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
)
from pymongo.write_concern import WriteConcern

from glassflow.core import clock, outbox
from glassflow.core.failures import causes
from glassflow.domain.errors import Conflict

P = ParamSpec("P")
T = TypeVar("T")

# Said once, at the commit: inside a transaction single writes must not ask for it.
STORED = WriteConcern(w="majority", j=True)
PATIENCE = 3.5  # seconds: a request answers within five, whatever the store does
LAST_WORD = 0.4  # seconds more for the store to take back what is given up

BUSY = "Somebody else is changing the same record; please try again"
WRITE_CONFLICT = 112  # the store's number for a race that was lost

_inside: ContextVar[bool] = ContextVar("inside_unit_of_work", default=False)
_given: ContextVar[ClientSession | None] = ContextVar("given_session", default=None)
_losers = threading.Lock()
_held: ContextVar[frozenset[str]] = ContextVar("held_around", default=frozenset())

Holder = Callable[[Collection[str]], AbstractContextManager[None]]


class StartAgain(OperationFailure):
    """Raised inside a unit of work to repeat it, as the store does on a conflict."""

    def __init__(self) -> None:
        labels = {"errorLabels": ["TransientTransactionError"]}
        super().__init__("somebody else is at it", WRITE_CONFLICT, labels)


class _HoldFirst(Exception):
    """Ends a try that needs something held from before its transaction."""

    def __init__(self, names: frozenset[str], hold: Holder) -> None:
        super().__init__()
        self.names, self.hold = names, hold


def hold_around(names: Collection[str], hold: Holder) -> None:
    """Hold what has these names from before the unit of work until after it.

    `hold` takes names that are not held yet and gives a context manager; the unit is
    begun again inside of it, outside any transaction, so call this early.
    """
    missing = frozenset(names) - _held.get()
    if missing:
        raise _HoldFirst(missing, hold)


@contextmanager
def in_session(session: ClientSession) -> Iterator[None]:
    """Run the units of work of the block in this session, one after the other."""
    token = _given.set(session)
    try:
        yield
    finally:
        _given.reset(token)


def unit_of_work(function: Callable[P, T]) -> Callable[P, T]:
    """Make a use case atomic; inside another unit of work it simply joins that one.

    Raises `Conflict` when the store still reports one after all its patience, and
    whatever the function raises, with nothing stored and nothing said.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        if _inside.get():
            return function(*args, **kwargs)
        return _repeat(lambda: function(*args, **kwargs))

    return run


def _repeat(work: Callable[[], T]) -> T:
    deadline = time.monotonic() + PATIENCE
    with clock.held(), ExitStack() as around:
        around.callback(_held.reset, _held.set(frozenset()))
        lost = False
        for attempt in count():
            try:
                with _turn(deadline) if lost else nullcontext():
                    result, bundles = _attempt(work, deadline)
            except _HoldFirst as wanted:
                around.enter_context(wanted.hold(wanted.names))
                _held.set(_held.get() | wanted.names)
            except Exception as error:
                if not _labelled(error, "TransientTransactionError"):
                    raise
                lost = _lost_race(error)
                if time.monotonic() > deadline:
                    if lost:
                        break
                    raise
                # full jitter: the losers of one storm do not meet again at once
                time.sleep(random.uniform(0, min(0.05, 0.002 * 2 ** min(attempt, 5))))
            else:
                outbox.publish(bundles)
                return result
    raise Conflict(BUSY)


@contextmanager
def _turn(deadline: float) -> Iterator[None]:
    """Wait for one's turn among those in this process who have lost a race.

    All at once they would lose again, most of all who has the most to do.
    """
    if not _losers.acquire(timeout=max(0.0, deadline - time.monotonic())):
        raise Conflict(BUSY)
    try:
        yield
    finally:
        _losers.release()


def _attempt(work: Callable[[], T], deadline: float) -> tuple[T, list[outbox.Bundle]]:
    box = outbox.Outbox()
    opened, inside = outbox._open.set(box), _inside.set(True)
    doubt: PyMongoError | None = None
    try:
        client: Any = get_connection()
        given = _given.get()
        opened_session = nullcontext(given) if given else client.start_session()
        with opened_session as session, session.bind(end_session=False):
            session.start_transaction(write_concern=STORED)
            try:
                result = work()
                bundles = outbox.keep(box.entries)
            except BaseException as error:
                if session.in_transaction:
                    _at_last(session.abort_transaction, error, deadline)
                raise
            try:
                _commit(session, deadline)
            except PyMongoError as error:
                doubt = error
                if not _lost_race(error):  # did the commit come through or not?
                    _at_last(partial(_kill, session), error, deadline)
    finally:
        _inside.reset(inside)
        outbox._open.reset(opened)
    if doubt is not None and not _committed_after_all(doubt, bundles):
        raise doubt
    return result, bundles


def _committed_after_all(error: PyMongoError, bundles: list[outbox.Bundle]) -> bool:
    """Look whether a commit that is said to have failed was stored all the same.

    The driver repeats a commit whose answer got lost. A store that was started anew
    meanwhile, and keeps no record of transactions, does not know it any more and asks
    for the whole once again: that would do it twice.
    """
    again = error.has_error_label("TransientTransactionError")
    return again and bool(bundles) and outbox.is_stored(bundles[0])


def _commit(session: ClientSession, deadline: float) -> None:
    """Commit; an unknown result is asked again, which the store answers rightly."""
    while True:
        try:
            session.commit_transaction()
        except PyMongoError as error:
            unknown = error.has_error_label("UnknownTransactionCommitResult")
            if not unknown or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _kill(session: ClientSession) -> None:
    admin: Any = session.client.admin
    admin.command("killSessions", [session.session_id])


def _at_last(act: Callable[[], Any], error: BaseException, deadline: float) -> None:
    """Have the store end a transaction, even if the caller has no patience left.

    It would hold the documents until the transaction lapses, after a minute. Should
    this fail, it does that; the first error matters more.
    """
    if time.monotonic() > deadline and _away(error):
        return  # it takes too long to see that the store is still away

    def say() -> None:
        with suppress(PyMongoError), pymongo.timeout(LAST_WORD):
            act()

    Context().run(say)  # the caller's patience is kept in the context


def _away(error: BaseException) -> bool:
    """Whether nobody took the call, not whether there was no answer in time."""
    return any(
        isinstance(cause, AutoReconnect) and not isinstance(cause, NetworkTimeout)
        for cause in causes(error)
    )


def _labelled(error: BaseException, label: str) -> bool:
    return any(
        isinstance(cause, PyMongoError) and cause.has_error_label(label)
        for cause in causes(error)
    )


def _lost_race(error: BaseException) -> bool:
    """Whether the store answered (a write conflict), not whether it was away."""
    return any(getattr(c, "code", None) == WRITE_CONFLICT for c in causes(error))
