"""Which records an index names for a query: never too few.

SPDX-License-Identifier: GPL-2.0-only

All queries of the plain program, updates and deletes find their candidates by
`_try_index_id_keys`, and compare them with the query afterwards. So a record too many
costs time, and one too few is a wrong answer.
"""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from itertools import islice
from typing import Any

import bson
from secantus import storage
from secantus.storage import Storage

from glassflow.embedded.store_extension.conditions import flattened
from glassflow.embedded.store_extension.rows import MAX_FEW, entries, in_portions
from glassflow.embedded.store_extension.spans import AFTER_ALL, spans
from glassflow.embedded.store_extension.texts import few_records

_candidates = Storage._try_index_id_keys


def candidates(
    self: Storage, db: str, coll: str, query: dict[str, Any], *, collation: Any = None
) -> list[int] | None:
    """Return the records that indexes name for a query; None if they do not help.

    The plain program takes the first condition that has an index, however many records it
    names. It looks up a pattern itself in an index, uses another index where a query names
    an `_id` and more, and none beside `$and` and `$or`.
    """
    query = flattened(query)
    if "_id" in query and storage._id_point_lookup_keys(query["_id"]) is not None:
        query = {"_id": query["_id"]}
    elif collation is None:
        few = few_candidates(self, db, coll, query)
        if few is None:
            few = few_records(self, db, coll, query)
        if few is not None:
            return few
    return _by_plain_lookup(self, db, coll, query, collation)


def _by_plain_lookup(
    self: Storage, db: str, coll: str, query: Mapping[str, Any], collation: Any
) -> list[int] | None:
    fields = {
        field: clause
        for field, clause in query.items()
        if not field.startswith("$") and not _has_pattern(clause)
    }
    found: list[int] | None
    with self._lock:
        found = _candidates(self, db, coll, fields, collation=collation)
    if found is None and "$or" in query:
        found = []
        for part in query["$or"]:
            more = candidates(self, db, coll, part, collation=collation)
            if more is None:
                return None
            found += more
    return found


def few_candidates(
    self: Storage, db: str, coll: str, query: Mapping[str, Any]
) -> list[int] | None:
    """Return the records among which the matches are, where an index names few.

    The fewest that one condition, or those of one index, name. None where each names more
    than `MAX_FEW`, and no other index helps.
    """
    found, most = None, MAX_FEW
    of_many: set[str] = set()
    for span, _ in spans(self, db, coll, query):
        if span.exact and not span.exact <= of_many:
            named = in_portions(self, entries(self, db, coll, span))
            ids = list(islice(named, most + 1))
            if len(ids) <= most:
                found, most = ids, len(ids)
            else:
                of_many |= span.exact
    rest = {field: clause for field, clause in query.items() if field not in of_many}
    if found is None and rest:
        others = _by_plain_lookup(self, db, coll, rest, None)
        found = None if others is None else list(dict.fromkeys(others))
    return found


def _has_pattern(clause: Any) -> bool:
    if isinstance(clause, (re.Pattern, bson.Regex)):
        return True
    if isinstance(clause, Mapping):
        return any(_has_pattern(clause.get(operator)) for operator in ("$eq", "$in"))
    return isinstance(clause, list) and any(map(_has_pattern, clause))


def with_its_bounds(scan: Callable[..., list[int]]) -> Callable[..., list[int]]:
    """Make a scan of a range return all records of it, and perhaps some more."""

    @wraps(scan)
    def run(
        self: Storage,
        db: str,
        coll: str,
        name: str,
        lower: bytes | None,
        lower_inclusive: bool,
        upper: bytes | None,
        upper_inclusive: bool,
        **options: Any,
    ) -> list[int]:
        if None not in (lower, upper) and self.index_is_multikey(db, coll, name):
            # `{mm: {$gte: 4, $lte: 6}}` matches [1, 9], which has no element between
            upper = None
        if upper is not None and upper_inclusive:
            # with further fields behind it, the entries of the bound itself are greater:
            # `{status: .., createdAt: {$lte: T}}` lost the records of exactly T
            upper += AFTER_ALL
        bounds = lower, lower_inclusive, upper, upper_inclusive
        return scan(self, db, coll, name, *bounds, **options)

    return run


def install() -> None:
    """Replace the methods."""
    Storage._try_index_id_keys = candidates
    for name in ("_range_scan_index", "_range_scan_index_leading"):
        setattr(Storage, name, with_its_bounds(getattr(Storage, name)))
