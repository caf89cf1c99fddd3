"""A query as one condition for each field.

SPDX-License-Identifier: GPL-2.0-only

The plain program uses no index for what stands in `$and`. So its parts are put side by
side, `{$and: [{status: .., createdAt: {$lt: ..}}, {createdAt: {$gte: ..}}]}` as
`{status: .., createdAt: {$lt: .., $gte: ..}}`, which every part of the extension reads.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import bson
from secantus.sortkey import encode_value

#: Values whose entries are equal just where the values match each other.
SCALARS = (str, int, float, bool, bson.ObjectId, bson.Int64, datetime, type(None))
#: Those of them that are compared by `$gt` and the like.
ORDERED = (str, int, float, bson.ObjectId, bson.Int64, datetime)
RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})
#: Numbers beyond it share their entries with others.
MAX_EXACT = 1e100


def flattened(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return a query with the same matches that has nothing in `$and` if possible.

    Of two conditions on one field that cannot be made one, the second stays there, or the
    one that is no equality.
    """
    result: dict[str, Any] = {}
    rest = []
    for field, clause in _parts(query):
        if field not in result:
            result[field] = clause
            continue
        both = _both(result[field], clause)
        if both is not None:
            result[field] = both
        elif not field.startswith("$") and is_exact(clause):
            rest.append({field: result[field]})
            result[field] = clause
        else:
            rest.append({field: clause})
    if rest and "$and" in result:
        return dict(query)  # it is malformed
    return {**result, "$and": rest} if rest else result


def _parts(query: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for field, clause in query.items():
        parts = clause if field == "$and" and isinstance(clause, list) else []
        if parts and all(isinstance(one, Mapping) for one in parts):
            for one in parts:
                yield from _parts(one)
        else:
            yield field, clause


def _both(one: Any, other: Any) -> dict[str, Any] | None:
    """Return two ranges as one; None if one of them is none, or their types differ."""
    if not is_range(one) or not is_range(other):
        return None
    result = dict(one)
    for operator, value in other.items():
        if operator in result:
            bounds = {encode_value(value): value}
            bounds[encode_value(result[operator])] = result[operator]
            if len({encoded[0] for encoded in bounds}) > 1:
                return None
            narrower = max if operator.startswith("$gt") else min
            value = bounds[narrower(bounds)]
        result[operator] = value
    return result


def is_range(clause: Any) -> bool:
    """Return whether a condition consists of bounds, of values that are compared."""
    return (
        isinstance(clause, Mapping)
        and bool(clause)
        and RANGES.issuperset(clause)
        and all(map(_is_ordered, clause.values()))
    )


def _is_ordered(value: Any) -> bool:
    return (
        is_exact(value) and isinstance(value, ORDERED) and not isinstance(value, bool)
    )


def is_exact(value: Any) -> bool:
    """Return whether an index has the same entry just for the values that equal it."""
    if isinstance(value, bson.Code) or not isinstance(value, SCALARS):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value == 0 or 1 / MAX_EXACT < abs(value) < MAX_EXACT
    return True


def bound_fields(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a query binds to one value whose entries are its own."""
    bound = {}
    for field, clause in query.items():
        one = clause
        if isinstance(one, Mapping) and list(one) == ["$eq"]:
            one = one["$eq"]
        if not field.startswith("$") and is_exact(one):
            bound[field] = one
    return bound


def among(clause: Any) -> tuple[str, list[Any]] | None:
    """Return `$in` or `$nin` and its different values; None for another condition.

    `$ne` is `$nin` of one value. None also for values that are not exact.
    """
    if not isinstance(clause, Mapping) or len(clause) != 1:
        return None
    [(operator, values)] = clause.items()
    if operator == "$ne":
        operator, values = "$nin", [values]
    if operator not in ("$in", "$nin") or not isinstance(values, list):
        return None
    if not all(map(is_exact, values)):
        return None
    return operator, list({encode_value(one): one for one in values}.values())
