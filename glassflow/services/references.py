"""References are checked when they are written: an id must point at a record."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bson import ObjectId
from mongoengine import ListField

from glassflow.domain.errors import UnknownReference
from glassflow.models import BY_NAME
from glassflow.models.base import Record, Ref


class Mention(NamedTuple):
    """Ids that a body mentions: under which wire field, and of which model."""

    field: str
    model: str
    ids: tuple[ObjectId, ...]


def mentions(model: type[Record], values: Mapping[str, Any]) -> Iterator[Mention]:
    """List the references among values that are about to be written to a model."""
    for name, value in values.items():
        field = model._fields.get(name)
        inner = field.field if isinstance(field, ListField) else field
        if isinstance(inner, Ref) and value:
            ids = tuple(value) if isinstance(value, list) else (value,)
            yield Mention(field.db_field, inner.target, ids)


def check(mentioned: Iterable[Mention]) -> None:
    """Raise `UnknownReference` for the first mention of a record that is not there.

    One query a referenced collection. The message is the wording of the interface:
    `Customer not found`, or `Worker (assignedTo) not found` where the field's name
    is not the record's.
    """
    listed = list(mentioned)
    wanted: dict[str, set[ObjectId]] = defaultdict(set)
    for mention in listed:
        wanted[mention.model].update(mention.ids)
    known = {name: _known(BY_NAME[name], ids) for name, ids in wanted.items()}
    for mention in listed:
        if not known[mention.model].issuperset(mention.ids):
            raise UnknownReference(_message(mention))


def _known(model: type[Record], ids: set[ObjectId]) -> set[ObjectId]:
    rows = model._get_collection().find({"_id": {"$in": list(ids)}}, {"_id": 1})
    return {row["_id"] for row in rows}


def _message(mention: Mention) -> str:
    label = BY_NAME[mention.model].label
    plain = label.replace(" ", "").lower()
    if mention.field.lower() in (plain, f"{plain}s", f"{plain}id"):
        return f"{label} not found"
    return f"{label} ({mention.field}) not found"
