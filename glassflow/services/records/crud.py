"""Create, load and change records of any model.

A model with rules of its own has functions with the same signatures in its own package
(`services.orders.orders.create`), which call these for the plain part.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.store import counters, expect_version
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import NotFound
from glassflow.domain.numbering import format_number
from glassflow.models.base import Record
from glassflow.models.fields import ObjectField
from glassflow.services.records import references
from glassflow.services.records.writing import store

R = TypeVar("R", bound=Record)


def object_id(text: str, label: Bilingual) -> ObjectId:
    """Parse an id from a path; a malformed one raises `NotFound`, as an unknown one."""
    if not ObjectId.is_valid(text):
        raise NotFound(texts.NOT_FOUND.format(label=label))
    return ObjectId(text)


def load(model: type[R], record_id: ObjectId | None) -> R:
    """Load a record as a document, to change it; raises `NotFound`, also for None.

    Raises `Stale` if the caller expects another version of it.
    """
    found = model.find_one({"_id": record_id, **model.readable})
    if found is None:
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    expect_version.check(model.__name__, found.pk, found.version)
    return found


def read_raw(model: type[Record], record_id: ObjectId) -> dict[str, Any]:
    """Read a record in stored form; raises `NotFound`."""
    query = {"_id": record_id, **model.readable}
    found = model.collection().find_one(query)
    if found is None:
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    return found


def read_by_path(model: type[Record], text: str) -> dict[str, Any]:
    """Read in stored form the record whose id is in a path; raises `NotFound`."""
    return read_raw(model, object_id(text, model.label))


def next_numbers(model: type[Record], count: int = 1) -> list[str]:
    """Return the next numbers of the model's counter, outside any transaction."""
    assert model.numbered is not None, f"{model.__name__} has no numbers"
    prefix = model.numbered[1]
    return [format_number(prefix, n) for n in counters.next_numbers(prefix, count)]


def create(*, model: type[R], values: Mapping[str, Any], actor: Identity) -> R:
    """Create and store a record.

    Raises `UnknownReference`, and the store's error for a duplicate unique value.
    """
    values = dict(values)
    if model.numbered is not None:
        values[model.numbered[0]] = next_numbers(model)[0]
    return _insert(model, values)


def new(model: type[R], values: Mapping[str, Any]) -> R:
    """Build a record without storing it; None takes the field's default."""
    return model(**{k: v for k, v in values.items() if v is not None})


@unit_of_work
def _insert(model: type[R], values: Mapping[str, Any]) -> R:
    references.require_exist(references.references_in(model, values))
    record = new(model, values)
    store(record)
    return record


def create_all(
    *, model: type[R], items: Sequence[Mapping[str, Any]], actor: Identity
) -> list[R]:
    """Create records from the values of each, all or none, and return them in this order.

    Raises `Invalid` for unknown references. As many round trips for many as for one.
    """
    if model.numbered is not None:
        name, numbers = model.numbered[0], next_numbers(model, len(items))
        items = [
            {**values, name: number}
            for values, number in zip(items, numbers, strict=True)
        ]
    return _insert_new(model, items)


@unit_of_work
def _insert_new(model: type[R], items: Sequence[Mapping[str, Any]]) -> list[R]:
    references.require_exist_in_items(model, items)
    made = [new(model, values) for values in yielding(items)]
    store(*made)
    return made


@unit_of_work
def update(
    *,
    model: type[R],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> R:
    """Change the named fields of a record. Raises `NotFound`, `UnknownReference`."""
    record = load(model, record_id)
    references.require_exist(references.references_in(model, values, stored=record))
    apply_changes(record, values)
    store(record)
    return record


def apply_changes(record: Record, values: Mapping[str, Any]) -> None:
    """Set fields of a record: None restores the default, fixed-shape objects merge."""
    for name, value in values.items():
        field = record._fields[name]
        if value is None:
            value = field.default() if callable(field.default) else field.default
        elif isinstance(field, ObjectField):
            value = field.complete(merged(record[name] or {}, value))
        record[name] = value


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the old object with the members of the new one, merged recursively."""
    result = dict(old)
    for key, value in new.items():
        inner = result.get(key)
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = merged(inner, value)
        result[key] = value
    return result
