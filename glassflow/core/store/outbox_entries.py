"""What the outbox consists of: entries and their batches, and how they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.store.changesets import Changeset


@dataclass(frozen=True, slots=True)
class Change:
    """A stored record changed. `kind` is its model's name, `data` its stored form.

    `stations` are the ids of stations to notify besides the record's own, such as the
    station that a pane has left. `detail`, if given, is sent instead of the record (a
    stock move sends `{source, target, quantity}`).
    """

    kind: str
    id: Any
    action: str
    data: dict[str, Any]
    stations: tuple[str, ...] = ()
    detail: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """The stored form of a `LiveEvent`: its name, its payload and who receives it."""

    event: str
    data: dict[str, Any]
    stations: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()


Entry = Change | Message


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry that another release has stored, in a form that this one does not know."""

    stored: Any


@dataclass(frozen=True, slots=True)
class OutboxBatch:
    """Entries that are stored in one document, in their order, at a time in UTC.

    `history` is what the history has of the same changes: `{by, via, name, request,
    deletion, changes}`, the members of the actor, the id of a unit that deletes records, and
    the stored form of changesets.
    """

    id: ObjectId
    at: datetime
    entries: tuple[Entry | Unreadable, ...]
    history: Mapping[str, Any] | None = None


def read_batch(row: Mapping[str, Any]) -> OutboxBatch:
    """Decode a stored batch."""
    entries = tuple(_read_entry(one) for one in row["entries"])
    return OutboxBatch(row["_id"], row["at"], entries, row.get("history"))


def _read_entry(members: Any) -> Entry | Unreadable:
    try:
        values = {name: _as_tuple(value) for name, value in members.items()}
        entry: Entry = {"Change": Change, "Message": Message}[values.pop("is")](
            **values
        )
    except (AttributeError, KeyError, TypeError):
        return Unreadable(members)
    return entry


def stored_form(entry: Entry | Unreadable | Changeset) -> Any:
    """Return an entry as `outbox.store` writes it, and as a program finds it in the store."""
    if isinstance(entry, Unreadable):
        return entry.stored
    if isinstance(entry, Changeset):
        return entry.stored_form()
    return {"is": type(entry).__name__, **_fields_of(entry)}


def _fields_of(entry: Entry) -> dict[str, Any]:
    return {member.name: getattr(entry, member.name) for member in fields(entry)}


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
