"""Builds an index of any number of documents.

SPDX-License-Identifier: GPL-2.0-only

The plain program holds all entries of a new index in memory, inserts them in the order of
the documents and in one transaction. Of two million documents that needs more room than the
cache of the engine has, and each entry is looked for at another place. Here they are sorted
and inserted some hundred thousand at a time, each in a transaction of some thousand.

No reader sees them before the last transaction, which writes the description of the index.
What a build that was killed has left is removed by the next one.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import bson
from secantus import deadline, storage
from secantus.sortkey import encode_value_directed
from secantus.storage import COMPOUND_SEP, Storage
from wiredtiger.intpacking import pack_int, unpack_int

from glassflow.embedded.store_extension.rows import document_of, steps

Doc = dict[str, Any]

SORTED_AT_ONCE = 200_000  # entries, about 30 MB
PER_TRANSACTION = 10_000
#: Options that change nothing in how entries are built.
PLAIN_OPTIONS = frozenset({"background", "expireAfterSeconds", "sparse", "hidden"})

_create, _scan_docs = Storage.create_index, Storage._scan_docs


class _Registering(threading.local):
    """Whether the thread writes the description of an index whose entries are there."""

    is_next = False


_registering = _Registering()


def create_index(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    key_spec: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
) -> bool:
    """Create an index; the caller changes the catalogue alone, outside of a transaction.

    Returns False if it exists. Unique ones, and those that the service has not, are built
    by the plain program.
    """
    options = dict(options or {})
    if not _is_built_here(self, db, coll, name, key_spec, options):
        with self._batch_transaction():
            return bool(_create(self, db, coll, name, key_spec, options))
    self._refresh_read_snapshot()
    _remove_entries(self, db, coll, name)
    if _write_entries(
        self, db, coll, name, key_spec, sparse=bool(options.get("sparse"))
    ):
        options["multikey"] = True
    _registering.is_next = True
    try:
        with self._batch_transaction():
            return bool(_create(self, db, coll, name, key_spec, options))
    finally:
        _registering.is_next = False


def scan_docs(self: Storage, db: str, coll: str) -> Iterable[tuple[int, bytes, bytes]]:
    """Yield the documents of a collection; none while an index of them is registered."""
    return () if _registering.is_next else _scan_docs(self, db, coll)


def _is_built_here(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    key_spec: Mapping[str, Any],
    options: Mapping[str, Any],
) -> bool:
    return (
        name != storage._ID_INDEX_NAME
        and all(direction in (1, -1) for direction in key_spec.values())
        and PLAIN_OPTIONS.issuperset(options)
        and all(index[0] != name for index in self._iter_indexes(db, coll))
    )


def _write_entries(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    key_spec: Mapping[str, Any],
    *,
    sparse: bool,
) -> bool:
    """Write the entries of all documents; return whether one of them has an array."""
    is_multikey, last = False, storage._INT64_MIN
    while True:
        found: list[bytes] = []
        for last, document in _documents(self, db, coll, last):
            deadline.check()
            key = _only_key(document, key_spec)
            if key is not None:
                found.append(storage._pack_entry(key, last))
            else:
                keys = storage._index_key_variants(document, key_spec, sparse=sparse)
                found += [storage._pack_entry(one, last) for one in keys]
                is_multikey |= storage._doc_makes_multikey(document, key_spec)
            if len(found) >= SORTED_AT_ONCE:
                break
        if not found:
            return is_multikey
        found.sort()
        head = _head(db, coll, name)
        rows = iter(found)
        while portion := list(islice(rows, PER_TRANSACTION)):
            with self._batch_transaction():
                cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
                for entry in portion:
                    key = head + entry  # the engine does not copy it: it must stay
                    cursor._set_key(key)
                    cursor._set_value(b"")
                    cursor.insert()


def _only_key(document: Doc, key_spec: Mapping[str, int]) -> bytes | None:
    """Return the key of a document that has just one, whose fields are set, simply.

    None for others. It takes a third of the time of the plain program.
    """
    parts = []
    for name, direction in key_spec.items():
        value = document.get(name)
        if value is None or isinstance(value, (list, dict)):
            return None
        parts.append(encode_value_directed(value, direction))
    return COMPOUND_SEP.join(parts)


def _documents(
    self: Storage, db: str, coll: str, after: int
) -> Iterator[tuple[int, Doc]]:
    """Yield the documents behind a record id, with theirs, in the order of the ids."""
    cursor = self._cursor_optional(storage._doc_table_for(db, coll))
    if cursor is None:
        return
    head = db.encode() + b"\0" + coll.encode()
    begin = len(head) + 1
    low = head + b"\0" + pack_int(after + 1)
    for _ in steps(cursor, low, head + b"\1"):
        [record, _rest] = unpack_int(cursor._get_key()[begin:])
        yield record, bson.decode(document_of(cursor._get_value()))


def _remove_entries(self: Storage, db: str, coll: str, name: str) -> None:
    head = _head(db, coll, name)
    while True:
        cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
        rows = steps(cursor, head, head[:-1] + b"\1")
        keys = [cursor._get_key() for _ in islice(rows, PER_TRANSACTION)]
        if not keys:
            return
        with self._batch_transaction():
            cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
            for key in keys:
                cursor._set_key(key)
                cursor.remove()


def _head(db: str, coll: str, name: str) -> bytes:
    return b"\0".join((db.encode(), coll.encode(), name.encode(), b""))


def install() -> None:
    """Replace the methods, before `catalogue` makes them change it alone."""
    Storage.create_index, Storage._scan_docs = create_index, scan_docs
