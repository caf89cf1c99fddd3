"""Reads of a whole collection, and of a range of it by `_id`, in portions.

SPDX-License-Identifier: GPL-2.0-only

The plain program reads all documents of a `find` at once, and keeps them until its cursor
ends; a sort decodes them all. For a history of years these are gigabytes. Here such a
cursor keeps its place instead, and reads what the client asks for:

- without a condition and an order: by the numbers of the records, as the plain program;
- with a range of `_id` or without, in the order of `_id`: by the index of `_id`.

In a transaction all portions show its moment. Outside of one each shows its own, as on
MongoDB: no document comes twice or is left out, unless it is deleted and stored again.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from threading import Lock
from typing import Any

import bson
from bson.raw_bson import RawBSONDocument
from secantus import commands, storage
from secantus.cursors import MAX_GETMORE_BATCH_BYTES, CursorNotFound, CursorRegistry
from secantus.projection import apply_projection_batch
from secantus.sortkey import RANK_ARRAY, RANK_DOCUMENT
from secantus.storage import Storage

from glassflow.embedded.store_extension import encoded, projections, reads
from glassflow.embedded.store_extension.conditions import is_range
from glassflow.embedded.store_extension.reads import SYSTEM_DATABASES
from glassflow.embedded.store_extension.rows import (
    document_of,
    in_portions,
    of_records,
    steps,
)
from glassflow.embedded.store_extension.spans import range_limits

Doc = dict[str, Any]
#: The members of a command that this module carries out; others are left to the program.
OWN = {"find", "filter", "sort", "limit", "batchSize", "singleBatch", "projection"}
#: Those that say in which transaction, and how, a command is to be run.
OF_ALL = {
    "lsid", "$db", "$clusterTime", "$readPreference", "txnNumber", "autocommit",
    "startTransaction", "readConcern", "maxTimeMS",
}  # fmt: skip
#: No key of a collection or an index begins with more.
AFTER_ALL = b"\xff"


class Walk:
    """A place in a collection, from which the next documents are read."""

    def __init__(
        self,
        store: Storage,
        db: str,
        coll: str,
        *,
        by_id: bool,
        span: tuple[bytes, bytes],
        backwards: bool,
        limit: int,
        projection: Mapping[str, Any],
    ) -> None:
        self._store, self._db, self._coll = store, db, coll
        self._by_id = by_id
        name = db.encode() + b"\0" + coll.encode() + b"\0"
        self._low, self._high = name + span[0], name + span[1]
        self._backwards = backwards
        self._left = limit  # 0 for all
        self._projection = projection
        self._transaction = _transaction(store)
        self._lock = Lock()

    def __len__(self) -> int:
        """How many documents it keeps."""
        return 0

    def read(self, size: int) -> tuple[list[Any], bool]:
        """Return the next documents, and whether none follow.

        At most `size` (0: no such limit), and no more than an answer may have bytes. As in
        the plain program, a batch that is full does not show that none follow. Raises
        `CursorNotFound` where the transaction is another one.
        """
        with self._lock:
            if _transaction(self._store) is not self._transaction:
                raise CursorNotFound(0)
            self._store._refresh_read_snapshot()
            wanted = min(size or self._left, self._left or size) or None
            batch: list[bytes] = []
            place, total, is_full = b"", 0, False
            rows = in_portions(self._store, islice(self._rows(), wanted))
            for row_place, row in rows:
                total += len(row)
                if batch and total > MAX_GETMORE_BATCH_BYTES:
                    is_full = True
                    break
                batch.append(row)
                place = row_place
            self._go_behind(place)
            is_last = bool(self._left) and self._left == len(batch)
            if self._left:
                self._left -= len(batch)
            is_short = not is_full and (not size or len(batch) < size)
            return self._sent(batch), is_last or is_short

    def _go_behind(self, place: bytes) -> None:
        if place and self._backwards:
            self._high = place
        elif place:
            self._low = place + b"\0"

    def _sent(self, batch: list[bytes]) -> list[Any]:
        fields = projections.included_fields(self._projection)
        if fields is not None:
            batch = [encoded.part(one, fields) for one in batch]
        if fields is not None or not self._projection:
            return list(map(RawBSONDocument, batch))
        decoded = list(map(bson.decode, batch))
        projected = apply_projection_batch(decoded, self._projection, {})
        return [RawBSONDocument(bson.encode(one)) for one in projected]

    def _rows(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield the key of each entry, and the document that it names."""
        if self._by_id:
            place = b""

            def records() -> Iterator[int]:
                nonlocal place
                cursor = self._store._cursor(storage._NAT_SEQ_TABLE)
                for _ in self._steps(cursor):
                    place = cursor._get_key()
                    yield cursor.get_value()

            for row in of_records(self._store, self._db, self._coll, records()):
                yield place, row
            return
        table = storage._doc_table_for(self._db, self._coll)
        cursor = self._store._cursor_optional(table)
        if cursor is not None:
            for _ in self._steps(cursor):
                yield cursor._get_key(), document_of(cursor._get_value())

    def _steps(self, cursor: Any) -> Iterator[int]:
        return steps(cursor, self._low, self._high, backwards=self._backwards)


def _transaction(store: Storage) -> Any:
    return getattr(store._tls, "user_txn", None)


def walk_of(doc: Doc, ctx: Any) -> Walk | None:
    """Return how a `find` command is carried out here; None for another one."""
    if not OWN.union(OF_ALL).issuperset(doc) or ctx.db_name in SYSTEM_DATABASES:
        return None
    coll, query = doc["find"], doc.get("filter") or {}
    sort, projection = doc.get("sort") or {}, doc.get("projection") or {}
    numbers = [doc.get("limit", 0), doc.get("batchSize", 0)]
    if (
        not isinstance(coll, str)
        or not all(isinstance(one, Mapping) for one in (query, sort, projection))
        or not all(isinstance(one, int) and one >= 0 for one in numbers)
        or not all(type(one) in (int, bool) for one in projection.values())
        or (doc.get("singleBatch") and not numbers[0])
        or any("." in name or name.startswith("$") for name in projection)
        or "viewOn" in ctx.storage.get_collection_options(ctx.db_name, coll)
    ):
        return None
    span: tuple[bytes, bytes] | None = (b"", AFTER_ALL)
    if sort:
        is_by_id = sort in ({"_id": 1}, {"_id": -1})
        span = _span_of_ids(ctx.storage, ctx.db_name, coll, query) if is_by_id else None
    if span is None or (query and not sort):
        return None
    return Walk(
        ctx.storage,
        ctx.db_name,
        coll,
        by_id=bool(sort),
        span=span,
        backwards=sort == {"_id": -1},
        limit=numbers[0],
        projection=projection,
    )


def _span_of_ids(
    store: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> tuple[bytes, bytes] | None:
    """Return the part of the index of `_id` that has the matches; None if none does."""
    if not query:
        return None if _has_containers(store, db, coll) else (b"", AFTER_ALL)
    if query.keys() != {"_id"} or not is_range(query["_id"]):
        return None
    found = range_limits(query["_id"], 1)
    if found is None:
        return None
    low, high = (one.value + b"\0" * one.is_after for one in found)
    return low, high


def _has_containers(store: Storage, db: str, coll: str) -> bool:
    """Return whether an `_id` is a document, which that index has in no order."""
    name = db.encode() + b"\0" + coll.encode() + b"\0"
    low, high = (bytes([one]) for one in (RANK_DOCUMENT, RANK_ARRAY + 1))
    store._refresh_read_snapshot()
    cursor = store._cursor(storage._NAT_SEQ_TABLE)
    return next(steps(cursor, name + low, name + high), None) is not None


def find(doc: Doc, ctx: Any) -> Doc:
    """Run a `find` command; one that reads a collection or a part of it in portions."""
    walk = walk_of(doc, ctx)
    if walk is None:
        return reads.find(doc, ctx)
    size = doc.get("batchSize", commands.DEFAULT_BATCH_SIZE)
    batch: list[Any] = []
    is_whole = False
    if doc.get("singleBatch"):
        size = 0
    if size or doc.get("singleBatch"):
        batch, is_whole = walk.read(size)
    namespace, number = f"{ctx.db_name}.{doc['find']}", 0
    if not is_whole and not doc.get("singleBatch"):
        number = ctx.cursors.register(namespace, [])
        ctx.cursors.get(number).remaining = walk
    cursor = {"firstBatch": batch, "id": bson.Int64(number), "ns": namespace}
    return {"cursor": cursor, "ok": 1.0}


_next_batch = CursorRegistry.next_batch


def next_batch(
    self: CursorRegistry, cursor_id: int, batch_size: int, max_bytes: int | None = None
) -> tuple[list[Any], bool]:
    """Return the next documents of a cursor, and whether it has ended."""
    walk: Any = self.get(cursor_id).remaining
    if not isinstance(walk, Walk):
        batch: tuple[list[Any], bool] = _next_batch(
            self, cursor_id, batch_size, max_bytes
        )
        return batch
    rows, is_whole = walk.read(batch_size)
    if is_whole:
        self.kill([cursor_id])
    return rows, is_whole


def install() -> None:
    """Replace the command and the method."""
    commands._HANDLERS["find"] = find
    CursorRegistry.next_batch = next_batch
