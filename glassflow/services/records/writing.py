"""Write records: the only place that stores them, notes the change and announces it.

A use case calls `store` or `delete`. Both write, note the change for the history and
announce it: clients receive an event of each record, with the action `created`,
`updated` or `deleted`, or the action that the caller names. Two parts of `store` are
called alone: `write` for a change that is no event, and `announce` for an event that is
more than the change of its record, such as a scan.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId
from pymongo import UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError

from glassflow.core.process import time_limit
from glassflow.core.process.cooperative import yielding
from glassflow.core.store import changesets, outbox, retry_queue
from glassflow.core.store.changesets import (
    CREATED,
    DELETED,
    RESTORED,
    UPDATED,
    Changeset,
)
from glassflow.domain import texts
from glassflow.domain.errors import NotFound
from glassflow.models.base import NOT_IN_HISTORY, Record
from glassflow.services.records.lookup import chunked

DUPLICATE_KEY = 11000  # MongoDB's error code


@dataclass(frozen=True, slots=True)
class _Write:
    """A record to write: its form in the store before and after, None for a new one."""

    record: Record
    before: Mapping[str, Any] | None
    after: dict[str, Any]
    changed: frozenset[str]  # stored names

    @property
    def action(self) -> str:
        if self.before is not None:
            return UPDATED
        return CREATED if self.after["version"] == 1 else RESTORED


def store(
    *changed: Record,
    event: str | None = None,
    stations: Mapping[ObjectId, Sequence[str]] | None = None,
    even_unchanged: bool = False,
) -> None:
    """Write records, and announce each: as `created` or `updated`, or as `event`.

    The round trips do not grow with the number of records. An unchanged record is left
    out, unless two callers that store it have to conflict (`even_unchanged`). `stations`
    are, by record id, the stations whose rooms receive the event too, such as the one
    that a pane left. The caller's time limit grows with the number of records. Raises
    `TooMany`, `NotFound` for a record that has been deleted meanwhile, and
    `DuplicateKeyError` for a unique value that is taken.
    """
    with outbox.collecting():
        for one in _write(changed, even_unchanged):
            action = event or (UPDATED if one.action == UPDATED else CREATED)
            left = (stations or {}).get(one.record.pk, ())
            outbox.record(type(one.record).__name__, one.after, action, stations=left)


def write(*changed: Record) -> None:
    """Write records as `store` does, for changes that are no event of their own.

    Not for records that are cached (`services.records.caches`): their event tells every
    process to read them again.
    """
    with outbox.collecting():
        _write(changed, False)


def announce(
    record: Record,
    action: str,
    *,
    stations: Sequence[str] = (),
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Announce what happened to a stored record, under an action of its `EventRoute`.

    `stations` are the stations whose rooms receive it besides the record's own. `detail`
    is sent in place of the record.
    """
    outbox.record(
        type(record).__name__,
        record.stored_form(),
        action,
        stations=stations,
        detail=None if detail is None else dict(detail),
    )


def delete(
    model: type[Record],
    rows: Iterable[Mapping[str, Any]],
    *,
    successor: ObjectId | None = None,
) -> None:
    """Delete records of a model, given in stored form, and announce each.

    `successor` is the record that takes their place, if one does. An archived record was
    announced as deleted when it was archived.
    """
    deleted = {row["_id"]: dict(row) for row in rows}
    collection = model.collection()
    retry_queue.writing(collection.name, *deleted)
    with outbox.collecting():
        for part in chunked(list(deleted)):
            collection.delete_many({"_id": {"$in": part}})
        for row in deleted.values():
            if not row.get("archived"):
                outbox.record(model.__name__, row, DELETED)
            _note_deletion(model, row, successor)


def _write(changed: Sequence[Record], even_unchanged: bool) -> list[_Write]:
    wanted = [one for one in changed if even_unchanged or one.is_changed]
    time_limit.allow_for(len(wanted))
    by_model: dict[type[Record], list[_Write]] = {}
    for record in yielding(wanted):
        by_model.setdefault(type(record), []).append(_prepared(record))
    for model, of_model in by_model.items():
        _send(model, of_model)
    written = [one for of_model in by_model.values() for one in of_model]
    for one in written:
        _note(one)
        one.record.note_stored(one.after)
    return written


def _prepared(record: Record) -> _Write:
    if record.pk is None:
        record.pk = ObjectId()
    record.stamp()
    record.validate_changes()
    before, changed = record.stored_before, record.changed_fields()
    return _Write(record, before, dict(record.to_mongo()), changed)


def _send(model: type[Record], writes: Sequence[_Write]) -> None:
    """Send writes of one model to the store, the new records before the changed ones."""
    collection = model.collection()
    made = [one.after for one in writes if one.before is None]
    changed = [one for one in writes if one.before is not None]
    updates = [UpdateOne({"_id": one.record.pk}, _update(one)) for one in changed]
    try:
        if made:
            collection.insert_many(made)
        if updates:
            retry_queue.writing(collection.name, *(one.record.pk for one in changed))
            if collection.bulk_write(updates).matched_count < len(updates):
                raise NotFound(texts.NOT_FOUND.format(label=model.label))
    except BulkWriteError as error:
        _raise_duplicate(error)
        raise


def _update(one: _Write) -> dict[str, Any]:
    """Return the update that stores the changed fields, as `$set` and `$unset`.

    Fields that this release does not know stay as they are, as during a rolling upgrade.
    """
    values = {name: one.after[name] for name in one.changed if name in one.after}
    dropped = dict.fromkeys(one.changed - values.keys(), 1)
    update = {"$set": values, "$unset": dropped}
    return {operator: fields for operator, fields in update.items() if fields}


def _raise_duplicate(error: BulkWriteError) -> None:
    """Raise the error of a single write for a unique value that is taken."""
    for one in (error.details or {}).get("writeErrors", ()):
        if one.get("code") == DUPLICATE_KEY:
            raise DuplicateKeyError(one["errmsg"], DUPLICATE_KEY, one) from error


def _note(one: _Write) -> None:
    """Note a write for the history."""
    model = type(one.record)
    names = _stored_names(model) if one.before is None else one.changed
    _add_changeset(model, one.action, one.before, one.after, names, model.hidden)


def _note_deletion(
    model: type[Record], row: Mapping[str, Any], successor: ObjectId | None
) -> None:
    """Note a deletion with all values but secret ones, so that it can be restored."""
    names, after = _stored_names(model), None
    if successor:
        names.append(model.successor)
        after = {name: row.get(name) for name in ("_id", "version")}
        after[model.successor] = successor
    _add_changeset(model, DELETED, row, after, names, model.secret)


def _add_changeset(
    model: type[Record],
    action: str,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    fields: Iterable[str],
    without_values: Collection[str],
) -> None:
    if not model.has_history:
        return
    one = after or before or {}
    names = [name for name in fields if name not in NOT_IN_HISTORY]
    parts = changesets.between(before or {}, after or {}, names, hidden=without_values)
    for name, shorten in model.shortened.items():
        for part in parts[:2]:
            if name in part:
                part[name] = shorten(part[name])
    version = one.get("version") or 0
    outbox.add_changeset(Changeset(model.__name__, one["_id"], action, version, *parts))


def _stored_names(model: type[Record]) -> list[str]:
    return [field.db_field for field in model._fields.values()]
