"""`validate`: compares the entries of indexes with the documents, and repairs them.

SPDX-License-Identifier: GPL-2.0-only

The plain program answers that all is well without looking.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bson
from secantus import commands, storage
from secantus.query import matches
from secantus.storage import Storage

from glassflow.embedded.store_extension.catalogue import gate
from glassflow.embedded.store_extension.rows import in_portions, steps

Doc = dict[str, Any]
Entry = bytes

#: Wrong entries that an answer names; it says how many there are.
MAX_NAMED = 100


@contextmanager
def _snapshot(self: Storage) -> Iterator[None]:
    """Read all of the block in one view of the committed data."""
    with self._committed_read_scope():
        session = self._session()
        session.begin_transaction("isolation=snapshot")
        try:
            yield
        finally:
            session.rollback_transaction()


def wanted_entries(
    self: Storage, db: str, coll: str, index: tuple[str, Doc, Doc]
) -> dict[Entry, bytes]:
    """Return the entries that the documents ask for, and for each its key."""
    _, keys, options = index
    partial = options.get("partialFilterExpression")
    collation = storage._parse_index_collation(options.get("collation"))
    wanted = {}
    for record, _, blob in in_portions(self, self._scan_docs(db, coll)):
        document = bson.decode(blob)
        if partial and not matches(document, partial):
            continue
        for key in storage._index_key_variants(
            document, keys, sparse=bool(options.get("sparse")), collation=collation
        ):
            wanted[storage._pack_entry(key, record)] = storage._escape_kb(key)
    return wanted


def stored_entries(self: Storage, db: str, coll: str, name: str) -> set[Entry]:
    """Return the entries that an index has."""
    return {
        entry for entry, _ in _rows(self, storage._IDX_ENTRIES_TABLE, db, coll, name)
    }


def stored_claims(self: Storage, db: str, coll: str, name: str) -> dict[bytes, int]:
    """Return the keys that a unique index has reserved, and for which record."""
    return dict(_rows(self, storage._UNIQ_TABLE, db, coll, name))


def _rows(
    self: Storage, table: str, db: str, coll: str, name: str
) -> Iterator[tuple[bytes, Any]]:
    cursor = self._cursor(table)
    begin = b"\0".join((db.encode(), coll.encode(), name.encode()))
    rows = (
        (bytes(cursor.get_key()[-1]), cursor.get_value())
        for _ in steps(cursor, begin + b"\0", begin + b"\1")
    )
    return in_portions(self, rows)


class IndexState:
    """What an index of a collection has, and what it should have."""

    def __init__(
        self, store: Storage, db: str, coll: str, index: tuple[str, Doc, Doc]
    ) -> None:
        self.name, _, options = index
        wanted = wanted_entries(store, db, coll, index)
        stored = stored_entries(store, db, coll, self.name)
        self.entries = len(stored)
        self.missing = wanted.keys() - stored
        self.extra = stored - wanted.keys()
        self.claims: dict[bytes, int] = {}
        self.other_claims: set[bytes] = set()
        if options.get("unique") or options.get("prepareUnique"):
            self.claims = {
                key: int.from_bytes(entry[-8:], "big", signed=True)
                for entry, key in wanted.items()
            }
            reserved = stored_claims(store, db, coll, self.name)
            self.other_claims = {
                key
                for key in self.claims.keys() | reserved.keys()
                if self.claims.get(key) != reserved.get(key)
            }

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing and nothing is too much."""
        return not (self.missing or self.extra or self.other_claims)

    def sentence(self) -> str:
        """Say what is wrong."""
        parts = [
            f"{len(self.missing)} entries are missing" if self.missing else "",
            f"{len(self.extra)} entries are of no document" if self.extra else "",
            f"{len(self.other_claims)} unique keys are wrong"
            if self.other_claims
            else "",
        ]
        return f"index {self.name}: {', '.join(part for part in parts if part)}"

    def repair(self, store: Storage, db: str, coll: str) -> None:
        """Write what is missing, delete what is too much."""
        entries = store._cursor(storage._IDX_ENTRIES_TABLE)
        for entry in self.extra:
            entries.set_key(db, coll, self.name, entry)
            entries.remove()
        for entry in self.missing:
            entries[db, coll, self.name, entry] = b""
        claims = store._cursor(storage._UNIQ_TABLE)
        for key in self.other_claims:
            record = self.claims.get(key)
            if record is None:
                claims.set_key(db, coll, self.name, key)
                claims.remove()
            else:
                claims[db, coll, self.name, key] = record


def _states(
    self: Storage, db: str, coll: str, names: list[str] | None
) -> list[IndexState]:
    """Return the states of the indexes with these names, or of all, except geo indexes."""
    return [
        IndexState(self, db, coll, index)
        for index in self._iter_indexes(db, coll)
        if (names is None or index[0] in names)
        and storage._geo_type_of(index[1]) is None
    ]


def repaired(
    self: Storage, db: str, coll: str, names: list[str] | None
) -> list[IndexState]:
    """Repair the indexes while nothing else runs; return the states that they had."""
    with gate.change(), self._coll_lock(db, coll), self._batch_transaction():
        found = _states(self, db, coll, names)
        for state in found:
            state.repair(self, db, coll)
    return found


_validate = commands._HANDLERS["validate"]


def validate(doc: Doc, ctx: Any) -> Doc:
    """Answer as MongoDB does; `repair` repairs.

    `indexes`, the names of those that are examined, is an addition.
    """
    answer: Doc = _validate(doc, ctx)
    if not answer["ok"]:
        return answer
    store, db, coll = ctx.storage, ctx.db_name, doc["validate"]
    names = doc.get("indexes")
    if doc.get("repair"):
        states = repaired(store, db, coll, names)
    else:
        with _snapshot(store):
            states = _states(store, db, coll, names)
    wrong = [state for state in states if not state.is_whole]
    answer["keysPerIndex"] |= {state.name: state.entries for state in states}
    answer["indexDetails"] |= {state.name: {"valid": False} for state in wrong}
    answer["missingIndexEntries"] = _named(wrong, "missing")
    answer["extraIndexEntries"] = _named(wrong, "extra")
    sentences = [state.sentence() for state in wrong]
    if doc.get("repair"):
        answer["repaired"] = bool(wrong)
        answer["warnings"] = sentences
    else:
        answer["valid"] = not wrong
        answer["errors"] = sentences
    return answer


def _named(states: list[IndexState], kind: str) -> list[Doc]:
    return [
        {
            "indexName": state.name,
            "recordId": int.from_bytes(entry[-8:], "big", signed=True),
        }
        for state in states
        for entry in sorted(getattr(state, kind))[:MAX_NAMED]
    ][:MAX_NAMED]


_build_info = commands._HANDLERS["buildInfo"]


def build_info(doc: Doc, ctx: Any) -> Doc:
    """Answer which program this is, and that it is extended."""
    answer: Doc = _build_info(doc, ctx)
    return {**answer, "glassflowExtension": True}


def install() -> None:
    """Replace the commands."""
    commands._HANDLERS["validate"] = validate
    for name in ("buildInfo", "buildinfo"):
        if name in commands._HANDLERS:
            commands._HANDLERS[name] = build_info
