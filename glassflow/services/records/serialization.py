"""The wire form of stored records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mongoengine import DateTimeField
from mongoengine.base import BaseField

from glassflow.models.base import Record
from glassflow.models.fields import ObjectField, element_field


@dataclass(frozen=True, slots=True)
class WireForm:
    """How the records of a model are shown, worked out once for all of them.

    `unset` has every visible field by its stored name, `_id` first, with what it reads as
    while it is unset; where that is a new value each time, it is None, and `new_values`
    has the function. `completions` add the members that a stored object lacks, for
    objects of a fixed shape and lists of them.
    """

    unset: Mapping[str, Any]
    new_values: tuple[tuple[str, Callable[[], Any]], ...]
    completions: tuple[tuple[str, Callable[[Any], Any]], ...]


@cache
def wire_form(model: type[Record]) -> WireForm:
    """Return the wire form of a model's records."""
    visible = [
        field for field in model._fields.values() if field.db_field not in model.hidden
    ]
    visible.sort(key=lambda field: field.db_field != "_id")
    unset = {field.db_field: _unset(field) for field in visible}
    completions = ((field.db_field, _completion(field)) for field in visible)
    return WireForm(
        unset={name: None if callable(one) else one for name, one in unset.items()},
        new_values=tuple((name, one) for name, one in unset.items() if callable(one)),
        completions=tuple((name, one) for name, one in completions if one),
    )


def _unset(field: BaseField) -> Any:
    """Return the default of a field; an unset time stays unset, also with a default."""
    return None if isinstance(field, DateTimeField) else field.default


def _completion(field: BaseField) -> Callable[[Any], Any] | None:
    inner = element_field(field)
    if not isinstance(inner, ObjectField) or inner.shape is None:
        return None
    convert = inner.to_python
    if inner is field:
        return convert
    # a value of another release, such as one in the history, may be no list
    return lambda items: list(map(convert, items)) if isinstance(items, list) else items


def to_wire(model: type[Record], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored document in wire form: every visible field, unset ones as declared.

    A field that an earlier release did not store reads as its default. Ids and times
    keep their types; the JSON encoder formats them.
    """
    form = wire_form(model)
    row = dict(form.unset)
    for name, value in raw.items():
        if value is not None and name in row:
            row[name] = value
    for name, complete in form.completions:
        if raw.get(name) is not None:
            row[name] = complete(raw[name])
    for name, new_value in form.new_values:
        if row[name] is None:
            row[name] = new_value()
    if model.shown_as:
        row.update((name, shown(raw)) for name, shown in model.shown_as.items())
    for name, compute in model.computed.items():
        row[name] = compute(raw)
    return row
