"""How a stored record looks from outside."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from mongoengine import ListField

from glassflow.models.base import Record


@cache
def outline(model: Any) -> tuple[tuple[str, bool], ...]:
    """List a model's visible stored names, and whether each is a list; `_id` first."""
    visible = [
        (field.db_field, isinstance(field, ListField))
        for field in model._fields.values()
        if field.db_field not in model.hidden
    ]
    return (("_id", False), *(entry for entry in visible if entry[0] != "_id"))


def shape(model: type[Record], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Give a stored document its wire form: every visible field, unset ones as null.

    Ids and moments stay as they are; the JSON encoder writes them.
    """
    fields = outline(model)  # type: ignore[arg-type]  # a class is hashable, it is
    return {name: raw.get(name, [] if is_list else None) for name, is_list in fields}


def stored(record: Record) -> dict[str, Any]:
    """Give a record's stored form, as the driver would read it."""
    return dict(record.to_mongo())
