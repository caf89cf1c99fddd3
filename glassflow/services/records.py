"""What every record can do: be made, found, changed. Rules of one kind live elsewhere.

A resource whose records have rules of their own passes functions of the same form from
its own file (`services.orders`), which call these for the plain part.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from bson import ObjectId
from pymongo import ReplaceOne

from glassflow.core import counters, outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import NotFound
from glassflow.domain.numbering import format_number
from glassflow.models.base import ObjectField, Record
from glassflow.services import references
from glassflow.services.identity import Identity

R = TypeVar("R", bound=Record)


def object_id(text: str, label: str) -> ObjectId:
    """Read an id from a path; a malformed one is `NotFound`, as an unknown one is."""
    if not ObjectId.is_valid(text):
        raise NotFound(f"{label} not found")
    return ObjectId(text)


def get(model: type[R], record_id: ObjectId) -> R:
    """Load a record to change it; raises `NotFound`."""
    found: R | None = model.objects(pk=record_id).first()
    if found is None:
        raise NotFound(f"{model.label} not found")
    return found


def find(model: type[Record], record_id: ObjectId) -> dict[str, Any]:
    """Read a record's stored form; raises `NotFound`."""
    found: dict[str, Any] | None = model._get_collection().find_one({"_id": record_id})
    if found is None:
        raise NotFound(f"{model.label} not found")
    return found


def find_named(model: type[Record], text: str) -> dict[str, Any]:
    """Read the stored form of the record that a path names; raises `NotFound`."""
    return find(model, object_id(text, model.label))


def next_numbers(model: type[Record], count: int = 1) -> list[str]:
    """Draw numbers of the model's own counter, outside any transaction."""
    assert model.numbered is not None, f"{model.__name__} has no numbers"
    prefix = model.numbered[1]
    return [format_number(prefix, n) for n in counters.draw(prefix, count)]


def create(*, model: type[R], values: Mapping[str, Any], actor: Identity) -> R:
    """Store a new record. Raises `UnknownReference`, or the store's duplicate error."""
    values = dict(values)
    if model.numbered is not None:
        values[model.numbered[0]] = next_numbers(model)[0]
    return _insert(model, values)


def new(model: type[R], values: Mapping[str, Any]) -> R:
    """Make a record that is not stored yet; null means not given: the default holds."""
    record: R = model(**{k: v for k, v in values.items() if v is not None})
    return record


@unit_of_work
def _insert(model: type[R], values: Mapping[str, Any]) -> R:
    references.check(references.mentions(model, values))
    record = new(model, values)
    record.save()
    return record


@unit_of_work
def update(
    *,
    model: type[R],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> R:
    """Change the named fields of a record. Raises `NotFound`, `UnknownReference`."""
    record = get(model, record_id)
    references.check(references.mentions(model, values))
    assign(record, values)
    record.save()
    return record


def assign(record: Record, values: Mapping[str, Any]) -> None:
    """Set fields: null gives the default back, objects of a fixed shape merge."""
    for name, value in values.items():
        field = record._fields[name]
        if value is None:
            value = field.default() if callable(field.default) else field.default
        elif isinstance(field, ObjectField) and isinstance(record[name], dict):
            value = merged(record[name], value)
        record[name] = value


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Give the old object with the members of the new one, level by level."""
    result = dict(old)
    for key, value in new.items():
        inner = result.get(key)
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = merged(inner, value)
        result[key] = value
    return result


def insert_all(made: Sequence[Record], *, announce: bool = True) -> None:
    """Store many new records of one model in one round trip, each with its event.

    `announce=False` is for callers that record a named action of their own.
    """
    if not made:
        return
    for record in made:
        record.stamp()
        record.validate()
    model = type(made[0])
    model._get_collection().insert_many([record.to_mongo() for record in made])
    for record in made if announce else ():  # a bulk insert fires no signals
        outbox.record(model.__name__, dict(record.to_mongo()), "created")


def replace_all(changed: Sequence[Record]) -> None:
    """Store many changed and stamped records of one model in one round trip.

    It fires no signals: the caller records what has happened to each.
    """
    writes = [ReplaceOne({"_id": one.pk}, one.to_mongo()) for one in changed]
    if writes:
        type(changed[0])._get_collection().bulk_write(writes)
