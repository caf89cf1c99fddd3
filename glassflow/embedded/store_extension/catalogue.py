"""Descriptions of collections and indexes: remembered, and changed by one thread alone.

SPDX-License-Identifier: GPL-2.0-only

The plain program reads and decodes the descriptions up to five times a statement. Here
they are remembered. That is right because of two rules:

- A change of the catalogue (a collection or an index that is created, dropped or renamed)
  runs while no transaction is open, and none begins meanwhile. So no statement has a view
  of the data from before such a change. The plain program leaves out of a new index what
  open transactions have written, and hangs where one drops an index beside them.
- What transactions add on the way, a collection at its first write and the mark of an
  index that has arrays ("multikey"), is committed at once, whatever becomes of the
  transaction. An empty collection and a mark too many are harmless.
"""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, NamedTuple

import bson
from secantus import storage
from secantus.query import QueryError
from secantus.storage import Storage

#: How long a change of the catalogue tries to run while no transaction is open.
MAX_WAIT_S = 10.0
#: How long it lets no transaction begin, so that those that are open end: enough for the
#: requests of a service. Beside a longer one, such as a backup, it then lets others begin.
TURN_S, PAUSE_S = 0.3, 0.7

Name = tuple[str, str]  # database, collection
Index = tuple[str, dict[str, Any], dict[str, Any]]  # name, keys, options


class Gate:
    """Lets either transactions be open or one change of the catalogue run."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open = 0
        self._owner = 0  # the thread that changes the catalogue, or waits to

    def begin_transaction(self) -> None:
        """Wait until no change runs or waits, then count a transaction as open."""
        with self._changed:
            self._changed.wait_for(lambda: not self._owner)
            self._open += 1

    def end_transaction(self) -> None:
        """Count a transaction as ended."""
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Run the block alone; inside another such block of this thread at once.

        Raises `QueryError` if transactions are still open after `MAX_WAIT_S`.
        """
        me = threading.get_ident()
        if self._owner == me:
            yield
            return
        deadline = time.monotonic() + MAX_WAIT_S
        while not self._own(me, deadline):
            if time.monotonic() + PAUSE_S > deadline:
                raise _busy()
            time.sleep(PAUSE_S)
        try:
            yield
        finally:
            self._release()

    def _own(self, thread: int, deadline: float) -> bool:
        """Let no transaction begin; return whether the open ones ended in time."""
        with self._changed:
            left = max(0.0, deadline - time.monotonic())
            if not self._changed.wait_for(lambda: not self._owner, left):
                return False
            self._owner = thread
            if self._changed.wait_for(lambda: not self._open, TURN_S):
                return True
            self._release()
            return False

    def _release(self) -> None:
        with self._changed:
            self._owner = 0
            self._changed.notify_all()

    def is_mine(self) -> bool:
        """Return whether this thread is changing the catalogue."""
        return self._owner == threading.get_ident()


def _busy() -> QueryError:
    return QueryError(
        "the catalogue cannot change while transactions are open",
        code=46,
        code_name="LockBusy",
    )


gate = Gate()
_memory = threading.Lock()
_version = 0  # of the catalogue
_indexes: dict[Name, list[Index]] = {}
_options: dict[Name, dict[str, Any]] = {}


def _forget() -> None:
    global _version
    with _memory:
        _version += 1
        _indexes.clear()
        _options.clear()


_read_indexes, _read_options = Storage._iter_indexes, Storage._coll_options


def indexes(self: Storage, db: str, coll: str) -> Iterable[Index]:
    """Return the indexes of a collection: name, keys, options. Not to be changed."""
    if gate.is_mine():
        return list(_read_indexes(self, db, coll))
    found = _indexes.get((db, coll))
    if found is None:
        version = _version
        # the committed ones: a transaction's view may be older than a mark
        with self._committed_read_scope():
            found = list(_read_indexes(self, db, coll))
        _remember(_indexes, (db, coll), found, version)
    return found


def options(self: Storage, db: str, coll: str) -> dict[str, Any] | None:
    """Return the options of a collection, None if there is none. Not to be changed."""
    if gate.is_mine():
        return _decoded(_read_options(self, db, coll))
    found = _options.get((db, coll))
    if found is None:
        version = _version
        with self._committed_read_scope():
            found = _decoded(_read_options(self, db, coll))
        if found is not None:
            _remember(_options, (db, coll), found, version)
    return found


def _decoded(read: dict[str, Any] | None) -> dict[str, Any] | None:
    if read and isinstance(read.get("uuid"), bson.Binary):
        read["uuid"] = uuid.UUID(bytes=bytes(read["uuid"]))
    return read


def _remember(memory: dict[Name, Any], name: Name, found: Any, version: int) -> None:
    with _memory:
        if version == _version:
            memory[name] = found


def copied_options(self: Storage, db: str, coll: str) -> dict[str, Any]:
    """Return the options of a collection; {} if there is none."""
    return dict(options(self, db, coll) or {})


def collection_uuid(self: Storage, db: str, coll: str) -> uuid.UUID:
    """Return the UUID of a collection, and give it one at once if it has none."""
    if gate.is_mine():
        made: uuid.UUID = _collection_uuid(self, db, coll)
        return made
    found: uuid.UUID | None = (options(self, db, coll) or {}).get("uuid")
    if found is not None:
        return found
    with self._committed_read_scope():
        made = _collection_uuid(self, db, coll)
    _forget()
    return made


_get_options, _collection_uuid = (
    Storage.get_collection_options,
    Storage._collection_uuid,
)
_ensure_collection, _mark = Storage._ensure_collection, Storage._maybe_mark_multikey


def ensure_collection(self: Storage, db: str, coll: str) -> None:
    """Create a collection at its first write. The caller has its lock."""
    if options(self, db, coll) is not None:
        return
    if gate.is_mine():
        _ensure_collection(self, db, coll)
        return
    with self._committed_read_scope():
        _ensure_collection(self, db, coll)
        self._collection_uuid(db, coll)
    _forget()


def mark_multikey(
    self: Storage,
    db: str,
    coll: str,
    doc: dict[str, Any],
    indexes_: list[tuple[str, dict[str, Any], bool, bool]],
    already: set[str],
) -> set[str]:
    """Mark the indexes in which a document has an array. The caller has the lock."""
    unmarked = [index for index in indexes_ if index[0] not in already]
    arrays = [one for one in unmarked if storage._doc_makes_multikey(doc, one[1])]
    if not arrays:
        return already
    with self._committed_read_scope():
        marked: set[str] = _mark(self, db, coll, doc, arrays, already)
    _forget()
    return marked


class Change(NamedTuple):
    """How a method of `Storage` changes the catalogue.

    `names` returns the collections that a call changes; no statement runs on them. `atomic`
    ones run in one transaction: a kill leaves no index with a part of its entries. `exists`
    returns whether a call has nothing to create, so that it need not wait.
    """

    names: Callable[..., set[Name]]
    atomic: bool = True
    exists: Callable[..., bool] = lambda *_: False


def changes_catalogue(method: Callable[..., Any], change: Change) -> Callable[..., Any]:
    """Make a method of `Storage` run alone."""

    @wraps(method)
    def run(self: Storage, *args: Any, **kwargs: Any) -> Any:
        if getattr(self._tls, "user_txn", None) is not None:
            raise QueryError(
                "collections and indexes are not created in a transaction",
                code=263,
                code_name="OperationNotSupportedInTransaction",
            )
        if gate.is_mine():
            return method(self, *args, **kwargs)
        with _locked(self, change.names(self, *args)):  # nobody drops it meanwhile
            if change.exists(self, *args):
                return method(self, *args, **kwargs)
        with (
            gate.change(),
            _locked(self, change.names(self, *args)),
            ExitStack() as held,
        ):
            held.enter_context(self._lock)
            held.callback(_forget)
            if change.atomic:
                held.enter_context(self._batch_transaction())
            return method(self, *args, **kwargs)

    return run


@contextmanager
def _locked(self: Storage, names: set[Name]) -> Iterator[None]:
    """Let no statement run on these collections."""
    with ExitStack() as held:
        for name in sorted(names):
            held.enter_context(self._coll_lock(*name))
        yield


def _one(self: Storage, db: str, coll: str, *rest: Any) -> set[Name]:
    return {(db, coll)}


def _two(self: Storage, db: str, coll: str, to_db: str, to_coll: str) -> set[Name]:
    return {(db, coll), (to_db, to_coll)}


def _whole_database(self: Storage, db: str) -> set[Name]:
    return {(db, coll) for coll in self.list_collections(db)}


def _has_collection(self: Storage, db: str, coll: str, *rest: Any) -> bool:
    return options(self, db, coll) is not None


def _has_index(self: Storage, db: str, coll: str, name: str, *rest: Any) -> bool:
    return any(index[0] == name for index in indexes(self, db, coll))


#: The methods that write descriptions. Those that move or delete all documents are not
#: atomic: a transaction of many millions would stop the engine. `index_builds` writes the
#: description of an index last, in a transaction of its own.
CHANGES = {
    "create_collection": Change(_one, exists=_has_collection),
    "drop_collection": Change(_one, atomic=False),
    "drop_database": Change(_whole_database, atomic=False),
    "rename_collection": Change(_two, atomic=False),
    "set_collection_options": Change(_one),
    "create_index": Change(_one, atomic=False, exists=_has_index),
    "drop_index": Change(_one),
    "drop_all_indexes": Change(_one),
    "set_index_expiry": Change(_one),
    "set_index_options": Change(_one),
}


def install() -> None:
    """Replace the methods."""
    for name, change in CHANGES.items():
        setattr(Storage, name, changes_catalogue(getattr(Storage, name), change))
    Storage._iter_indexes, Storage._coll_options = indexes, options
    Storage.get_collection_options = copied_options
    Storage._collection_uuid = collection_uuid
    Storage._ensure_collection = ensure_collection
    Storage._maybe_mark_multikey = mark_multikey
