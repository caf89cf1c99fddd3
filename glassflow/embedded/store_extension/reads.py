"""Pages and counts that read no more than they need.

SPDX-License-Identifier: GPL-2.0-only

The plain program decodes every match, sorts them all, and applies the limit last; a count
decodes every document. Here, with the same results,

- a `find` with a sort reads the matches by an index, and ends with its limit if it has one;
- a document whose bytes tell whether it matches is not decoded; of another one the fields of
  the query are;
- a document of which some fields are wanted is sent as their bytes;
- a count is the number of entries of an index where these are the matches exactly;
- what a `find` command answers is encoded once, or not at all: the plain program encodes
  each document to know its length, and again for the answer.

What is not covered here is left to the plain program.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import bson
from bson.raw_bson import RawBSONDocument
from secantus import commands
from secantus.ordering import sort_docs
from secantus.projection import apply_projection_batch
from secantus.query import matches
from secantus.storage import Storage

from glassflow.embedded.store_extension import encoded, projections, texts
from glassflow.embedded.store_extension.conditions import among, flattened
from glassflow.embedded.store_extension.lookups import few_candidates
from glassflow.embedded.store_extension.rows import (
    MAX_FEW,
    RECORD_BYTES,
    blobs,
    entries,
    entry_keys,
    entry_marks,
    id_marks,
    in_portions,
    of_records,
    record_of,
)
from glassflow.embedded.store_extension.spans import (
    AFTER_ALL,
    Span,
    alternatives,
    answer_of,
    ordered_span,
    spans,
)

Doc = dict[str, Any]
#: The names of top-level fields that are wanted of documents; None for all.
Fields = frozenset[bytes] | None

#: Records that are read in an order, or counted, before all are looked at by their texts.
MAX_WALKED = 4000
MIN_WALKED = 1000
SYSTEM_DATABASES = ("local", "admin", "config")


def matching(
    rows: Iterable[bytes], query: Mapping[str, Any], let: Any, fields: Fields = None
) -> Iterator[bytes]:
    """Yield the documents that match, of each these top-level fields or all."""
    test, conditions = _test_of(query, let), encoded.tests(query)
    if fields is None or conditions is None:
        yield from _cut(filter(test, rows), fields)
        return
    may_match, names = encoded.may_match(query), fields | conditions.keys()
    for row in rows:
        if may_match is None or may_match(row):
            found = encoded.elements(row, names)  # once for both
            holds = encoded.meets(found, conditions)
            if holds or (holds is None and test(row)):
                yield encoded.document_of(found, fields)


def _cut(rows: Iterable[bytes], fields: Fields) -> Iterable[bytes]:
    """Return documents with these top-level fields, or all."""
    return rows if fields is None else (encoded.part(row, fields) for row in rows)


def met(rows: Iterable[bytes], query: Mapping[str, Any], let: Any) -> Iterator[bool]:
    """Yield whether each document matches."""
    return map(_test_of(query, let), rows)


def _test_of(query: Mapping[str, Any], let: Any) -> Callable[[bytes], bool]:
    """Return a test whether a document matches.

    Its bytes tell, or the fields of the query are decoded.
    """
    may_match, conditions = encoded.may_match(query), encoded.tests(query)
    fields = encoded.fields_of(query)

    def test(row: bytes) -> bool:
        if may_match is not None and not may_match(row):
            return False
        found = None
        if conditions is not None:
            elements = encoded.elements(row, conditions)
            found = encoded.meets(elements, conditions)
        if found is None:
            read = row if fields is None else encoded.part(row, fields)
            found = bool(matches(bson.decode(read), query, vars=let))
        return found

    return test


def first_matches(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    sort: Mapping[str, Any],
    wanted: tuple[int, int],
    let: Any,
    fields: Fields,
) -> Iterable[bytes] | None:
    """Return the matches in order: `wanted` are how many to skip and to return, 0 for all.

    Of each these top-level fields, or all. None where the plain program finds them as well.
    """
    skip, limit = wanted
    end = skip + limit if limit else None
    span = ordered_span(self, db, coll, query, sort)
    ids: Iterable[int] | None = None
    if span is not None and span.answers(query):
        ids = islice(entries(self, db, coll, span), skip, end)
    elif parts := alternatives(self, db, coll, query, sort):
        ids = merged_ids(self, db, coll, parts, end)[skip:]
    if ids is not None:
        return _cut(in_portions(self, of_records(self, db, coll, ids)), fields)
    candidates = few_candidates(self, db, coll, query)
    if candidates is None or len(candidates) > MAX_FEW:
        search = texts.search_of(self, db, coll, query)
        if search is not None:
            if span is not None and end is not None:
                page = first_of(self, db, coll, query, span, end, let)
                if page is not None:
                    return _cut(page[skip:], fields)
            found = list(map(record_of, texts.ends(self, db, coll, search)))
            if candidates is None or len(found) < len(candidates):
                candidates = found
    if limit:
        is_walked = candidates is None or len(candidates) > MAX_FEW
    else:  # an index of all records would only save the sort
        is_walked = candidates is None and span is not None and bool(span.exact)
    if span is not None and is_walked:
        among = None if candidates is None else set(candidates)
        page = walked(self, db, coll, query, span, end, let, among)
        return _cut(page[skip:], fields)
    if candidates is not None:
        rows = in_portions(self, of_records(self, db, coll, candidates))
    elif encoded.may_match(query):
        rows = in_portions(self, blobs(self, db, coll))
    else:
        return None
    return _cut(in_order(matching(rows, query, let), sort)[skip:end], fields)


def in_order(rows: Iterable[bytes], sort: Mapping[str, Any]) -> list[bytes]:
    """Return documents in the order of a sort, for which its fields are decoded."""
    fields = {field.partition(".")[0].encode() for field in sort}
    found = [(bson.decode(encoded.part(row, fields)), row) for row in rows]
    of_key = {id(key): row for key, row in found}
    return [of_key[id(key)] for key in sort_docs([key for key, _ in found], sort)]


def matches_of_index(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    wanted: tuple[int, int],
    let: Any,
    fields: Fields,
) -> Iterable[bytes] | None:
    """Return the matches in no order; None where the plain program finds them as well.

    `wanted` and `fields` are those of `first_matches`.
    """
    if not query:
        return None
    skip, limit = wanted
    end = skip + limit if limit else None
    if "_id" in query:
        named = named_ids(self, db, coll, query)
        if named is None:
            return None
        rows = of_records(self, db, coll, islice(named, skip, end))
        return _cut(in_portions(self, rows), fields)
    span = answer_of(self, db, coll, query)
    parts = [span] if span else alternatives(self, db, coll, query, {})
    if parts is None:
        rows, rest = candidates_of(self, db, coll, query, is_page=bool(limit))
        return islice(matching(in_portions(self, rows), rest, let, fields), skip, end)
    found = chain.from_iterable(entries(self, db, coll, part) for part in parts)
    ids: Iterable[int] = dict.fromkeys(found) if "$or" in query else found
    ids = islice(ids, skip, end)
    return _cut(in_portions(self, of_records(self, db, coll, ids)), fields)


def candidates_of(
    self: Storage, db: str, coll: str, query: Mapping[str, Any], *, is_page: bool
) -> tuple[Iterator[bytes], Mapping[str, Any]]:
    """Return the documents among which the matches are, and what they have to meet.

    They are those that an index names, or all. A page is sooner found among all than by the
    texts of all that a search finds.
    """
    ids: Iterable[int] | None = few_candidates(self, db, coll, query)
    search = texts.search_of(self, db, coll, query) if ids is None else None
    if search is not None and not is_page:
        ids = list(map(record_of, texts.ends(self, db, coll, search)))
    elif ids is None and search is None:
        found = (span for span, _ in spans(self, db, coll, query))
        best = max(found, key=lambda span: len(span.exact), default=None)
        if best is not None and best.exact:
            rest = {f: clause for f, clause in query.items() if f not in best.exact}
            rows = of_records(self, db, coll, entries(self, db, coll, best))
            return rows, rest
    if ids is None:
        ids = self._try_index_id_keys(db, coll, query)
    if ids is None:
        return blobs(self, db, coll), query
    return of_records(self, db, coll, dict.fromkeys(ids)), query


def named_ids(
    self: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> list[int] | None:
    """Return the records that `{_id: {$in: [..]}}` names; None for another query.

    The plain program compares each of them with each of the ids: 600 take it 0.2 s.
    """
    operator, _ = among(query["_id"]) or ("", [])
    if len(query) > 1 or operator != "$in":
        return None
    found: list[int] | None = self._try_index_id_keys(db, coll, query)
    return found


def merged_ids(
    self: Storage, db: str, coll: str, parts: Sequence[Span], wanted: int | None
) -> list[int]:
    """Return the records of spans of one index, in the order behind their prefixes.

    The first `wanted`, or all.
    """
    heads = []
    for span in parts:
        start = len(b"\0".join((db.encode(), coll.encode(), span.name.encode(), b"")))
        start += len(span.prefix)
        found = in_portions(self, entry_keys(self, db, coll, span))
        heads += [(entry[start:], entry) for entry in islice(found, wanted)]
    heads.sort(reverse=parts[0].backwards)
    records: dict[int, None] = {}  # one may be in several parts of an `$or`
    for _, entry in heads:
        records[record_of(entry)] = None
        if len(records) == wanted:
            break
    return list(records)


def walked(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    span: Span,
    wanted: int | None,
    let: Any,
    among: set[int] | None,
) -> list[bytes]:
    """Return the first `wanted` matches of a span, or all.

    Only of the records `among` these, if given.
    """
    ids = entries(self, db, coll, span)
    if among is not None:
        ids = filter(among.__contains__, ids)
    rows = in_portions(self, of_records(self, db, coll, ids))
    return list(islice(matching(rows, query, let), wanted))


def first_of(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    span: Span,
    wanted: int,
    let: Any,
) -> list[bytes] | None:
    """Return the first `wanted` matches of a span; None if they are not found soon.

    What many records have is found among the first ones. `MAX_WALKED` are read, fewer where
    none of the first `MIN_WALKED` matches: then hardly any does.
    """
    ids = entries(self, db, coll, span)
    page: list[bytes] = []
    for size in (MIN_WALKED, MAX_WALKED - MIN_WALKED):
        rows = in_portions(self, of_records(self, db, coll, islice(ids, size)))
        page += islice(matching(rows, query, let), wanted - len(page))
        if len(page) == wanted:
            return page
        if not page:
            break
    with self._lock:
        return page if next(ids, None) is None else None


def counted(
    self: Storage, db: str, coll: str, query: Mapping[str, Any], most: int | None
) -> int | None:
    """Return the number of matches by the entries of indexes; None if they do not tell.

    Of more than `most` it may return any number that is more.
    """
    span = answer_of(self, db, coll, query)
    parts = [span] if span else alternatives(self, db, coll, query, {})
    if parts is None:
        records = named(self, db, coll, query)
        return None if records is None else len(records)
    if "$or" in query:  # a record may be in several of its parts
        return len(ends(self, db, coll, parts))
    found = (entry_marks(self, db, coll, part) for part in parts)
    return sum(1 for _ in islice(in_portions(self, chain.from_iterable(found)), most))


def counted_texts(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    search: texts.Search,
    most: int | None,
    let: Any,
) -> int:
    """Return the number of matches of a query with a search, as `counted` does."""
    rest = {field: clause for field, clause in query.items() if field != search.field}
    if not rest:
        return texts.count(self, db, coll, search, most)
    if most is not None:  # what many records have is found among the first ones
        some = in_portions(self, islice(blobs(self, db, coll), MAX_WALKED))
        if number_of(met(some, query, let), most) == most:
            return most
    records = set(texts.ends(self, db, coll, search))  # those that the search finds
    span = answer_of(self, db, coll, rest)
    if span is not None and len(records) > MAX_FEW:
        others = few_others(self, db, coll, span)
        if others is not None:
            return len(records - others)
    if span is not None and len(records) > MAX_WALKED:
        keys = in_portions(self, entry_keys(self, db, coll, span))
        return number_of((entry[-RECORD_BYTES:] in records for entry in keys), most)
    ids = sorted(map(record_of, records))
    rows = in_portions(self, of_records(self, db, coll, ids))
    return number_of(met(rows, rest, let), most)


def few_others(self: Storage, db: str, coll: str, span: Span) -> set[bytes] | None:
    """Return the encoded ids of the records that are not in a span, if they are few."""
    parts = [
        span._replace(low=b"", high=span.low),
        span._replace(low=span.high, high=AFTER_ALL),
    ]
    found = chain.from_iterable(entry_keys(self, db, coll, part) for part in parts)
    some = list(islice(in_portions(self, found), MAX_WALKED + 1))
    if len(some) > MAX_WALKED:
        return None
    return {entry[-RECORD_BYTES:] for entry in some}


def number_of(found: Iterable[bool], most: int | None) -> int:
    """Return how many are true; of more than `most` that."""
    return sum(1 for _ in islice((one for one in found if one), most))


def ends(self: Storage, db: str, coll: str, parts: Iterable[Span]) -> set[bytes]:
    """Return the encoded record ids of spans."""
    found = chain.from_iterable(entry_keys(self, db, coll, part) for part in parts)
    return {entry[-RECORD_BYTES:] for entry in in_portions(self, found)}


def named(
    self: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> set[bytes] | None:
    """Return the records that match, encoded, by the entries of several indexes.

    None if indexes do not tell, or where reading the documents takes less time.
    """
    found = (span for span, _ in spans(self, db, coll, query))
    first = max(found, key=lambda span: len(span.exact), default=None)
    if first is None:
        return None
    others: list[tuple[bool, list[Span]]] = []
    for field in query.keys() - first.exact:
        operator, values = among(query[field]) or ("$in", [query[field]])
        answers = [answer_of(self, db, coll, {field: value}) for value in values]
        parts = [span for span in answers if span is not None]
        if len(parts) < len(answers):
            return None
        others.append((operator == "$in", parts))
    records = ends(self, db, coll, [first])
    if first.exact and len(records) <= MAX_FEW:
        return None
    for is_wanted, parts in others:
        ids = ends(self, db, coll, parts)
        records = records & ids if is_wanted else records - ids
    return records


_find_all, _count_all = Storage.find_matching, Storage.count_matching


class _Answer(threading.local):
    """Whether the thread reads the documents that a `find` command answers."""

    is_next = False


_answer = _Answer()
# What the plain program does with these documents besides sending them.
_CHANGING = ("returnKey", "showRecordId", "tailable", "awaitData")
_find = commands._HANDLERS["find"]


def find(doc: Doc, ctx: Any) -> Doc:
    """Run a `find` command; the documents that it only sends are not encoded again."""
    coll = doc["find"]
    _answer.is_next = (
        isinstance(coll, str)
        and not any(doc.get(one) for one in _CHANGING)
        and "viewOn" not in ctx.storage.get_collection_options(ctx.db_name, coll)
    )
    try:
        answer: Doc = _find(doc, ctx)
    finally:
        _answer.is_next = False
    return answer


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
    """Find documents by indexes; a page in an order without reading all matches.

    `others` are a hint, a collation and bounds, which are left to the plain program.
    """
    is_answer, _answer.is_next = _answer.is_next, False
    query = flattened(filter or {})
    rows = None
    fields = projections.included_fields(projection) if is_answer else None
    special = any(one is not None for one in others.values())
    if not special and db not in SYSTEM_DATABASES and limit >= 0:
        self._refresh_read_snapshot()
        wanted = (skip, limit)
        if sort:
            rows = first_matches(self, db, coll, query, sort, wanted, let, fields)
        else:
            rows = matches_of_index(self, db, coll, query, wanted, let, fields)
    if rows is None:
        others |= {"skip": skip, "limit": limit, "sort": sort, "let": let}
        page = _find_all(self, db, coll, filter, projection=projection, **others)
        return list(map(_sent, page)) if is_answer else page
    if is_answer and (fields is not None or not projection):
        sent: list[Any] = list(map(RawBSONDocument, rows))
        return sent
    page = list(map(bson.decode, rows))
    if projection:
        metas = self._projection_metas(
            db, coll, page, projection, query, sort, None, None
        )
        page = apply_projection_batch(
            page, projection, query, metas=metas, has_sort=bool(sort)
        )
    return list(map(_sent, page)) if is_answer else page


def _sent(document: Any) -> Any:
    """Return a document encoded, as it is only sent."""
    return RawBSONDocument(bson.encode(document))


def count_matching(
    self: Storage,
    db: str,
    coll: str,
    filter: Doc | None = None,
    *,
    let: Any = None,
    collation: Any = None,
    most: int | None = None,
) -> int:
    """Count documents, without decoding those that an index or their bytes decide on.

    Of more than `most` it may return any number that is more.
    """
    query = flattened(filter or {})
    if collation is not None or db in SYSTEM_DATABASES:
        plain: int = _count_all(self, db, coll, filter, let=let, collation=collation)
        return plain
    self._refresh_read_snapshot()
    number = counted(self, db, coll, query, most)
    if number is not None:
        return number
    if not query:
        return sum(1 for _ in islice(in_portions(self, id_marks(self, db, coll)), most))
    candidates = few_candidates(self, db, coll, query)
    if candidates is None or len(candidates) > MAX_FEW:
        search = texts.search_of(self, db, coll, query)
        if search is not None:
            return counted_texts(self, db, coll, query, search, most, let)
    if candidates is None and encoded.may_match(query) is None:
        candidates = self._try_index_id_keys(db, coll, query)
    if candidates is None:
        rows = blobs(self, db, coll)
    else:
        rows = of_records(self, db, coll, dict.fromkeys(candidates))
    return number_of(met(in_portions(self, rows), query, let), most)


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
    number = ctx.storage.count_matching(ctx.db_name, coll, query, most=limit)
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
    commands._HANDLERS |= {"aggregate": aggregate, "find": find}
