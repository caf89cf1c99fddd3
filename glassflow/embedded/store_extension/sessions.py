"""Sessions of the storage engine: of transactions, and of connections between statements.

SPDX-License-Identifier: GPL-2.0-only
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from secantus import storage
from secantus.storage import Storage

from glassflow.embedded.store_extension.catalogue import gate

#: Sessions that wait for the next transaction. Each has a cursor for each table it used.
MAX_POOLED = 32

_pool: list[Any] = []
_begin, _close = Storage.begin_user_transaction, Storage._close_user_txn_session
_use = Storage.use_user_transaction
_cursor, _release = Storage._cursor, Storage.release_thread_snapshot


def begin_transaction(self: Storage) -> Any:
    """Open a transaction, in the session of an earlier one if possible.

    The plain program opens a session and all its cursors in each transaction.
    """
    gate.begin_transaction()
    try:
        with self._lock:
            pooled = _pool.pop() if _pool and not self._closed else None
        if pooled is None:
            return _begin(self)
        session, cursors = pooled
        handle = storage.UserTransactionHandle(session)
        handle.cursors = cursors
        return handle
    except BaseException:
        gate.end_transaction()
        raise


def close_transaction(self: Storage, handle: Any) -> None:
    """Keep the session of a transaction that was committed or aborted."""
    if handle.closed:
        return
    try:
        # one that cannot be reset is closed
        with self._lock, suppress(storage.wt.WiredTigerError):
            if len(_pool) < MAX_POOLED and not self._closed:
                handle.session.reset()  # all its cursors
                _pool.append((handle.session, handle.cursors))
                handle.closed = True
    finally:
        _close(self, handle)
        gate.end_transaction()


@contextmanager
def use_transaction(self: Storage, handle: Any) -> Iterator[None]:
    """Run a statement in a transaction, and reset the cursors that it moved.

    The engine does not evict a page while a cursor stands on it. When a page is larger
    than 5 MB, each search on it tries to evict it ten times and sleeps in between, 55 ms
    in all. The plain program leaves the cursors of an open transaction where they are, so
    a few open transactions made all others that slow.
    """
    moved: dict[tuple[str, bool], Any] = {}
    outer, self._tls.moved = getattr(self._tls, "moved", None), moved
    try:
        with _use(self, handle):
            yield
    finally:
        self._tls.moved = outer
        for used in moved.values():
            used.reset()


def cursor(self: Storage, table: str, *, overwrite: bool = True) -> Any:
    """Return the cursor of a table in the session of this thread or its transaction."""
    found = _cursor(self, table, overwrite=overwrite)
    if getattr(self._tls, "user_txn", None) is None:
        self._tls.has_read = True
    else:
        self._tls.moved[table, overwrite] = found
    return found


def release_snapshot(self: Storage) -> None:
    """Release the view of the data of a statement outside of transactions."""
    if getattr(self._tls, "has_read", False):
        self._tls.has_read = False
        _release(self)


def install() -> None:
    """Replace the methods."""
    Storage.begin_user_transaction = begin_transaction
    Storage._close_user_txn_session = close_transaction
    Storage.use_user_transaction = use_transaction
    Storage._cursor = cursor
    Storage.release_thread_snapshot = release_snapshot
