"""The parts of indexes that queries and sorts leave.

SPDX-License-Identifier: GPL-2.0-only
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from secantus import storage
from secantus.sortkey import (
    COMPOUND_SEP,
    RANK_NUMBER,
    encode_value,
    encode_value_directed,
)
from secantus.storage import Storage

from glassflow.embedded.store_extension.conditions import (
    among,
    bound_fields,
    flattened,
    is_range,
)

#: Greater than all that follows a value in an entry: its separator and further values.
AFTER_ALL = b"\xff" * 12
#: Options of indexes that have not exactly one entry for each document.
NOT_ONE_ENTRY_EACH = ("sparse", "multikey", "partialFilterExpression", "collation")
#: Spans of the values of an `$in`, or of the parts of an `$or`.
MAX_ALTERNATIVES = 1000


class Span(NamedTuple):
    """A part of an index: from the entry `low` to before `high`, by the bytes.

    `depth` fields of the index are bound by the query, which the entries begin with:
    `prefix`. Behind it they have the order of `rest`. `exact` are the fields of the query
    that all records of the span match, so that they need not be compared again.
    """

    name: str
    prefix: bytes
    low: bytes
    high: bytes
    depth: int
    rest: tuple[tuple[str, int], ...]
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
    rest = tuple((f, keys[f]) for f in fields[depth:])
    if depth == len(fields):
        prefix = storage._escape_kb(COMPOUND_SEP.join(parts)) + storage._ENTRY_SEP
        high = prefix + AFTER_ALL
        return Span(name, prefix, prefix, high, depth, rest, frozenset(fields))
    prefix = storage._escape_kb(b"".join(part + COMPOUND_SEP for part in parts))
    exact = frozenset(fields[:depth])
    limits = range_limits(query.get(fields[depth]), keys[fields[depth]])
    if limits is None:
        return Span(name, prefix, prefix, prefix + AFTER_ALL, depth, rest, exact)
    lowest, highest = limits
    # of the value itself: nothing more, or further values
    last = depth + 1 == len(fields)
    behind = storage._ENTRY_SEP if last else storage._escape_kb(COMPOUND_SEP)
    return Span(
        name,
        prefix,
        prefix + lowest.entry(behind),
        prefix + highest.entry(behind),
        depth,
        rest,
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


def range_limits(clause: Any, direction: int) -> tuple[_Limit, _Limit] | None:
    """Return where the matches of a range begin and end.

    None for what is no range, and where the index is in descending order.
    """
    if direction == -1 or not is_range(clause):
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


def spans(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    sort: Container[str] = (),
) -> Iterator[tuple[Span, bool]]:
    """Yield the spans of a query in the indexes with exactly one entry a document.

    With each, whether no two entries of the index have the same values. Indexes that begin
    with a field of neither query nor sort are left out, unless the query is empty.
    """
    bound = bound_fields(query)
    for name, keys, options in self._iter_indexes(db, coll):
        first = next(iter(keys))
        if query and first not in query and first not in sort:
            continue
        if any(options.get(option) for option in NOT_ONE_ENTRY_EACH):
            continue
        if all(direction in (1, -1) for direction in keys.values()):
            directions = {field: int(one) for field, one in keys.items()}
            is_unique = bool(options.get("unique"))
            yield span_of(name, directions, query, bound), is_unique


def ordered_span(
    self: Storage,
    db: str,
    coll: str,
    query: Mapping[str, Any],
    sort: Mapping[str, Any],
    *,
    is_merged: bool = False,
) -> Span | None:
    """Return the span that has the order of the sort, the one with the longest prefix.

    `is_merged` is whether the records of others stand between its own: then a single
    record has to have its place too. A bound field may stand between those of the sort: the
    matches have one value there.
    """
    best = None
    bound = bound_fields(query)
    for span, is_unique in spans(self, db, coll, query, sort):
        behind = dict(span.rest)
        # a bound field is the same everywhere: in this index no document has an array there
        order = [(f, int(d)) for f, d in sort.items() if f not in bound or f in behind]
        between = [(f, d) for f, d in span.rest if f not in bound or f in sort]
        rest = between[: len(order)]
        is_whole = is_unique and not is_merged and len(rest) == len(between)
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


def answer_of(
    self: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> Span | None:
    """Return a span whose records are the matches of a query, if there is one."""
    found = (span for span, _ in spans(self, db, coll, query))
    return next((span for span in found if span.answers(query)), None)


def alternatives(
    self: Storage, db: str, coll: str, query: Mapping[str, Any], sort: Mapping[str, Any]
) -> list[Span] | None:
    """Return the spans of the values of an `$in`, or of the parts of an `$or`.

    Their records together are the matches, and behind their prefixes the entries of all
    have the order of the sort. None if there are no such spans.
    """
    bound = bound_fields(query).keys()
    found: list[Span] = []
    parts = variants(query)
    for part in parts:
        if (bound_fields(part).keys() - bound) & sort.keys():
            return None  # its values are not the same in all spans
        span = ordered_span(self, db, coll, part, sort, is_merged=len(parts) > 1)
        if span is None or not span.answers(part):
            return None
        found.append(span)
        if (span.rest, span.backwards) != (found[0].rest, found[0].backwards):
            return None
    return found or None


def variants(query: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return queries with a value for each `$in`, whose matches together are the query's.

    Of the parts of an `$or` too. Empty where there is neither, or where they are more than
    `MAX_ALTERNATIVES`.
    """
    parts: list[Mapping[str, Any]] = []
    either = query.get("$or")
    if isinstance(either, list) and all(isinstance(one, Mapping) for one in either):
        rest = {field: clause for field, clause in query.items() if field != "$or"}
        parts = [flattened({"$and": [rest, one]}) for one in either]
    else:
        for field, clause in query.items():
            operator, values = among(clause) or ("", [])
            if operator == "$in":
                parts = [{**query, field: value} for value in values]
                break
    found: list[Mapping[str, Any]] = []
    for part in parts:
        found += variants(part) or [part]
        if len(found) > MAX_ALTERNATIVES:
            return []
    return found
