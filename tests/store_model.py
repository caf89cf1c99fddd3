"""What a store should answer: documents in Python, compared one by one.

It knows the queries that the service sends. Its documents are those of `document`.
"""

import re
from datetime import datetime
from functools import cmp_to_key

from bson import ObjectId

RANGES = {
    "$gt": lambda one, other: one > other,
    "$gte": lambda one, other: one >= other,
    "$lt": lambda one, other: one < other,
    "$lte": lambda one, other: one <= other,
}


class Nothing:
    """The value of a field that a document does not have."""


NOTHING = Nothing()


def matches(document, query):
    """Whether a document matches a query."""
    for field, clause in query.items():
        if field == "$or":
            found = any(matches(document, part) for part in clause)
        elif field == "$and":
            found = all(matches(document, part) for part in clause)
        else:
            found = _has(values(document, field), clause)
        if not found:
            return False
    return True


def values(document, field):
    """The values of a field: an array's elements, and the array."""
    value = document
    for part in field.split("."):
        value = value.get(part, NOTHING) if isinstance(value, dict) else NOTHING
    return [*value, value] if isinstance(value, list) else [value]


def _has(found, clause):
    if isinstance(clause, re.Pattern):
        return any(isinstance(one, str) and clause.search(one) for one in found)
    if not isinstance(clause, dict):
        return any(_equal(one, clause) for one in found)
    return all(_holds(found, *operator) for operator in clause.items())


def _holds(found, operator, argument):
    if operator == "$eq":
        return _has(found, argument)
    if operator == "$ne":
        return not _has(found, argument)
    if operator == "$in":
        return any(_has(found, one) for one in argument)
    if operator == "$nin":
        return not any(_has(found, one) for one in argument)
    if operator == "$exists":
        return (found[-1] is not NOTHING) == argument
    if operator == "$regex":
        return any(isinstance(one, str) and re.search(argument, one) for one in found)
    compare = RANGES[operator]
    return any(
        _kind(one) == _kind(argument) and compare(one, argument) for one in found
    )


def _equal(one, other):
    if other is None:
        return one is None or one is NOTHING
    return _kind(one) == _kind(other) and one == other


def _kind(value):
    """The place of a value's type in the order of types; numbers are of one type."""
    for place, kind in enumerate(
        ((Nothing, type(None)), bool, (int, float), str, dict, list, ObjectId)
    ):
        if isinstance(value, kind):
            # a bool is an int in Python, and stands behind ids in the store
            return 7 if kind is bool else place
    return 8 if isinstance(value, datetime) else 9


def ordered(documents, sort):
    """The documents in an order that is given by fields and directions."""

    def compare(one, other):
        for field, direction in sort:
            first, second = _key(one, field), _key(other, field)
            if first != second:
                return direction if first > second else -direction
        return 0

    return sorted(documents, key=cmp_to_key(compare))


def _key(document, field):
    value = values(document, field)[-1]
    return (_kind(value), 0 if value is None or value is NOTHING else value)
