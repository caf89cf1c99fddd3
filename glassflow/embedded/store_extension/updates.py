"""Index entries of a write: only of what has changed.

SPDX-License-Identifier: GPL-2.0-only

The plain program deletes and writes the entries of all indexes in every update, 24 of a
pane. Here those of the indexes are left whose fields keep their values.
"""

import threading
from typing import Any

import bson
from secantus import deadline, storage
from secantus.storage import Storage

Doc = dict[str, Any]
Index = tuple[str, dict[str, Any], bool, bool]  # name, keys, sparse, unique

_update_matching = Storage.update_matching
_delete_entries, _write_entries = (
    Storage._delete_index_entries,
    Storage._write_index_entries,
)
_ABSENT = object()


class _Updates(threading.local):
    """The documents whose entries an update of this thread has yet to replace.

    By record id; None while no update runs.
    """

    replaced: dict[int, Doc] | None = None
    #: the size of the row that was written last
    row_bytes = 0


_updates = _Updates()


def update_matching(
    self: Storage, db: str, coll: str, *args: Any, **kwargs: Any
) -> Doc:
    """Update documents, and compare each with what it was."""
    if (self._coll_options(db, coll) or {}).get("capped"):
        # this may delete documents, too
        plain: Doc = _update_matching(self, db, coll, *args, **kwargs)
        return plain
    _updates.replaced = {}
    try:
        updated: Doc = _update_matching(self, db, coll, *args, **kwargs)
        return updated
    finally:
        _updates.replaced = None


def delete_entries(
    self: Storage,
    db: str,
    coll: str,
    doc: Doc,
    indexes: list[Index],
    partials: dict[str, Doc] | None = None,
    *,
    recordid: int,
) -> None:
    """Delete the entries of a document; in an update `write_entries` does, next."""
    if _updates.replaced is None:
        _delete_entries(self, db, coll, doc, indexes, partials, recordid=recordid)
    else:
        _updates.replaced[recordid] = doc


_frame = storage._frame_doc_value


def frame(id_key: bytes, blob: bytes) -> bytes:
    """Return the row of a document, whose entries are written next."""
    row: bytes = _frame(id_key, blob)
    _updates.row_bytes = len(row)
    return row


def count_dirty_bytes(self: Storage) -> None:
    """Count what a transaction has written; refuse what would not fit into the cache.

    The plain program counts its oplog, which the extension does without.
    """
    handle = getattr(self._tls, "user_txn", None)
    if handle is not None:
        handle.dirty_bytes += _updates.row_bytes
        if 2 * handle.dirty_bytes > self._txn_dirty_limit:
            raise storage.TransactionTooLargeError(
                "Transaction is too large and will not fit in the storage engine cache"
            )


def write_entries(
    self: Storage,
    db: str,
    coll: str,
    doc: Doc,
    indexes: list[Index],
    partials: dict[str, Doc] | None = None,
    *,
    recordid: int,
) -> None:
    """Write the entries of a document; in an update replace those that differ.

    An insert of many documents ends with its `maxTimeMS`, which the plain program ignores:
    the driver would give up and report a store that does not respond.
    """
    deadline.check_now()
    count_dirty_bytes(self)
    old = _updates.replaced.pop(recordid, None) if _updates.replaced else None
    if old is None:
        _write_entries(self, db, coll, doc, indexes, partials, recordid=recordid)
        return
    if partials is None:
        partials = self._partial_filters(db, coll)
    changed = _changed_fields(old, doc)
    affected = [
        index for index in indexes if _depends(index, partials.get(index[0]), changed)
    ]
    if affected:
        _delete_entries(self, db, coll, old, affected, partials, recordid=recordid)
        _write_entries(self, db, coll, doc, affected, partials, recordid=recordid)


def _depends(index: Index, partial: Doc | None, changed: set[str]) -> bool:
    """Return whether the entries of an index may differ where these fields changed."""
    paths = (*index[1], *(partial or ()))
    return any(
        path.startswith("$") or path.split(".", 1)[0] in changed for path in paths
    )


def _changed_fields(old: Doc, new: Doc) -> set[str]:
    """Return the fields at the top of two documents whose values differ."""
    return {
        field
        for field in old.keys() | new.keys()
        if not _is_same(old.get(field, _ABSENT), new.get(field, _ABSENT))
    }


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values have the same index entries: 1 and True have not."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (dict, list)):
        same: bool = bson.encode({"": one}) == bson.encode({"": other})
        return same
    return bool(one == other)


def install() -> None:
    """Replace the methods."""
    storage._frame_doc_value = frame
    Storage.update_matching = update_matching
    Storage._delete_index_entries = delete_entries
    Storage._write_index_entries = write_entries
