"""The fields that clients write, as the columns of an import: what each of them takes."""

from collections.abc import Iterator
from typing import Any

from marshmallow import Schema, fields

from glassflow.models.base import Record
from glassflow.models.fields import ObjectField
from glassflow.schemas.base import (
    SERVER_OWNED,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.services.tables.values import CellKind

_KINDS: tuple[tuple[type[fields.Field[Any]], CellKind], ...] = (
    (Number, CellKind.NUMBER),
    (StrictBoolean, CellKind.BOOLEAN),
    (UTCDateTime, CellKind.TIME),
    (Text, CellKind.TEXT),
    (Reference, CellKind.TEXT),
)


def kinds_of(schema: RecordSchema, model: type[Record]) -> dict[str, CellKind]:
    """Return what each writable field takes, by its dotted name.

    Members of objects of a fixed shape are columns of their own, as in an export.
    """
    shaped = {
        found.db_field
        for found in model._fields.values()
        if isinstance(found, ObjectField) and found.shape
    }
    kinds = dict(_kinds(schema, "", frozenset(shaped)))
    not_written = schema.compared | SERVER_OWNED  # the version is compared with another
    return {name: kind for name, kind in kinds.items() if name not in not_written}


def _kinds(
    schema: Schema, path: str, shaped: frozenset[str] | None
) -> Iterator[tuple[str, CellKind]]:
    """Yield names and kinds; `shaped` are the objects with members, None for all."""
    for found in schema.fields.values():
        name = str(found.data_key)
        if isinstance(found, fields.Nested) and (shaped is None or name in shaped):
            yield from _kinds(found.schema, f"{path}{name}.", None)
        else:
            yield f"{path}{name}", _kind(found)


def _kind(found: fields.Field[Any]) -> CellKind:
    if isinstance(found, fields.List):
        return (
            CellKind.LIST
            if isinstance(found.inner, (Text, Reference))
            else CellKind.JSON
        )
    return next(
        (kind for type_, kind in _KINDS if isinstance(found, type_)), CellKind.JSON
    )
