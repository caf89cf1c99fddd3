"""References are checked when they are written: an id must point at a record.

And it must go on to: until the transaction is stored, nobody can delete that record.
How is told in `core.ties`; a deletion holds what it deletes by the same names.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bson import ObjectId
from mongoengine import ListField

from glassflow.core import ties
from glassflow.domain.errors import UnknownReference
from glassflow.models import ALL, BY_NAME
from glassflow.models.base import Record, Ref


class Mention(NamedTuple):
    """Ids that a body mentions: under which wire field, and of which model."""

    field: str
    model: str
    ids: tuple[ObjectId, ...]


def _reference(model: type[Record], name: str) -> Ref | None:
    field = model._fields.get(name)
    inner = field.field if isinstance(field, ListField) else field
    return inner if isinstance(inner, Ref) else None


# The models that others point at.
TARGETS = frozenset(
    found.target
    for model in ALL
    for name in model._fields
    if (found := _reference(model, name))
)


def mentions(model: type[Record], values: Mapping[str, Any]) -> Iterator[Mention]:
    """List the references among values that are about to be written to a model."""
    for name, value in values.items():
        inner = _reference(model, name)
        if inner and value:
            ids = tuple(value) if isinstance(value, list) else (value,)
            yield Mention(model._fields[name].db_field, inner.target, ids)


def check(mentioned: Iterable[Mention]) -> None:
    """Raise `UnknownReference` for the first mention of a record that is not there.

    Call it inside the unit of work that writes them: one query a referenced collection,
    and one write that keeps the records from being deleted meanwhile. The message is
    the wording of the interface: `Customer not found`, or `Worker (assignedTo) not
    found` where the field's name is not the record's.
    """
    listed = list(mentioned)
    wanted: dict[str, set[ObjectId]] = defaultdict(set)
    for mention in listed:
        wanted[mention.model].update(mention.ids)
    known = {name: _known(BY_NAME[name], ids) for name, ids in wanted.items()}
    for mention in listed:
        if not known[mention.model].issuperset(mention.ids):
            raise UnknownReference(_message(mention))
    if wanted:
        ties.tie(ties.name(kind, one) for kind, ids in wanted.items() for one in ids)


def _known(model: type[Record], ids: set[ObjectId]) -> set[ObjectId]:
    rows = model._get_collection().find({"_id": {"$in": list(ids)}}, {"_id": 1})
    return {row["_id"] for row in rows}


def _message(mention: Mention) -> str:
    label = BY_NAME[mention.model].label
    plain = label.replace(" ", "").lower()
    if mention.field.lower() in (plain, f"{plain}s", f"{plain}id"):
        return f"{label} not found"
    return f"{label} ({mention.field}) not found"
