"""What is read of the records that others refer to, by id: one query for each kind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.request import Request

T = TypeVar("T")

NO_CONDITION: Mapping[str, Any] = {}


def by_id(
    model: type[Record],
    ids: Iterable[Any],
    fields: Sequence[str] | None = None,
    *,
    where: Raw = NO_CONDITION,
) -> dict[Any, Raw]:
    """Return records in stored form by their ids; None among the ids is left out.

    `fields` are their stored names, None for all. Only of the records that meet `where`;
    without ids there is no query.
    """
    wanted = list({one for one in ids if one})
    if not wanted:
        return {}
    shown = None if fields is None else dict.fromkeys(fields, 1)
    found = model.collection().find({"_id": {"$in": wanted}, **where}, shown)
    return {row["_id"]: row for row in found}


def field_of(
    model: type[Record], field: str, ids: Iterable[Any], *, where: Raw = NO_CONDITION
) -> dict[Any, Any]:
    """Return one field of records by their ids; as `by_id`."""
    found = by_id(model, ids, (field,), where=where)
    return {one: row.get(field) for one, row in found.items()}


def referred(
    model: type[Record],
    rows: Iterable[Raw],
    name: str,
    fields: Sequence[str] | None = None,
) -> dict[Any, Raw]:
    """Return the records that rows refer to in the field `name`; as `by_id`."""
    return by_id(model, (row.get(name) for row in rows), fields)


def customers_of_panes(panes: Sequence[Raw]) -> dict[Any, ObjectId]:
    """Return the customers of the orders and requests of panes, by the ids of these."""
    return {
        one: row["customer"]
        for model, name in ((Order, "order"), (Request, "request"))
        for one, row in referred(model, panes, name, ("customer",)).items()
    }


def chunked(values: Sequence[T], size: int = 100) -> Iterator[Sequence[T]]:
    """Split values for `$in`: a store may compare each value with each document."""
    return (values[n : n + size] for n in range(0, len(values), size))
