"""Referential integrity: a reference that is written must name an existing record.

Until the transaction is committed, that record cannot be deleted either: see
`core.store.reference_locks`, where a deletion locks the same names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.process.cooperative import yielding
from glassflow.core.process.naming import camel
from glassflow.core.store import reference_locks
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault, Invalid, UnknownReference
from glassflow.models import ALL, BY_NAME
from glassflow.models.base import Record
from glassflow.models.fields import Ref, element_field


class Reference(NamedTuple):
    """The ids that a body holds in one wire field, and the model that they name."""

    field: str
    model: str
    ids: tuple[ObjectId, ...]


def _reference(model: type[Record], name: str) -> Ref | None:
    """Return the reference field of a model that has this name, or this wire name."""
    field = model._fields.get(model._reverse_db_field_map.get(name, name))
    inner = element_field(field) if field else None
    return inner if isinstance(inner, Ref) else None


# The models that other models refer to.
TARGETS = frozenset(
    found.target
    for model in ALL
    for name in model._fields
    if (found := _reference(model, name))
)


def fields_naming(kind: str) -> Iterator[tuple[type[Record], str]]:
    """List every reference field to a model: its own model, and its name there."""
    for model in ALL:
        for name in model._fields:
            if (found := _reference(model, name)) and found.target == kind:
                yield model, name


def references_in(
    model: type[Record], values: Mapping[str, Any], *, stored: Record | None = None
) -> Iterator[Reference]:
    """List the references in values that are about to be written to a model.

    The values have the names of fields, or wire names where nothing is `stored`. References
    that `stored`, the record that is changed, has already are left out: a form may send
    back a finished record whose station was deleted.
    """
    for name, value in values.items():
        inner = _reference(model, name)
        if inner and value:
            ids = _ids(value)
            had = _ids(stored[name]) if stored is not None else ()
            new = tuple(one for one in ids if one not in had)
            if new:
                yield Reference(camel(name), inner.target, new)


def _ids(value: Any) -> tuple[ObjectId, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def require_exist(references: Iterable[Reference]) -> None:
    """Raise `UnknownReference` for the first reference to a record that is missing.

    Call it inside the unit of work that writes them. Costs one query a referenced
    collection, and one write that locks the records against deletion. The message is
    that of the interface: `Customer not found`, or `Worker (assignedTo) not
    found` where the field's name is not the record's.
    """
    for unknown in _protect(list(references)):
        raise UnknownReference(not_found(unknown))


def require_exist_in_items(
    model: type[Record], items: Sequence[Mapping[str, Any]]
) -> None:
    """Raise `Invalid` with every reference of new records to a record that is missing.

    As `require_exist`, and in as many round trips, for the values of many records.
    """
    listed = [
        (index, reference)
        for index, values in enumerate(yielding(items))
        for reference in references_in(model, values)
    ]
    unknown = {id(one) for one in _protect([reference for _, reference in listed])}
    faults: list[FieldFault] = [
        {"field": f"items.{index}.{one.field}", "message": not_found(one)}
        for index, one in listed
        if id(one) in unknown
    ]
    if faults:
        raise Invalid(faults)


def find_existing(model: type[Record], ids: Collection[ObjectId]) -> set[ObjectId]:
    """Return which of these records exist, protected from deletion as `require_exist` does.

    For a use case that leaves out the others. One query, and one write.
    """
    known = _known(model, set(ids)) if ids else set()
    if known:
        kind = model.__name__
        reference_locks.protect(reference_locks.lock_name(kind, one) for one in known)
    return known


def find_missing(references: Iterable[Reference]) -> list[tuple[str, ObjectId]]:
    """Return the kinds and ids of the named records that do not exist, each once.

    One query a referenced collection.
    """
    wanted: dict[str, dict[ObjectId, None]] = defaultdict(dict)
    for reference in references:
        wanted[reference.model].update(dict.fromkeys(reference.ids))
    return [
        (kind, one)
        for kind, ids in wanted.items()
        for known in [_known(BY_NAME[kind], set(ids))]
        for one in ids
        if one not in known
    ]


def _protect(references: Sequence[Reference]) -> list[Reference]:
    """Protect the named records from deletion; return the references to unknown ones."""
    wanted: dict[str, set[ObjectId]] = defaultdict(set)
    for reference in references:
        wanted[reference.model].update(reference.ids)
    known = {name: _known(BY_NAME[name], ids) for name, ids in wanted.items()}
    unknown = [one for one in references if not known[one.model].issuperset(one.ids)]
    if wanted and not unknown:
        reference_locks.protect(
            reference_locks.lock_name(kind, one)
            for kind, ids in wanted.items()
            for one in ids
        )
    return unknown


def _known(model: type[Record], ids: set[ObjectId]) -> set[ObjectId]:
    query = {"_id": {"$in": list(ids)}, **model.readable}
    rows = model.collection().find(query, {"_id": 1})
    return {row["_id"] for row in rows}


def not_found(reference: Reference) -> Bilingual:
    """Return the message that a referenced record does not exist."""
    label = BY_NAME[reference.model].label
    plain = label.replace(" ", "").lower()
    if reference.field.lower() in (plain, f"{plain}s", f"{plain}id"):
        return texts.NOT_FOUND.format(label=label)
    return texts.NOT_FOUND_IN_FIELD.format(label=label, field=reference.field)
