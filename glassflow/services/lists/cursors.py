"""Cursors: where a page ended, so that the next one continues there without skipping.

A cursor holds the sort of its list, and the sort values and the `_id` of the last row. So
rows that were added or deleted meanwhile move no other row into or out of a page.
"""

import base64
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from bson import ObjectId, json_util
from mongoengine import DateTimeField, ListField

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Invalid
from glassflow.models.base import Record
from glassflow.models.fields import JSONField

Query = dict[str, Any]

FIRST = "*"  # the cursor of the first page
OPTIONS = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL, tz_aware=False, tzinfo=None
)
Sort = Sequence[tuple[str, int]]
VALUES = (str, int, float, datetime, ObjectId, type(None))


def encode(sort: Sort, row: dict[str, Any]) -> str:
    """Return the cursor of the page that ends with this row, in stored form."""
    content = {"sort": _sort_text(sort), "at": [row.get(field) for field, _ in sort]}
    text = json_util.dumps(content, json_options=OPTIONS)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(cursor: str, model: type[Record], sort: Sort) -> list[Any]:
    """Return the values of the row after which the next page begins.

    Raises `Invalid` for what is no cursor, or one of a list with another sort.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
        content = json_util.loads(text.decode(), json_options=OPTIONS)
        named, values = content["sort"], content["at"]
    except Exception as error:  # whatever a client may have sent instead
        raise invalid(texts.CURSOR_INVALID) from error
    if not isinstance(values, list) or not all(isinstance(v, VALUES) for v in values):
        raise invalid(texts.CURSOR_INVALID)
    if named != _sort_text(sort) or len(values) != len(sort):
        raise invalid(texts.CURSOR_OF_ANOTHER_SORT)
    fields = {f.db_field: f for f in model._fields.values()}
    for (name, _), value in zip(sort, values, strict=True):
        if isinstance(fields[name], DateTimeField):
            is_right = isinstance(value, datetime | None)
        else:
            is_right = name != "_id" or isinstance(value, ObjectId)
        if not is_right:
            raise invalid(texts.CURSOR_INVALID)
    return values


def require_sortable(model: type[Record], sort: Sort) -> None:
    """Raise `Invalid` for a sort by lists, objects and what is in them or other records."""
    fields = {f.db_field: f for f in model._fields.values()}
    names = [name for name, _ in sort]
    if any(
        "." in name or isinstance(fields[name], (ListField, JSONField))
        for name in names
    ):
        raise invalid(texts.CURSOR_NOT_FOR_LISTS)


def after(sort: Sort, values: Sequence[Any]) -> Iterator[Query]:
    """Yield the conditions of the rows that come after the row with these values.

    The rows of one come before those of the next, and no row meets two of them. Each is a
    range of an index in the order of the sort, which an `$or` of them is not. A missing
    value sorts as null does, before all others.
    """
    names = [name for name, _ in sort]
    for depth in reversed(range(len(sort))):
        same = dict(zip(names[:depth], values[:depth], strict=True))
        for beyond in _beyond(*sort[depth], values[depth]):
            yield {**same, **beyond}


def _beyond(field: str, direction: int, value: Any) -> list[Query]:
    """List the conditions of the values after a value, in their order."""
    if direction == 1:
        return [{field: {"$ne": None} if value is None else {"$gt": value}}]
    if value is None:
        return []
    lower: list[Query] = [{field: {"$lt": value}}]
    return lower if field == "_id" else [*lower, {field: None}]


def _sort_text(sort: Sort) -> str:
    return ",".join(
        f"{'-' if direction < 0 else ''}{field}" for field, direction in sort
    )


def invalid(message: Bilingual) -> Invalid:
    """Return the refusal of a cursor."""
    return Invalid([{"field": "cursor", "message": message}])
