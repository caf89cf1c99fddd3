"""The fields that clients write, as the columns of an import: what each of them takes."""

from collections.abc import Iterator

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
from glassflow.services.tables.values import Kind

_KINDS: tuple[tuple[type[fields.Field], Kind], ...] = (
    (Number, Kind.NUMBER),
    (StrictBoolean, Kind.BOOLEAN),
    (UTCDateTime, Kind.TIME),
    (Text, Kind.TEXT),
    (Reference, Kind.TEXT),
)


def kinds_of(schema: RecordSchema, model: type[Record]) -> dict[str, Kind]:
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
) -> Iterator[tuple[str, Kind]]:
    """Yield names and kinds; `shaped` are the objects with members, None for all."""
    for found in schema.fields.values():
        name = str(found.data_key)
        if isinstance(found, fields.Nested) and (shaped is None or name in shaped):
            yield from _kinds(found.schema, f"{path}{name}.", None)
        else:
            yield f"{path}{name}", _kind(found)


def _kind(found: fields.Field) -> Kind:
    if isinstance(found, fields.List):
        return Kind.LIST if isinstance(found.inner, (Text, Reference)) else Kind.JSON
    return next((kind for type_, kind in _KINDS if isinstance(found, type_)), Kind.JSON)
