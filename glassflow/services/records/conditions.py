"""Conditions of a list as one query, in the form that every store can use indexes for.

The embedded store uses no index for a query with `$and` or `$or` at its top, and
otherwise that of the first condition which has one.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mongoengine import ObjectIdField, StringField

from glassflow.models import indexes
from glassflow.models.base import Record
from glassflow.models.fields import Choice, element_field

Query = dict[str, Any]
RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})


def merged(conditions: Iterable[Mapping[str, Any]]) -> Query:
    """Combine conditions that all have to be met, without `$and` where possible."""
    query: Query = {}
    rest: list[Query] = []
    for one in conditions:
        for field, wanted in one.items():
            if field not in query:
                query[field] = wanted
                continue
            both = _both(query[field], wanted)
            if both is None or field.startswith("$"):
                rest.append({field: wanted})
            else:
                query[field] = both
    return {**query, "$and": rest} if rest else query


def _both(one: Any, other: Any) -> Any:
    """Return one condition for two on the same field; None if they share an operator."""
    left = one if is_operators(one) else {"$eq": one}
    right = other if is_operators(other) else {"$eq": other}
    return None if left.keys() & right.keys() else {**left, **right}


def is_operators(wanted: Any) -> bool:
    """Return whether a condition on a field consists of operators; else it is a value."""
    return isinstance(wanted, dict)


def is_range(wanted: Any) -> bool:
    """Return whether a condition consists of bounds only."""
    return is_operators(wanted) and wanted.keys() <= RANGES


def is_equality(wanted: Any) -> bool:
    """Return whether a condition names the values that a field may have."""
    return not is_operators(wanted) or wanted.keys() == {"$in"}


def indexed_fields(model: type[Record]) -> frozenset[str]:
    """Return the stored names of the fields with which an index begins."""
    return _indexed_fields(model)  # type: ignore[arg-type]  # a class is hashable, it is


@cache
def _indexed_fields(model: type[Record]) -> frozenset[str]:
    return frozenset(index.keys[0][0] for index in indexes.declared(model))


def is_selective(model: type[Record], field: str, wanted: Any) -> bool:
    """Return whether an index finds few records by this condition, as it seems.

    References, numbers and other texts have many values; statuses and flags have few.
    """
    if not is_equality(wanted) or field not in {"_id", *indexed_fields(model)}:
        return False
    declared = next((f for f in model._fields.values() if f.db_field == field), None)
    inner = element_field(declared)
    return isinstance(inner, (ObjectIdField, StringField)) and not isinstance(
        inner, Choice
    )


def ordered(model: type[Record], query: Query) -> Query:
    """Return the query with the conditions first by which an index finds few records."""
    found = indexed_fields(model)

    def rank(item: tuple[str, Any]) -> int:
        field, wanted = item
        if is_selective(model, field, wanted):
            return 0 if not is_operators(wanted) else 1
        return 2 if field in found and field != "listed" else 3

    return dict(sorted(query.items(), key=rank))
