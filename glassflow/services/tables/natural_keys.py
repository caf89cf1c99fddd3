"""Natural keys: the numbers and names by which people know records.

A reference is exported by its id and, beside it, by the natural key of the record, which
an import accepts instead. A reader sees the keys that populating would show.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import May
from glassflow.domain.unicode_text import as_username, normalize
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.services.records.populate_table import VIEW_KEYS, reference_target

IDS_PER_QUERY = 100  # a store may compare each id of `$in` with each document
REMEMBERED = 10_000  # keys of one model
USERNAME = "username"  # in lower case
NAMES = (USERNAME, "name")


def natural_key(model: type[Record]) -> str | None:
    """Return the field that identifies a record to people: its number, else its name."""
    names = (model.numbered[0],) if model.numbered else NAMES
    return next(
        (model._fields[name].db_field for name in names if name in model._fields), None
    )


def as_key(model: type[Record], text: str) -> str:
    """Return a text as records store it as their natural key."""
    return as_username(text) if natural_key(model) == USERNAME else normalize(text)


def shown_key(model: type[Record], path: str, may: May) -> type[Record] | None:
    """Return the model that a reference names, if the reader may see its natural key."""
    target = reference_target(model, path)
    if target is None:
        return None
    other = BY_NAME[target.model]
    key = natural_key(other)
    if key is None:
        return None
    is_open = target.is_open and target.fields is not None and key in target.fields
    return other if is_open or may(VIEW_KEYS[target.model]) else None


class NaturalKeys:
    """The natural keys of referenced records, read once for many rows."""

    def __init__(self) -> None:
        self._known: dict[str, dict[ObjectId, str | None]] = defaultdict(dict)

    def load(self, model: type[Record], ids: Collection[ObjectId]) -> None:
        """Read the keys of records that are not known yet."""
        known = self._known[model.__name__]
        if len(known) > REMEMBERED:
            known.clear()
        missing = [one for one in dict.fromkeys(ids) if one not in known]
        known.update(dict.fromkeys(missing))
        field = natural_key(model)
        assert field is not None
        for query in _in_parts("_id", missing, model.readable):
            for row in model.collection().find(query, {field: 1}):
                known[row["_id"]] = row.get(field)

    def of(self, model: type[Record], record_id: ObjectId) -> str | None:
        """Return the key of a record that was loaded; None if it does not exist."""
        return self._known[model.__name__].get(record_id)


def find_ids(model: type[Record], keys: Iterable[str]) -> Mapping[str, list[ObjectId]]:
    """Return the ids of the records that have these natural keys."""
    field, found = natural_key(model), defaultdict(list)
    assert field is not None
    for query in _in_parts(field, list(dict.fromkeys(keys)), model.readable):
        for row in model.collection().find(query, {field: 1}):
            found[row[field]].append(row["_id"])
    return found


def _in_parts(
    field: str, values: list[Any], further: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    for start in range(0, len(values), IDS_PER_QUERY):
        part = values[start : start + IDS_PER_QUERY]
        yield {field: part[0] if len(part) == 1 else {"$in": part}, **further}
