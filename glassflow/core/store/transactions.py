"""Transactions of the store, and that none of them stays open.

An open transaction locks what it has written until the store itself ends it, after a
minute: other transactions that write the same documents are refused, and the embedded
store lets plain writes of them wait without an end. So each transaction that is not
committed is aborted, and the store has to confirm it. Where it does not confirm in time
(it is away or busy, all connections are in use, the greenlet is killed), a thread of this
process kills the session of the transaction, again and again until that is confirmed. The
session is not used for anything else until then.

What a killed process leaves open is ended by others (`core.events.publisher_lease`,
`embedded.orphans`), or by the store.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pymongo
from mongoengine.connection import get_connection
from pymongo.client_session import ClientSession
from pymongo.errors import (
    ConnectionFailure,
    InvalidOperation,
    PyMongoError,
)
from pymongo.read_concern import ReadConcern

from glassflow import runtime
from glassflow.core.process import deadlines
from glassflow.core.store.connection import MAJORITY_WRITE

log = logging.getLogger(__name__)

# MongoDB's error codes of a commit whose transaction has ended.
WRITE_CONFLICT = 112
NO_SUCH_TRANSACTION = 251
KILL_PAUSE_S = 0.5  # between two attempts of the background

# The sessions in which this process has an open transaction, and those of them whose
# transaction has to be ended in the background.
_open: set[ClientSession] = set()
_abandoned: list[ClientSession] = []
_killer: threading.Thread | None = None
_stopping = threading.Event()


class _NotConfirmed(Exception):
    """The store did not confirm that it has aborted a transaction."""


@contextmanager
def open_transaction(
    session: ClientSession | None = None, *, read_concern: ReadConcern | None = None
) -> Iterator[ClientSession]:
    """Run the block in a transaction, which the block commits by `commit_transaction`.

    All calls of the block are in the transaction. It is aborted where the block raises.
    With a `session` of the caller, the caller kills it if that was not confirmed either
    (`core.events.publisher_lease`). Raises `ConnectionFailure` while the process stops.
    """
    if _stopping.is_set():
        raise ConnectionFailure("the process stops")
    client = get_connection()
    used: ClientSession = session or client.start_session()
    ended = False
    _open.add(used)
    try:
        with used.bind(end_session=False):
            used.start_transaction(read_concern, MAJORITY_WRITE)
            try:
                yield used
                ended = True
            except BaseException as error:
                ended = _end(used, error)
                raise
    finally:
        _open.discard(used)
        if session is None and ended:
            used.end_session()
        elif session is None:
            _abandon(used)


def _end(session: ClientSession, error: BaseException) -> bool:
    """End a transaction that failed; return whether the store has confirmed it.

    It has a time limit of its own, because the caller's may be used up.
    """

    def run() -> bool:
        try:
            with pymongo.timeout(deadlines.ABORT_GRACE_S):
                if session.in_transaction:
                    _abort(session)
                elif not _has_ended_it(error):  # the commit failed
                    kill([session])
        except (PyMongoError, _NotConfirmed):
            return False
        return True

    return runtime.run_detached(run)


def _has_ended_it(error: BaseException) -> bool:
    """Return whether the store said, by this error of a commit, that nothing is open."""
    return getattr(error, "code", None) in (WRITE_CONFLICT, NO_SUCH_TRANSACTION)


def _abort(session: Any) -> None:
    """Abort the open transaction; raises `_NotConfirmed` if the store has not confirmed.

    The driver's own `abort_transaction` ignores all errors of the driver, as MongoDB
    specifies it: afterwards nobody knows whether the transaction is still open.
    """
    send = session._finish_transaction_with_retry

    def send_and_check(command: str) -> Any:
        try:
            return send(command)
        except PyMongoError as error:
            if getattr(error, "code", None) != NO_SUCH_TRANSACTION:
                raise _NotConfirmed from error
            raise

    session._finish_transaction_with_retry = send_and_check
    try:
        session.abort_transaction()
    finally:
        del session._finish_transaction_with_retry


def kill(sessions: Iterable[ClientSession]) -> None:
    """Let the store end the transactions of sessions; raises the driver's errors."""
    chosen = list(sessions)
    if chosen:
        admin: Any = chosen[0].client.admin
        admin.command("killSessions", [one.session_id for one in chosen])


def _abandon(session: ClientSession) -> None:
    """Have the transaction of a session ended in the background."""
    global _killer
    _abandoned.append(session)
    log.warning(
        "a transaction may still be open: killing its session in the background"
    )
    if _killer is None or not _killer.is_alive():
        _killer = threading.Thread(target=_kill_abandoned, daemon=True)
        _killer.start()


def _kill_abandoned() -> None:
    """Kill the abandoned sessions, until the store has confirmed it for each."""
    while True:
        for session in list(_abandoned):
            # two threads may run for a moment: starting one lets others run
            if _is_killed(session) and session in _abandoned:
                _abandoned.remove(session)
        if not _abandoned:
            return
        time.sleep(KILL_PAUSE_S)


def _is_killed(session: ClientSession) -> bool:
    try:
        with pymongo.timeout(deadlines.KILL_TIMEOUT_S):
            kill([session])
            session.end_session()  # back to the driver's pool
    except InvalidOperation:
        return True  # its client has been closed
    except PyMongoError:
        return False
    return True


def stop() -> None:
    """End all open transactions of this process, which is about to exit.

    Units of work that still run fail, and none begins after it.
    """
    _stopping.set()
    try:
        with pymongo.timeout(deadlines.KILL_TIMEOUT_S):
            kill([*_open, *_abandoned])
    except PyMongoError as error:
        log.warning("could not end all open transactions: %s", error)
