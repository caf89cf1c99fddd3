"""The columns of a table: one for each value of a record that a cell can hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from bson import ObjectId

from glassflow.domain.aliases import May
from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import ObjectField
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate_table import reference_target
from glassflow.services.records.serialization import wire_form
from glassflow.services.tables.cells import Cell, Row, to_cell
from glassflow.services.tables.natural_keys import (
    NaturalKeys,
    natural_key,
    shown_key,
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, where its value is in a row in wire form.

    `target` is the model of a reference whose natural key the column shows.
    """

    name: str
    path: tuple[str, ...]
    target: type[Record] | None = None

    def value(self, row: Mapping[str, Any], keys: NaturalKeys) -> Any:
        """Return the value of a row; the natural keys are loaded already."""
        value: Any = row
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if self.target is None:
            return value
        if isinstance(value, list):
            return [keys.of(self.target, one) for one in value]
        return keys.of(self.target, value) if value is not None else None


def columns_of(
    model: type[Record], may: May, fields: Sequence[str] = ()
) -> list[Column]:
    """Return the columns of a model's records, for a reader; of these fields, if any.

    The members of objects of a fixed shape have columns of their own (`dimensions.width`).
    Beside a reference stands the natural key of its record (`material.name`), if the
    reader may see it. What the reader is not shown has no column.
    """
    hidden = restricted_fields.hidden_paths(model, may)
    visible = list(wire_form(model).unset)
    names = ["_id", *(one for one in fields if one in visible)] if fields else visible
    return [
        column
        for name in dict.fromkeys(names)
        for column in _columns(model, name, may)
        if column.name not in hidden
    ]


def written(columns: Sequence[Column], kinds: Iterable[str]) -> list[str]:
    """Return the names of the columns that fill these fields, each field by one column.

    A reference is filled by the natural key of its record, where that has a column.
    """
    by_field = {".".join(one.path): one.name for one in columns}  # the key comes last
    return [by_field.get(name, name) for name in kinds]


def to_read(
    columns: Sequence[Column], model: type[Record], titles: Mapping[str, Bilingual]
) -> list[Column]:
    """Return columns for people: without ids, and named as in lists and forms.

    A reference has its natural key alone, if the reader may see it. `titles` are by field;
    a member of an object has its own.
    """
    return [
        replace(column, name=titles.get(column.path[-1], column.name))
        for column in columns
        if column.target is not None or not _is_id(model, column.path)
    ]


def _is_id(model: type[Record], path: tuple[str, ...]) -> bool:
    return path == ("_id",) or reference_target(model, ".".join(path)) is not None


def _columns(model: type[Record], name: str, may: May) -> Iterator[Column]:
    field = next(f for f in model._fields.values() if f.db_field == name)
    if isinstance(field, ObjectField) and field.shape and name not in model.shown_as:
        yield from _members(field.shape(), (name,))
        return
    yield Column(name, (name,))
    target = shown_key(model, name, may)
    if target is not None:
        yield Column(f"{name}.{natural_key(target)}", (name,), target)


def _members(shape: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Column]:
    for name, default in shape.items():
        inner = (*path, name)
        if isinstance(default, dict) and default:
            yield from _members(default, inner)
        else:
            yield Column(".".join(inner), inner)


def cells_of(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    keys: NaturalKeys,
    zone: ZoneInfo,
) -> Iterator[Row]:
    """Yield rows in wire form as cells. One query for each model that is referenced."""
    _load_keys(rows, columns, keys)
    for row in rows:
        yield [_cell(column, row, keys, zone) for column in columns]


def _cell(
    column: Column, row: Mapping[str, Any], keys: NaturalKeys, zone: ZoneInfo
) -> Cell:
    return to_cell(column.value(row, keys), zone)


def _load_keys(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[Column], keys: NaturalKeys
) -> None:
    wanted: dict[type[Record], set[ObjectId]] = {}
    for column in columns:
        if column.target is not None:
            ids = wanted.setdefault(column.target, set())
            for row in rows:
                value = row.get(column.path[0])
                if value is not None:
                    ids.update(value if isinstance(value, list) else [value])
    for model, found in wanted.items():
        keys.load(model, found)
