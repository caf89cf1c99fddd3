"""What the outbox consists of: entries and their batches, and how they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.core.store.changesets import Changeset

CLOCK_TOLERANCE = timedelta(hours=1)  # between machines; beyond it a time is wrong


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
    """What another program has stored in place of an entry."""

    stored: Any


@dataclass(frozen=True, slots=True)
class OutboxBatch:
    """Entries that are stored in one document, in their order, at a time in UTC.

    `history` is what the history has of the same changes: `{by, via, name, request,
    changes}`, the members of the actor and the stored form of changesets.
    """

    id: ObjectId
    at: datetime
    entries: tuple[Entry | Unreadable, ...]
    history: Mapping[str, Any] | None = None


def read_batch(row: Mapping[str, Any]) -> OutboxBatch:
    """Decode a stored batch; raises nothing, whatever another program has stored.

    A time that is none, or that lies in the future, becomes the current time: the event
    log keeps events, and finds them, by their time.
    """
    at, now, entries = row.get("at"), clock.now(), row.get("entries")
    known = at if isinstance(at, datetime) and at <= now + CLOCK_TOLERANCE else now
    history = row.get("history")
    if not isinstance(history, Mapping):
        history = None
    if not isinstance(entries, list):
        return OutboxBatch(row["_id"], known, (Unreadable(entries),), history)
    read_entries = tuple(_read_entry(one) for one in entries)
    return OutboxBatch(row["_id"], known, read_entries, history)


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
