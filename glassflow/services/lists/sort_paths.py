"""Sorts by the fields of referenced records: `customer.name`, `order.customer.name`.

No index of a list has the values of other records. So the service reads the references of
all its rows, follows them one collection after the other, and sorts the ids of the rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.models.fields import Ref

Sort = Sequence[tuple[str, int]]
Row = dict[str, Any]

MAX_NAMED = 1000  # ids that a query names; a collection with more of them is read whole


def reference_of(model: type[Record], path: str) -> type[Record] | None:
    """Return the model of the record that a path of a sort leads into; None for a field."""
    name, _, rest = path.partition(".")
    if not rest:
        return None
    found = (one for one in model._fields.values() if one.db_field == name)
    field = next(found, None)
    return BY_NAME[field.target] if isinstance(field, Ref) else None


def has_references(model: type[Record], sort: Sort) -> bool:
    """Return whether a sort has a path that leads into another record."""
    return any(reference_of(model, path) for path, _ in sort)


def ordered_ids(
    model: type[Record], query: dict[str, Any], sort: Sort
) -> list[ObjectId]:
    """Return the ids of the records that meet a query, in the order of a sort."""
    rows = _read(model, query, [path for path, _ in sort])
    # from the last path to the first: a sort keeps the order of equal rows
    for path, direction in reversed(sort):
        values = _values(model, path, rows)
        rows.sort(key=lambda row: _rank(values[row["_id"]]), reverse=direction < 0)
    return [row["_id"] for row in rows]


def _read(
    model: type[Record], query: Mapping[str, Any], paths: Sequence[str]
) -> list[Row]:
    """Read what the paths begin with."""
    shown = dict.fromkeys((path.partition(".")[0] for path in paths), 1)
    return list(model.collection().find(query, shown))


def _values(model: type[Record], path: str, rows: Sequence[Row]) -> Mapping[Any, Any]:
    """Return the values at the end of a path, by the ids of the rows."""
    other = reference_of(model, path)
    if other is None:
        return {row["_id"]: _member(row, path) for row in rows}
    name, _, rest = path.partition(".")
    ids = {one for row in rows if (one := row.get(name))}
    named = {"_id": {"$in": list(ids)}} if len(ids) <= MAX_NAMED else {}
    known = _values(other, rest, _read(other, {**named, **other.readable}, [rest]))
    return {row["_id"]: known.get(row.get(name)) for row in rows}


def _member(row: Row, path: str) -> Any:
    value: Any = row
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _rank(value: Any) -> tuple[Any, ...]:
    """Return what a value is compared by: nothing comes first, as in the store."""
    if value is None:
        return (0,)
    if isinstance(value, (int, float)):
        return (1, value)
    if isinstance(value, str):
        return (2, value)
    if isinstance(value, (list, dict)):
        return (3,)  # no order; it is refused for a path of its own
    return (4, value)
