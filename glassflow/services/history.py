"""The history of records as clients read it, and records as they were at a moment."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.events import history as chain
from glassflow.core.events.history import Verification
from glassflow.core.store import changesets
from glassflow.domain.aliases import May
from glassflow.models.base import Record
from glassflow.services import daily_figures
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate import populate, workers
from glassflow.services.records.populate_table import brief_fields
from glassflow.services.records.serialization import wire_form

Row = dict[str, Any]
# They change with every write, and each entry has them as `version` and `at`.
OF_EVERY_CHANGE = frozenset({"version", "updatedAt"})
PAGE = 100  # rows that are read at once


def update() -> None:
    """Publish what is in the outbox and append it, so that the next read finds it."""
    runtime.current().publish_now()
    append()


def append() -> int:
    """Move what is published into the history, and count it; return how many changes."""
    return chain.append(daily_figures.add)


def verify() -> Verification:
    """Verify the whole chain, after all that was published is in it."""
    update()
    return chain.verify()


def prune(before: datetime) -> int:
    """Remove the rows that are older than a time (UTC); return how many."""
    return chain.prune(before)


def deleted_form(model: type[Record], record_id: ObjectId) -> Row | None:
    """Return the visible fields of a record as it was deleted; None if it was not."""
    rows = chain.of_record(model.__name__, record_id, limit=1)
    if not rows or rows[0]["action"] != changesets.DELETED:
        return None
    was = rows[0]["was"].items()
    return {"_id": record_id} | {k: v for k, v in was if k not in model.hidden}


def name_of(model: type[Record], record_id: ObjectId) -> str | None:
    """Return the number or the name of a record, the last one if it is deleted.

    None for a record without one, and for one that is not known.
    """
    field = brief_fields(model)[-1]
    found = model.collection().find_one({"_id": record_id}, {field: 1})
    found = found or deleted_form(model, record_id) or {}
    return found.get(field) if field != "_id" else None


def entries(
    model: type[Record],
    record_id: ObjectId,
    *,
    before: int | None,
    limit: int,
    mode: str,
    may: May,
    names_hidden: bool,
) -> list[Row]:
    """Return the changes of a record as clients read them, the newest first.

    Up to `limit`, with smaller numbers than `before`. Writes that have changed no field
    are left out. `mode` is what is populated, for a reader who `may` use keys. Names of
    hidden fields are shown with `names_hidden` only: they tell of a worker, for example,
    that somebody else has set the password.
    """
    found: list[Row] = []
    for row in _rows(model, record_id, before):
        entry = entry_of(model, row, may, names_hidden=names_hidden)
        if entry is not None:
            found.append(entry)
        if len(found) == limit:
            break
    if mode != "false":
        populate_entries(model, found, mode, may)
    return found


def _rows(
    model: type[Record], record_id: ObjectId, before: int | None
) -> Iterator[Row]:
    while True:
        page = chain.of_record(model.__name__, record_id, before=before, limit=PAGE)
        yield from page
        if len(page) < PAGE:
            return
        before = page[-1]["_id"]


def entry_of(
    model: type[Record], row: Row, may: May, *, names_hidden: bool
) -> Row | None:
    """Return a row as clients read it; None if no field was changed that they may know."""
    was, now = (_shown(model, row["record"], row[part]) for part in ("was", "now"))
    restricted_fields.hide(model, (was, now), may)
    # of an object with a hidden member, that may be all that was changed
    hidden_paths = restricted_fields.hidden_paths(model, may)
    objects = {path.partition(".")[0] for path in hidden_paths}
    unchanged = {name for name in objects if was.get(name) == now.get(name)}
    fields = [*wire_form(model).unset, *filter(None, [model.successor])]
    changed = [
        name
        for name in fields
        if (name in was or name in now) and name not in OF_EVERY_CHANGE | unchanged
    ]
    changes = [
        {"field": name, "from": was.get(name), "to": now.get(name)} for name in changed
    ]
    hidden = row["hidden"] if names_hidden else []
    if not changes and not hidden and row["action"] == changesets.UPDATED:
        return None
    return {
        "seq": row["_id"],
        "at": row["at"],
        "version": row["version"],
        "action": row["action"],
        "by": row["by"],
        "via": row["via"],
        "viaName": row["name"] or None,
        "request": row["request"] or None,
        "changes": changes,
        "hidden": hidden,
    }


def _shown(model: type[Record], record_id: ObjectId, stored: Row) -> Row:
    """Return stored fields as the record's wire form has them."""
    shown = dict(stored)
    for name, complete in wire_form(model).completions:
        if shown.get(name) is not None:
            shown[name] = complete(shown[name])
    for name, show in model.shown_as.items():
        if name in shown:
            shown[name] = show({"_id": record_id, name: shown[name]})
    return shown


def populate_entries(
    model: type[Record], found: list[Row], mode: str, may: May
) -> None:
    """Populate the workers who made the changes, and references among the values.

    A deleted record stays an id, unlike in records.
    """
    known = workers({entry["by"] for entry in found if entry["by"]}, may)
    sides = []
    for entry in found:
        entry["by"] = known.get(entry["by"], entry["by"])
        for side in ("from", "to"):
            row = {one["field"]: one[side] for one in entry["changes"]}
            sides.append((entry, side, row))
    populate(model, [row for *_, row in sides], mode, may=may)
    for entry, side, row in sides:
        for change in entry["changes"]:
            change[side] = _with_deleted(change[side], row[change["field"]])


def _with_deleted(value: Any, populated: Any) -> Any:
    """Return a populated value that has the ids of deleted records, which it lacks."""
    if not isinstance(value, list):
        return value if populated is None else populated
    shown = (one for one in populated if isinstance(one, Mapping))
    known = {one["_id"]: one for one in shown if "_id" in one}
    return [known.get(one, one) if isinstance(one, ObjectId) else one for one in value]


@dataclass(frozen=True, slots=True)
class State:
    """A record at a moment: its visible fields, None if it did not exist.

    `unknown_before` is set where the history does not reach back to the moment: the
    fields are as they were at this later time.
    """

    row: Row | None
    unknown_before: datetime | None = None


def states_at(
    model: type[Record], ids: Collection[ObjectId], moment: datetime
) -> dict[ObjectId, State]:
    """Return records at a moment (UTC): as they are now, with later changes undone."""
    found = model.collection().find({"_id": {"$in": list(ids)}, **model.readable})
    present = {row["_id"]: row for row in found}
    later: dict[ObjectId, list[Row]] = {}
    for row in chain.of_records(model.__name__, list(ids), since=moment):
        later.setdefault(row["record"], []).append(row)
    return {one: _undone(present.get(one), later.get(one, ()), moment) for one in ids}


def _undone(
    present: Mapping[str, Any] | None, later: Sequence[Row], moment: datetime
) -> State:
    state = dict(present) if present is not None else None
    for row in later:
        if row["action"] in (changesets.CREATED, changesets.RESTORED):
            state = None
            continue
        state = {"_id": row["record"], **(state or {})}
        for name in {*row["was"], *row["now"]}:
            state[name] = row["was"].get(name)
    if state is None:
        return State(None)
    created, updated = state.get("createdAt"), state.get("updatedAt")
    if created and created > moment:
        return State(None)
    is_known = not updated or updated <= moment
    return State(state, None if is_known else updated)
