"""Indexes of large collections, whose entries are written in portions.

SPDX-License-Identifier: GPL-2.0-only

The plain program writes all entries of a new index in one transaction. Those of a million
documents fill the engine's cache, in which nothing of an open transaction may be replaced:
the build then gets on by a few entries a second. Here the entries come first, in a
transaction for each portion, and the description of the index last. No statement runs on
the collection meanwhile. What a kill leaves are entries of an index that does not exist;
the next build deletes them first.

Small collections, unique indexes and those with a filter or a collation are left to the
plain program.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import bson
from secantus import deadline, storage
from secantus.storage import Storage
from wiredtiger.intpacking import unpack_int

from glassflow.embedded.store_extension.rows import document_of, id_marks, steps

#: Documents, of which the entries are written in one transaction.
PORTION = 10_000
OTHERS = ("unique", "partialFilterExpression", "collation")

_create, _scan = Storage.create_index, Storage._scan_docs


def create_index(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    key_spec: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
) -> bool:
    """Create an index; return whether there was none of this name."""
    given = dict(options or {})
    if not _is_covered(self, db, coll, name, key_spec, given):
        plain: bool = _create(self, db, coll, name, key_spec, options)
        return plain
    with self._committed_read_scope():
        _delete_entries(self, db, coll, name)
        if _write_entries(self, db, coll, name, dict(key_spec), given):
            given["multikey"] = True
    self._tls.has_entries = True
    try:
        described: bool = _create(self, db, coll, name, key_spec, given)
    finally:
        self._tls.has_entries = False
    return described


def _is_covered(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    keys: Mapping[str, Any],
    options: Mapping[str, Any],
) -> bool:
    is_plain = all(one in (1, -1) for one in keys.values())
    if not is_plain or any(options.get(one) for one in OTHERS):
        return False
    if any(index[0] == name for index in self._iter_indexes(db, coll)):
        return False
    self._refresh_read_snapshot()
    return next(islice(id_marks(self, db, coll), PORTION, None), None) is not None


def _write_entries(
    self: Storage,
    db: str,
    coll: str,
    name: str,
    keys: dict[str, Any],
    options: Mapping[str, Any],
) -> bool:
    """Write the entries of all documents; return whether one has an array in a key."""
    head = _head(db, coll, name)
    begin = db.encode() + b"\0" + coll.encode()
    low, has_arrays = begin + b"\0", False
    while portion := list(islice(_rows(self, db, coll, low), PORTION)):
        entries = []
        for key, row in portion:
            deadline.check()
            record, _ = unpack_int(key[len(begin) + 1 :])
            document = bson.decode(document_of(row))
            has_arrays = has_arrays or storage._doc_makes_multikey(document, keys)
            entries += [
                head + storage._pack_entry(one, record)
                for one in storage._index_key_variants(
                    document, keys, sparse=bool(options.get("sparse"))
                )
            ]
        entries.sort()  # so that the engine finds the places of most beside the last one
        with self._batch_transaction():
            cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
            for entry in entries:
                _place(cursor, entry)
                cursor.set_value(b"")
                cursor.insert()
        low = portion[-1][0] + b"\0"
    return has_arrays


def _rows(
    self: Storage, db: str, coll: str, low: bytes
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys and the rows of the documents from a key on."""
    cursor = self._cursor(storage._doc_table_for(db, coll))
    for _ in steps(cursor, low, db.encode() + b"\0" + coll.encode() + b"\1"):
        yield cursor._get_key(), cursor._get_value()


def _delete_entries(self: Storage, db: str, coll: str, name: str) -> None:
    """Delete what a build has left that was killed."""
    head = _head(db, coll, name)
    while True:
        cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
        found = steps(cursor, head, head[:-1] + b"\1")
        left = [cursor._get_key() for _ in islice(found, PORTION)]
        if not left:
            return
        with self._batch_transaction():
            cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
            for entry in left:
                _place(cursor, entry)
                cursor.remove()


def _head(db: str, coll: str, name: str) -> bytes:
    return b"\0".join((db.encode(), coll.encode(), name.encode(), b""))


def _place(cursor: Any, key: bytes) -> None:
    """Name the encoded key of a cursor, which has to be kept for it."""
    cursor._key = key
    cursor._set_key(key)


def scan_docs(self: Storage, db: str, coll: str) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the documents of a collection; none for an index that has its entries."""
    return (
        iter(()) if getattr(self._tls, "has_entries", False) else _scan(self, db, coll)
    )


def install() -> None:
    """Replace the methods."""
    Storage.create_index, Storage._scan_docs = create_index, scan_docs
