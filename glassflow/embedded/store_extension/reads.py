"""Pages and counts that read no more than they need.

SPDX-License-Identifier: GPL-2.0-only

The plain program decodes every match, sorts them all, and applies the limit last; a count
decodes every document. Here, with the same results,

- a `find` with a sort and a limit walks an index in that order and ends with its page;
- a document whose bytes show that it does not match is not decoded;
- a count is the number of entries of an index where these are the matches exactly.

What is not covered here is left to the plain program.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

import bson
from secantus import commands, deadline, storage
from secantus.ordering import sort_docs
from secantus.projection import apply_projection_batch
from secantus.query import matches
from secantus.sortkey import (
    COMPOUND_SEP,
    RANK_NUMBER,
    encode_value,
    encode_value_directed,
)
from secantus.storage import Storage
from wiredtiger.intpacking import pack_int

from glassflow.embedded.store_extension.lookups import AFTER_ALL

Doc = dict[str, Any]

#: Values whose entries are equal just where the values match each other.
SCALARS = (str, int, float, bool, bson.ObjectId, bson.Int64, datetime, type(None))
#: Those of them that are compared by `$gt` and the like.
ORDERED = (str, int, float, bson.ObjectId, bson.Int64, datetime)
RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})
#: Options of indexes that have not exactly one entry for each document.
NOT_ONE_ENTRY_EACH = ("sparse", "multikey", "partialFilterExpression", "collation")
#: Numbers beyond it share their entries with others.
MAX_EXACT = 1e100
#: A pattern that is a text: characters without a meaning, or with a backslash before them.
LITERAL = re.compile(r"(?:[^\\.^$*+?{}\[\]|()]|\\[^0-9A-Za-z])+")
#: Candidates that are sorted in less time than an index is walked.
MAX_SORTED = 1000
#: Documents without a match after which a walk in the order of the sort is given up.
MAX_MISSES = 300
#: Rows that are read before the lock of the store is free for others again.
FIRST_PORTION, MAX_PORTION = 32, 512
SYSTEM_DATABASES = ("local", "admin", "config")


class Span(NamedTuple):
    """A part of an index: from the entry `low` to before `high`, by the bytes.

    `depth` fields of the index are bound by the query; `exact` are the fields of the query
    that all records of the span match, so that they need not be compared again.
    """

    name: str
    low: bytes
    high: bytes
    depth: int
    exact: frozenset[str]
    backwards: bool = False

    def answers(self, query: Mapping[str, Any]) -> bool:
        """Return whether the records of the span are the matches of the query."""
        return len(self.exact) == len(query)


def span_of(
    name: str,
    keys: Mapping[str, int],
    query: Mapping[str, Any],
    bound: Mapping[str, Any],
) -> Span:
    """Return the part of an index that a query leaves."""
    fields = list(keys)
    depth = 0
    while depth < len(fields) and fields[depth] in bound:
        depth += 1
    parts = [encode_value_directed(bound[f], keys[f]) for f in fields[:depth]]
    if depth == len(fields):
        prefix = storage._escape_kb(COMPOUND_SEP.join(parts)) + storage._ENTRY_SEP
        return Span(name, prefix, prefix + AFTER_ALL, depth, frozenset(fields))
    prefix = storage._escape_kb(b"".join(part + COMPOUND_SEP for part in parts))
    exact = frozenset(fields[:depth])
    limits = _limits(query.get(fields[depth]), keys[fields[depth]])
    if limits is None:
        return Span(name, prefix, prefix + AFTER_ALL, depth, exact)
    low, high = limits
    # of the value itself: nothing more, or further values
    last = depth + 1 == len(fields)
    behind = storage._ENTRY_SEP if last else storage._escape_kb(COMPOUND_SEP)
    return Span(
        name,
        prefix + low.entry(behind),
        prefix + high.entry(behind),
        depth,
        exact | {fields[depth]},
    )


class _Limit(NamedTuple):
    """A limit in the encoding of an index: before a value's entries, or after them."""

    value: bytes
    is_after: bool

    def entry(self, behind: bytes) -> bytes:
        """Return the bytes of the limit, with what follows the value in its entries."""
        escaped: bytes = storage._escape_kb(self.value)
        return escaped + behind + AFTER_ALL if self.is_after else escaped


def _limits(clause: Any, direction: int) -> tuple[_Limit, _Limit] | None:
    """Return where the matches of a range begin and end.

    None for what is no range, and where the index is in descending order.
    """
    if not isinstance(clause, Mapping) or not clause or not RANGES.issuperset(clause):
        return None
    if direction == -1 or not all(map(_is_ordered, clause.values())):
        return None
    encoded = {operator: encode_value(value) for operator, value in clause.items()}
    kinds = {value[0] for value in encoded.values()}
    if len(kinds) > 1:
        return None  # no value has two types
    [kind] = kinds
    # values are compared with those of their own type only, NaN with none
    lows = [_Limit(bytes([kind, 1] if kind == RANK_NUMBER else [kind]), is_after=False)]
    highs = [_Limit(bytes([kind + 1]), is_after=False)]
    for operator, value in encoded.items():
        if operator in ("$gt", "$gte"):
            lows.append(_Limit(value, is_after=operator == "$gt"))
        else:
            highs.append(_Limit(value, is_after=operator == "$lte"))
    return max(lows), min(highs)


def _is_ordered(value: Any) -> bool:
    return (
        _is_exact(value) and isinstance(value, ORDERED) and not isinstance(value, bool)
    )


def bound_fields(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a query binds to one value whose entries are its own."""
    bound = {}
    for field, clause in query.items():
        one = clause
        if isinstance(one, Mapping) and list(one) == ["$eq"]:
            one = one["$eq"]
        if not field.startswith("$") and _is_exact(one):
            bound[field] = one
    return bound


def _is_exact(value: Any) -> bool:
    if isinstance(value, bson.Code) or not isinstance(value, SCALARS):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value == 0 or 1 / MAX_EXACT < abs(value) < MAX_EXACT
    return True


def spans(
    self: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> Iterator[tuple[Span, dict[str, int], bool]]:
    """Yield the spans of a query in the indexes with exactly one entry a document.

    With each the index's keys, and whether no two entries have the same ones.
    """
    bound = bound_fields(query)
    for name, keys, options in self._iter_indexes(db, coll):
        if any(options.get(option) for option in NOT_ONE_ENTRY_EACH):
            continue
        if all(direction in (1, -1) for direction in keys.values()):
            directions = {field: int(one) for field, one in keys.items()}
            yield (
                span_of(name, directions, query, bound),
                directions,
                bool(options.get("unique")),
            )


def ordered_span(
    self: Storage, db: str, coll: str, query: Mapping[str, Any], sort: Mapping[str, Any]
) -> Span | None:
    """Return the span that has the order of the sort, the one with the longest prefix."""
    best = None
    for span, keys, unique in spans(self, db, coll, query):
        fields = list(keys)
        # a bound field is the same everywhere: in this index no document has an array there
        order = [(f, int(d)) for f, d in sort.items() if f not in fields[: span.depth]]
        rest = [(f, keys[f]) for f in fields[span.depth :]][: len(order)]
        is_whole = unique and span.depth + len(rest) == len(fields)
        wanted = order[: len(rest)] if is_whole else order
        forwards = rest == wanted
        if not forwards and rest != [(f, -d) for f, d in wanted]:
            continue
        if any(direction == -1 for _, direction in rest) and not _has_ids_only(rest):
            continue
        better = best is None or (span.depth, len(span.exact)) > (
            best.depth,
            len(best.exact),
        )
        if better:
            best = span._replace(backwards=not forwards)
    return best


def _has_ids_only(fields: Iterable[tuple[str, int]]) -> bool:
    """Return whether the fields in descending order are ids.

    The bytes of a text that begins with another one stand on the wrong side of it there.
    """
    return all(field == "_id" for field, direction in fields if direction == -1)


def entries(self: Storage, db: str, coll: str, span: Span) -> Iterator[int]:
    """Yield the record ids of a span, in its order."""
    cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
    head = b"\0".join((db.encode(), coll.encode(), span.name.encode(), b""))
    low, high = head + span.low, head + span.high
    cursor.set_key(db, coll, span.name, span.high if span.backwards else span.low)
    near = cursor.search_near()
    if near == storage.wt.WT_NOTFOUND:
        return
    step, key = (cursor.prev if span.backwards else cursor.next), cursor._get_key
    if (near > 0 if span.backwards else near < 0) and step() != 0:
        return
    while low <= (raw := key()) < high:
        yield int.from_bytes(raw[-8:], "big", signed=True)
        if step() != 0:
            return


def blobs(self: Storage, db: str, coll: str) -> Iterator[bytes]:
    """Yield the BSON of every document of a collection."""
    cursor = self._cursor_optional(storage._doc_table_for(db, coll))
    if cursor is None:
        return
    begin = db.encode() + b"\0" + coll.encode() + b"\0"
    cursor._key = begin + pack_int(-(2**62))
    cursor._set_key(cursor._key)
    near = cursor.search_near()
    if near == storage.wt.WT_NOTFOUND or (near < 0 and cursor.next() != 0):
        return
    step, key, value = cursor.next, cursor._get_key, cursor._get_value
    while key().startswith(begin):
        yield _document(value())
        if step() != 0:
            return


def of_records(
    self: Storage, db: str, coll: str, ids: Iterable[int]
) -> Iterator[bytes]:
    """Yield the BSON of these records, without those that do not exist."""
    cursor = self._cursor_optional(storage._doc_table_for(db, coll))
    if cursor is None:
        return
    begin = db.encode() + b"\0" + coll.encode() + b"\0"
    for record in ids:
        cursor._key = begin + pack_int(record)
        cursor._set_key(cursor._key)
        if cursor.search() == 0:
            yield _document(cursor._get_value())
    cursor.reset()


def _document(row: bytes) -> bytes:
    """Return the BSON of a row, behind its id and the length of that."""
    return row[4 + int.from_bytes(row[:4], "little") :]


def in_portions(self: Storage, rows: Iterator[Any]) -> Iterator[Any]:
    """Yield the rows, which are read in portions under the lock of the store.

    So that others do not wait for the whole of a long read, nor the end of the store for
    its cursors to be idle.
    """
    size = FIRST_PORTION
    while True:
        with self._lock:
            if self._closed:
                raise RuntimeError("Storage is closed")
            portion = list(islice(rows, size))
        yield from portion
        if len(portion) < size:
            return
        size = min(2 * size, MAX_PORTION)


def required_bytes(query: Mapping[str, Any]) -> list[bytes]:
    """Return bytes that every match contains: texts, ids, and patterns that are texts."""
    found = []
    for field, clause in query.items():
        if field.startswith("$"):
            continue
        required = _required(clause)
        if required:
            found.append(required)
    return found


def _required(clause: Any) -> bytes | None:
    if isinstance(clause, Mapping):
        pattern = clause.get("$regex")
        if "$options" not in clause and isinstance(pattern, str):
            return _literal(pattern)
        clause = clause.get("$eq")
    if isinstance(clause, bson.Regex):
        return None if clause.flags else _literal(clause.pattern)
    if isinstance(clause, bson.ObjectId):
        return clause.binary
    if isinstance(clause, str) and not isinstance(clause, bson.Code):
        return clause.encode()
    return None


def _literal(pattern: str | bytes) -> bytes | None:
    if isinstance(pattern, str) and LITERAL.fullmatch(pattern):
        return re.sub(r"(?s)\\(.)", r"\1", pattern).encode()
    return None


def matching(
    rows: Iterable[bytes], query: Mapping[str, Any], let: Any
) -> Iterator[Doc | None]:
    """Yield each document that matches, and None for one that does not."""
    wanted = required_bytes(query)
    for row in rows:
        deadline.check()
        if all(part in row for part in wanted):
            document = bson.decode(row)
            yield document if matches(document, query, vars=let) else None
        else:
            yield None


def first_matches(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    sort: Mapping[str, Any],
    wanted: tuple[int, int],
    let: Any,
) -> list[Doc] | None:
    """Return a page of the matches in order: `wanted` are how many to skip and to return.

    None where the plain program finds it as well.
    """
    skip, limit = wanted
    span = ordered_span(self, db, coll, query, sort)
    if span is not None and span.answers(query):
        ids = islice(entries(self, db, coll, span), skip, skip + limit)
        rows = in_portions(self, of_records(self, db, coll, ids))
        return [bson.decode(row) for row in rows]
    if span is not None:
        page, complete = walked(
            self, db, coll, query, span, skip + limit, let, max_misses=MAX_MISSES
        )
        if complete:
            return page[skip:]
    with self._lock:
        candidates = self._try_index_id_keys(db, coll, query) if query else None
    is_searched = candidates is None and bool(required_bytes(query))
    if candidates is not None:
        candidates = list(dict.fromkeys(candidates))
    are_few = candidates is not None and len(candidates) <= MAX_SORTED
    if span is not None and not is_searched and not are_few:
        among = None if candidates is None else set(candidates)
        return walked(self, db, coll, query, span, skip + limit, let, among)[0][skip:]
    if candidates is not None:
        rows = in_portions(self, of_records(self, db, coll, candidates))
    elif is_searched:
        rows = in_portions(self, blobs(self, db, coll))
    else:
        return None
    found = [one for one in matching(rows, query, let) if one is not None]
    ordered: list[Doc] = sort_docs(found, sort)
    return ordered[skip : skip + limit]


def walked(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    span: Span,
    wanted: int,
    let: Any,
    among: set[int] | None = None,
    max_misses: int | None = None,
) -> tuple[list[Doc], bool]:
    """Return the first matches of a span, and whether there are no others before them.

    Only of records `among` these. With `max_misses` it ends after so many documents that do
    not match.
    """
    ids = entries(self, db, coll, span)
    if among is not None:
        ids = filter(among.__contains__, ids)
    found: list[Doc] = []
    missed = 0
    rows = in_portions(self, of_records(self, db, coll, ids))
    for document in matching(rows, query, let):
        if document is None:
            missed += 1
            if max_misses is not None and missed > max_misses:
                return found, False
            continue
        found.append(document)
        if len(found) == wanted:
            break
    return found, True


def counted(self: Storage, db: str, coll: str, query: Mapping[str, Any]) -> int | None:
    """Return the number of matches by the entries of indexes; None if they do not tell."""
    for span, _, _ in spans(self, db, coll, query):
        if span.answers(query):
            return sum(1 for _ in in_portions(self, entries(self, db, coll, span)))
    for field, clause in query.items():
        if not isinstance(clause, Mapping) or len(clause) != 1:
            continue
        [(operator, value)] = clause.items()
        if operator == "$in" and isinstance(value, list) and all(map(_is_exact, value)):
            values = {encode_value(one): one for one in value}.values()
            parts = [counted(self, db, coll, {**query, field: one}) for one in values]
            return None if None in parts else sum(part or 0 for part in parts)
        if operator == "$ne" and _is_exact(value):
            equal = counted(self, db, coll, {**query, field: value})
            if equal is None:
                return None
            rest = {name: one for name, one in query.items() if name != field}
            of_all = counted(self, db, coll, rest)
            # rows may have changed between the two
            return None if of_all is None else max(0, of_all - equal)
    return None


_find_all, _count_all = Storage.find_matching, Storage.count_matching


def find_matching(
    self: Storage,
    db: str,
    coll: str,
    filter: Doc | None = None,
    *,
    skip: int = 0,
    limit: int = 0,
    sort: Mapping[str, Any] | None = None,
    projection: Mapping[str, Any] | None = None,
    let: Any = None,
    **others: Any,
) -> list[Doc]:
    """Find documents; a page in an order without reading all matches.

    `others` are a hint, a collation and bounds, which are left to the plain program.
    """
    query = filter or {}
    page = None
    special = any(one is not None for one in others.values())
    if limit > 0 and sort and not special and db not in SYSTEM_DATABASES:
        self._refresh_read_snapshot()
        page = first_matches(self, db, coll, query, sort, (skip, limit), let)
    if page is None:
        others |= {"skip": skip, "limit": limit, "sort": sort, "let": let}
        found: list[Doc] = _find_all(
            self, db, coll, filter, projection=projection, **others
        )
        return found
    if projection:
        metas = self._projection_metas(
            db, coll, page, projection, query, sort, None, None
        )
        page = apply_projection_batch(
            page, projection, query, metas=metas, has_sort=True
        )
    return page


def count_matching(
    self: Storage,
    db: str,
    coll: str,
    filter: Doc | None = None,
    *,
    let: Any = None,
    collation: Any = None,
) -> int:
    """Count documents, without decoding those that an index or their bytes decide on."""
    query = filter or {}
    if collation is not None or db in SYSTEM_DATABASES:
        plain: int = _count_all(self, db, coll, filter, let=let, collation=collation)
        return plain
    self._refresh_read_snapshot()
    number = counted(self, db, coll, query)
    if number is not None:
        return number
    if not query:
        return sum(1 for _ in in_portions(self, blobs(self, db, coll)))
    with self._lock:
        candidates = self._try_index_id_keys(db, coll, query)
    if candidates is None:
        rows = blobs(self, db, coll)
    else:
        rows = of_records(self, db, coll, dict.fromkeys(candidates))
    found = matching(in_portions(self, rows), query, let)
    return sum(1 for one in found if one is not None)


_aggregate = commands._HANDLERS["aggregate"]
_COUNT = {"_id": 1, "n": {"$sum": 1}}


def aggregate(doc: Doc, ctx: Any) -> Doc:
    """Run an aggregation; that of the drivers' `count_documents` as a count.

    Its stages are `$match`, perhaps `$limit`, and `$group`.
    """
    coll = doc["aggregate"]
    count = _count_of(doc)
    if (
        count is None
        or not isinstance(coll, str)
        or "viewOn" in ctx.storage.get_collection_options(ctx.db_name, coll)
    ):
        answer: Doc = _aggregate(doc, ctx)
        return answer
    query, limit = count
    number = ctx.storage.count_matching(ctx.db_name, coll, query)
    if limit is not None:
        number = min(number, limit)
    namespace = f"{ctx.db_name}.{coll}"
    batch = [{"_id": 1, "n": number}] if number else []
    cursor = {"firstBatch": batch, "id": bson.Int64(0), "ns": namespace}
    return {"cursor": cursor, "ok": 1.0}


def _count_of(doc: Doc) -> tuple[Doc, int | None] | None:
    """Return the query and the limit of a count; None for another aggregation."""
    stages = doc.get("pipeline")
    if not isinstance(stages, list) or not all(isinstance(s, Mapping) for s in stages):
        return None
    names = [next(iter(stage), "") for stage in stages]
    if names not in (["$match", "$group"], ["$match", "$limit", "$group"]):
        return None
    if any(doc.get(one) for one in ("collation", "let", "hint", "explain")):
        return None
    query, limit = stages[0]["$match"], stages[1].get("$limit")
    if stages[-1]["$group"] != _COUNT or not isinstance(query, Mapping):
        return None
    if limit is not None and (not isinstance(limit, int) or limit <= 0):
        return None
    return dict(query), limit


def install() -> None:
    """Replace the methods and the command."""
    Storage.find_matching, Storage.count_matching = find_matching, count_matching
    commands._HANDLERS["aggregate"] = aggregate
