"""Run a use case as one transaction, and publish its changes after the commit.

`unit_of_work` runs a function inside a transaction of the store, and runs the whole
function again when the store reports a conflict (two transactions wrote one document).
So the function must be repeatable: it reads what it decides on, takes the time from
`core.process.clock`, and publishes through `core.store.outbox` only. It must not be used
for reads, nor contain slow work outside the store: other transactions that write the same
documents have to retry until it ends.

A unit that loses a conflict retries after a short random pause, one at a time for each
document (`core.store.retry_queue`), and never behind work on other documents.
"""

import logging
import random
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import count
from typing import ParamSpec, TypeVar

from pymongo.client_session import ClientSession
from pymongo.errors import ConnectionFailure, OperationFailure, PyMongoError

from glassflow.core.process import clock, deadlines, metrics, time_limit
from glassflow.core.process.errors import cause_chain
from glassflow.core.store import outbox, retry_queue, transactions
from glassflow.core.store.outbox_entries import OutboxBatch
from glassflow.core.store.transactions import NO_SUCH_TRANSACTION, WRITE_CONFLICT
from glassflow.domain.errors import Contention

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

# MongoDB's error codes: a transaction that failed with one of them can be repeated.
LOCK_TIMEOUT = 24
SNAPSHOT_UNAVAILABLE = 246
TRANSIENT_CODES = frozenset(
    {WRITE_CONFLICT, LOCK_TIMEOUT, SNAPSHOT_UNAVAILABLE, NO_SUCH_TRANSACTION}
)
TRANSIENT = "TransientTransactionError"  # the error label that asks for a retry
COMMIT_RETRY_PAUSE_S = 0.05
FIRST_PAUSE_S, MAX_PAUSE_S = 0.002, 0.05  # bounds of the pause before a retry

_inside: ContextVar[bool] = ContextVar("inside_unit_of_work", default=False)
_session: ContextVar[ClientSession | None] = ContextVar("session", default=None)
_retries_s: ContextVar[float | None] = ContextVar("retries_s", default=None)
_locked: ContextVar[frozenset[str]] = ContextVar("locked_names", default=frozenset())

# Takes names, and when to give up: a deadline on the monotonic clock, in seconds.
Lock = Callable[[Collection[str], float], AbstractContextManager[None]]


class RetryTransaction(OperationFailure):
    """Raised inside a unit of work to retry it, as the store does on a conflict."""

    def __init__(self) -> None:
        super().__init__(
            "retry requested", WRITE_CONFLICT, {"errorLabels": [TRANSIENT]}
        )


class CommitResultUnknown(ConnectionFailure):
    """The store did not say in time whether a commit is stored."""


class _LockFirst(Exception):
    """Ends an attempt that needs a lock taken before its transaction begins."""

    def __init__(self, names: frozenset[str], lock: Lock) -> None:
        super().__init__()
        self.names, self.lock = names, lock


def lock_before(names: Collection[str], lock: Lock) -> None:
    """Hold a lock on these names from before the unit of work until after it.

    `lock` takes the names that are not locked yet and the unit's deadline, and returns a
    context manager. The unit starts again inside of it, outside any transaction, so call
    this early.
    """
    missing = frozenset(names) - _locked.get()
    if missing:
        raise _LockFirst(missing, lock)


@contextmanager
def in_session(session: ClientSession) -> Iterator[None]:
    """Run the units of work of the block in this session, one after the other."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)


@contextmanager
def retrying_for(seconds: float) -> Iterator[None]:
    """Let the units of work of the block repeat lost conflicts for this time.

    For long ones: while one attempt takes seconds, another needs more than the usual time.
    """
    token = _retries_s.set(seconds)
    try:
        yield
    finally:
        _retries_s.reset(token)


def unit_of_work(function: Callable[P, T]) -> Callable[P, T]:
    """Make a use case atomic; inside another unit of work it joins that one.

    Raises `Contention` when the store still refuses the transaction after
    `UNIT_OF_WORK_TIMEOUT_S` (or shortly before the end of the caller's time limit), and
    whatever the function raises; then nothing is stored and nothing published. Raises
    `ConnectionFailure` when the store is away, or was for a part of that time; if it went
    away during the commit, the changes may be stored.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        if _inside.get():
            return function(*args, **kwargs)
        with metrics.counted(metrics.units_of_work):
            return _run_with_retries(lambda: function(*args, **kwargs))

    return run


def _run_with_retries(work: Callable[[], T]) -> T:
    started = time.monotonic()
    seconds = _retries_s.get() or deadlines.UNIT_OF_WORK_TIMEOUT_S

    def deadline() -> float:
        """Return after when no other attempt begins: later for a unit of many records."""
        own = started + seconds + time_limit.added_s()
        return min(own, time_limit.ends_at() - deadlines.LAST_ATTEMPT_S)

    with clock.frozen(), ExitStack() as locks:
        locks.callback(_locked.reset, _locked.set(frozenset()))
        locks.callback(retry_queue.forget)
        lost = frozenset[retry_queue.Document]()
        outage: Exception | None = None
        for attempt in count():
            try:
                with retry_queue.hold(lost, deadline()):
                    result, batches = _attempt(work, deadline)
            except _LockFirst as needed:
                locks.enter_context(needed.lock(needed.names, deadline()))
                _locked.set(_locked.get() | needed.names)
            except retry_queue.Reserved as needed:
                lost = needed.documents
            except retry_queue.TurnTimeout:
                break
            except Exception as error:
                if not _is_transient(error):
                    raise
                if _is_outage(error):
                    outage = error
                if time.monotonic() > deadline():
                    log.warning("gave up after %s attempts: %s", attempt + 1, error)
                    break
                lost = _documents_to_queue_for(error, lost)
                _pause(attempt)
            else:
                outbox.publish(batches)
                return result
        # inside the block: a lock whose unit of work has failed is released at once
        if outage:  # which has used up the time, not the others
            raise ConnectionFailure("the store was away") from outage
        raise Contention


def _documents_to_queue_for(
    error: Exception, before: frozenset[retry_queue.Document]
) -> frozenset[retry_queue.Document]:
    """Return what a unit that lost a conflict queues for; `before` it queued for these."""
    if isinstance(error, RetryTransaction):
        return frozenset()
    lost = retry_queue.last_written()
    # a long attempt must not lose one document while it has the turn for another
    return lost | before if time_limit.added_s() else lost


def _pause(attempt: int) -> None:
    # Full jitter, so that the losers of one conflict do not meet again at once.
    metrics.unit_of_work_retries.inc()
    longest = min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** min(attempt, 5))
    time.sleep(random.uniform(0, longest))


def _attempt(
    work: Callable[[], T], deadline: Callable[[], float]
) -> tuple[T, list[OutboxBatch]]:
    entries, batches = outbox.Outbox(), list[OutboxBatch]()
    opened, inside = outbox._open.set(entries), _inside.set(True)
    try:
        with transactions.open_transaction(_session.get()) as session:
            result = work()
            batches = outbox.store(entries.entries, entries.named_changesets())
            _commit(session, deadline)
    except PyMongoError as error:
        if not _was_committed(error, batches):
            raise
    finally:
        _inside.reset(inside)
        outbox._open.reset(opened)
        outbox.end_transaction(entries.entries, batches)
    return result, batches


def _was_committed(error: PyMongoError, batches: list[OutboxBatch]) -> bool:
    """Return whether a commit that reported a transient error was stored nevertheless.

    The driver repeats a commit whose answer was lost. A store that was restarted in
    between, and keeps no record of transactions, does not know the transaction any more
    and reports a transient error. A retry would then apply the change twice.
    """
    return _is_transient(error) and bool(batches) and outbox.is_stored(batches[0])


def _commit(session: ClientSession, deadline: Callable[[], float]) -> None:
    """Commit; while the result is unknown, commit again, which MongoDB allows.

    Raises `CommitResultUnknown` at the deadline.
    """
    while True:
        try:
            session.commit_transaction()
        except PyMongoError as error:
            unknown = error.has_error_label("UnknownTransactionCommitResult")
            if not unknown:
                raise
            if time.monotonic() > deadline():
                raise CommitResultUnknown("no answer to a commit") from error
            time.sleep(COMMIT_RETRY_PAUSE_S)
        else:
            return


def _is_transient(error: BaseException) -> bool:
    """Return whether a transaction failed in a way that asks for a repetition."""
    return any(
        isinstance(cause, PyMongoError)
        and (
            cause.has_error_label(TRANSIENT)
            or getattr(cause, "code", None) in TRANSIENT_CODES
        )
        for cause in cause_chain(error)
    )


def _is_outage(error: BaseException) -> bool:
    """Return whether the store was away: a restarted one does not know the transaction."""
    return any(
        isinstance(cause, ConnectionFailure)
        or getattr(cause, "code", None) == NO_SUCH_TRANSACTION
        for cause in cause_chain(error)
    )
