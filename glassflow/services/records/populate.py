"""Populate: references replaced by records, one query a referenced collection.

A caller sees of other records what it could read directly: without the view key of the
referenced model a reference stays an id, unless `populate_table` opens it to everyone, or
to holders of another key.
Prices are left out as `prices` says.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import record_cache
from glassflow.domain.aliases import May
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate_table import (
    POPULATED_BY_DEFAULT,
    SHORT_FORM,
    SHORT_FORMS,
    VIEW_KEYS,
    WORKER,
    Fields,
    Target,
    brief_fields,
    reference_target,
)
from glassflow.services.records.serialization import to_wire

Row = dict[str, Any]
Plan = Mapping[str, Sequence[str]]  # reference path -> paths inside the record


def populate(
    model: type[Record],
    rows: Sequence[Row],
    populate: str,
    *,
    may: May,
) -> Sequence[Row]:
    """Populate references of rows in wire form in place, and return the rows.

    `populate` is `true` (`POPULATED_BY_DEFAULT`), `false`, or a comma list of reference
    fields, at most one dotted level deeper (`order.request`). `customer.shortName` and
    `order.customer.shortName` show no more of the record. Unknown names are ignored. `may` tells whether the reader holds a view key. A reference to a deleted
    record becomes None, or is left out of its list.
    """
    _Population(may).run(model, rows, _plan(model, populate))
    return rows


def populate_for_event(
    model: type[Record], rows: Sequence[Row], populate: str
) -> Sequence[Row]:
    """Populate references for an event, whose receivers hold the key of `model` only.

    What a caller would see whole is cut to `_id` and the record's number or name,
    unless the policy lets every worker read everything.
    """
    read_all = runtime.current().policy.read_all
    population = _Population(lambda key: read_all, cut=True)
    population.run(model, rows, _plan(model, populate))
    return rows


def workers(ids: Collection[ObjectId], may: May) -> dict[Any, Row]:
    """Return workers as references to them are populated; none without the view key."""
    if not may(VIEW_KEYS[WORKER.model]):
        return {}
    return {
        one: _select(to_wire(BY_NAME[WORKER.model], raw), WORKER.fields)
        for one, raw in _fetch(BY_NAME[WORKER.model], ids).items()
        if raw is not None
    }


def _plan(model: type[Record], populate: str) -> Plan:
    if populate == "false":
        return {}
    if populate == "true":
        names = POPULATED_BY_DEFAULT.get(model.__name__, {})
        return dict.fromkeys([*names, *filter(None, [model.successor])], ())
    plan: dict[str, list[str]] = {}
    for name in (part.strip() for part in populate.split(",")):
        path, deeper = _split(model, name)
        if path:
            plan.setdefault(path, [])
            plan[path] += [deeper] if deeper and deeper not in plan[path] else []
    return plan


def _split(model: type[Record], name: str) -> tuple[str, str]:
    """Split a name of `populate` into a reference path and the path one level deeper."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):  # `stationHistory.station` is one path
        path, deeper = ".".join(parts[:end]), ".".join(parts[end:])
        found = _target(model, path)
        if found and not deeper:
            return path, ""
        if found and _target(BY_NAME[found.model], deeper):
            return path, "" if found.model == "Worker" else deeper
    return "", ""


def _target(model: type[Record], path: str) -> Target | None:
    """Return the target of a reference, which may be asked for in its short form."""
    reference, is_short = _without_short_form(path)
    target = reference_target(model, reference)
    return None if target and is_short and target.model not in SHORT_FORMS else target


def _without_short_form(path: str) -> tuple[str, bool]:
    return path.removesuffix(SHORT_FORM), path.endswith(SHORT_FORM)


@dataclass(slots=True)
class _Link:
    """A reference field of some rows, and the referenced records as they are shown."""

    rows: Sequence[Row]
    path: list[str]
    model: type[Record]
    fields: Fields
    shown: dict[ObjectId, Row] = field(default_factory=dict)


class _Population:
    """The population of some rows for one reader, and the records that it has read.

    With `cut`, a record that the reader may not see whole is shown by its number or
    name; otherwise its reference stays an id.
    """

    def __init__(self, may: May, *, cut: bool = False) -> None:
        self._may, self._cut = may, cut
        self._records: dict[str, dict[ObjectId, Mapping[str, Any] | None]] = (
            defaultdict(dict)
        )

    def run(self, model: type[Record], rows: Sequence[Row], plan: Plan) -> None:
        """Populate the planned references of the rows in place.

        What has references of its own to populate is read first, so that a collection
        that is referenced from both levels is read once.
        """
        if not rows:
            return
        planned = ((self._link(model, rows, path, plan[path]), path) for path in plan)
        heads = [(link, plan[path]) for link, path in planned if link]
        self._load([link for link, deeper in heads if deeper])
        links = [link for link, _ in heads]
        for head, deeper in heads:
            inner = list(head.shown.values())
            found = (self._link(head.model, inner, path) for path in deeper)
            links += [link for link in found if link]
        self._load(links)
        for link in links:
            _fill(link.rows, link.path, link.shown)

    def _link(
        self,
        model: type[Record],
        rows: Sequence[Row],
        path: str,
        deeper: Sequence[str] = (),
    ) -> _Link | None:
        """Return the link of a path; None if its references stay ids."""
        path, is_short = _without_short_form(path)
        target = reference_target(model, path)
        assert target is not None, f"{path} is no reference of {model.__name__}"
        other, fields = BY_NAME[target.model], target.fields
        key, short = SHORT_FORMS.get(target.model, ("", ()))
        if is_short and self._may(key):
            fields = short
        elif self._may(VIEW_KEYS[target.model]):
            if fields is not None:
                asked = tuple(name.partition(".")[0] for name in deeper)
                fields = (*fields, *target.with_key, *asked)
        elif not target.is_open:
            if not self._cut and not (short and self._may(key)):
                return None
            fields = brief_fields(other) if self._cut else short
        return _Link(rows, path.split("."), other, fields)

    def _load(self, links: Iterable[_Link]) -> None:
        """Read the records that the links name and set `shown`, where it is not set."""
        fresh = [(link, _ids(link.rows, link.path)) for link in links if not link.shown]
        wanted: dict[type[Record], set[ObjectId]] = defaultdict(set)
        for link, ids in fresh:
            wanted[link.model] |= ids - self._records[link.model.__name__].keys()
        for model, ids in wanted.items():
            self._records[model.__name__] |= _fetch(model, ids)
        for link, ids in fresh:
            known = self._records[link.model.__name__]
            link.shown = {
                one: _select(to_wire(link.model, raw), link.fields)
                for one in ids
                if (raw := known[one]) is not None
            }
            restricted_fields.hide(link.model, link.shown.values(), self._may)


def _fetch(
    model: type[Record], ids: Collection[ObjectId]
) -> dict[ObjectId, Mapping[str, Any] | None]:
    """Read records in stored form; None for those that do not exist."""
    if not ids:
        return {}
    cache = record_cache.of_kind(model.__name__)
    if cache is not None:
        return dict.fromkeys(ids) | cache.get_all(ids)
    query = {"_id": {"$in": list(ids)}, **model.readable}
    found = model.collection().find(query)
    return dict.fromkeys(ids) | {raw["_id"]: raw for raw in found}


def _select(row: Row, fields: Fields) -> Row:
    return row if fields is None else {k: row[k] for k in fields if k in row}


def _ids(rows: Iterable[Row], path: Sequence[str]) -> set[ObjectId]:
    """Return the ids that rows have in a path, which may lead through lists of objects."""
    name, deeper = path[0], path[1:]
    if deeper:
        return _ids([one for row in rows for one in row.get(name) or ()], deeper)
    found: set[ObjectId] = set()
    for row in rows:
        value = row.get(name)
        if isinstance(value, ObjectId):
            found.add(value)
        elif isinstance(value, list):
            found.update(item for item in value if isinstance(item, ObjectId))
    return found


def _fill(
    rows: Sequence[Row], path: Sequence[str], shown: Mapping[ObjectId, Row]
) -> None:
    for row in rows:
        value = row.get(path[0])
        if len(path) > 1:
            _fill(value or (), path[1:], shown)
        elif isinstance(value, list):
            known = (shown.get(item) for item in value)
            row[path[0]] = [record for record in known if record is not None]
        elif isinstance(value, ObjectId):
            row[path[0]] = shown.get(value)
