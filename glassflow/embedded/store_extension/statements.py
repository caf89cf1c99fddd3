"""What every statement does: sweeps, keys of the storage engine, type ranks, no oplog.

SPDX-License-Identifier: GPL-2.0-only
"""

from typing import Any

import wiredtiger.swig_wiredtiger as swig
from secantus import sortkey, storage
from secantus.sessions import SessionRegistry
from secantus.storage import Storage
from secantus.transactions import (
    _RETRYABLE_RECORD_LIFETIME_SECONDS as REPLY_LIFETIME_S,
)
from secantus.transactions import (
    _RETRYABLE_RECORD_MAX as MAX_REPLIES,
)
from secantus.transactions import TransactionRegistry, TxnState
from wiredtiger.intpacking import pack_int

#: How often expired transactions and sessions are looked for. They live for minutes.
SWEEP_INTERVAL_S = 1.0


def is_due(registry: Any) -> bool:
    """Return whether the last sweep of a registry was long enough ago."""
    now = registry._time()
    if now - getattr(registry, "_swept_at", 0.0) < SWEEP_INTERVAL_S:
        return False
    registry._swept_at = now
    return True


def prune_transactions(self: TransactionRegistry) -> int:
    """Abort the transactions that have expired; return how many.

    The plain program does it in every statement and every commit, and waits for each
    transaction that is being committed: a statement waited for the disk writes of all
    others. Here a transaction that a thread works on is left to the next time.
    """
    if not is_due(self):
        return 0
    now, aborted = self._time(), 0
    for transaction in self._txns.values():
        if transaction.state is not TxnState.IN_PROGRESS:
            continue
        if transaction.last_use >= now - self._lifetime:
            continue
        if not transaction.mutex.acquire(blocking=False):
            continue
        try:
            if transaction.state is TxnState.IN_PROGRESS:
                self._rollback_quietly(transaction)
                transaction.state = TxnState.ABORTED
                aborted += 1
        finally:
            transaction.mutex.release()
    return aborted


def prune_replies(self: TransactionRegistry) -> None:
    """Forget the oldest replies of writes, which stand first.

    The plain program looks at all of them, twice a write.
    """
    oldest_kept = self._time() - REPLY_LIFETIME_S
    while self._retryable:
        key, (_, stored_at, _) = next(iter(self._retryable.items()))
        if stored_at >= oldest_kept and len(self._retryable) <= MAX_REPLIES:
            return
        del self._retryable[key]


_prune_sessions = SessionRegistry._prune_locked


def prune_sessions(self: SessionRegistry) -> int:
    """Forget the sessions that were not used for long; return how many."""
    if not is_due(self):
        return 0
    pruned: int = _prune_sessions(self)
    return pruned


_pack, _unpack = swig.pack, swig.unpack


def pack(format_: str, *values: Any) -> bytes:
    """Pack a key or value, as WiredTiger's Python does, for the formats of the store.

    WiredTiger interprets the format letter by letter. The letters of the store are S (a
    text that ends with NUL), q (an integer) and, at the end, u (bytes).
    """
    parts = []
    last = len(format_) - 1
    for position, letter in enumerate(format_):
        value = values[position]
        if letter == "S" and type(value) is str and "\0" not in value:
            parts.append(value.encode() + b"\0")
        elif letter == "q":
            parts.append(pack_int(value))
        elif letter == "u" and position == last and type(value) is bytes:
            parts.append(value)
        else:
            packed: bytes = _pack(format_, *values)
            return packed
    return b"".join(parts)


def unpack(format_: str, data: bytes | None) -> Any:
    """Unpack what `pack` has packed; the formats with integers as WiredTiger does."""
    if format_ == "u":
        return [data if data is not None else b""]
    if data is None:
        return _unpack(format_, data)
    values: list[Any] = []
    begin = 0
    last = len(format_) - 1
    for position, letter in enumerate(format_):
        if letter == "S":
            end = data.index(b"\0", begin)
            values.append(data[begin:end].decode())
            begin = end + 1
        elif letter == "u" and position == last:
            values.append(data[begin:])
        else:
            return _unpack(format_, data)
    return values


_rank = sortkey._rank
_ranks: dict[type, int] = {}


def rank(value: Any) -> int:
    """Return the place of a value's type in the order of all types: it has one a type."""
    kind = type(value)
    found = _ranks.get(kind)
    if found is None:
        found = _ranks[kind] = _rank(value)
    return found


def no_profile(self: Storage, db: str) -> dict[str, Any]:
    """Return the settings of the profiler, which is off, without reading them."""
    return {"level": 0, "slowms": 100, "sampleRate": 1.0}


_init = Storage.__init__


def init(self: Storage, *args: Any, **kwargs: Any) -> None:
    """Open the files, without the log of all changes ("oplog").

    It is for change streams and copies of the store, which glassflow does not use, and
    holds each written document a second time. An older one is emptied.
    """
    _init(self, *args, **{**kwargs, "enable_oplog": False})
    if self._oplog_live_count:
        with self._committed_read_scope():
            for table in (storage._OPLOG_TABLE, storage._PREIMAGE_TABLE):
                self._session().truncate(table, None, None, None)
        self._oplog_live_count = 0


def install() -> None:
    """Replace the functions."""
    Storage.__init__ = init
    TransactionRegistry._prune_locked = prune_transactions
    TransactionRegistry._prune_retryable_locked = prune_replies
    SessionRegistry._prune_locked = prune_sessions
    swig.pack, swig.unpack = pack, unpack
    sortkey._rank = rank
    Storage.get_profile = no_profile
