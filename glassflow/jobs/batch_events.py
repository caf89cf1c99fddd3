"""The events of an outbox batch; entries without a possible event are dead letters."""

import logging
import traceback
from collections.abc import Sequence
from dataclasses import replace

import pymongo
from bson import ObjectId
from pymongo.errors import ConnectionFailure, PyMongoError

from glassflow.core.events import event_log
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.events.event_log import Event
from glassflow.core.process import deadlines, record_cache
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.outbox_entries import Entry, OutboxBatch, Unreadable
from glassflow.domain.errors import Conflict
from glassflow.services.events.event_builder import EventBuilder, recheck_of

log = logging.getLogger(__name__)


class UnreadableEntryError(ValueError):
    """An entry of the outbox has not the form in which the service stores entries."""


class EntryTooLargeError(ValueError):
    """The event of an entry has a payload that the event log has no room for."""


def build(
    builder: EventBuilder, batch: OutboxBatch, dead: list[DeadLetter], *, give_up: bool
) -> list[Event]:
    """Build the events of a batch; entries that have none are added to `dead`.

    Raises `PyMongoError` if the store is away; with `give_up` the entry at which that
    happens is dead.
    """
    events: list[Event] = []
    for entry in yielding(batch.entries):
        changed = recheck_of(entry)
        if changed:  # another process may have changed it: later events show the change
            record_cache.forget([changed])
        try:
            event = _event(builder, entry, batch)
        except Exception as error:
            if is_temporary(error) and not give_up:
                raise
            dead.append(dead_letter(batch.id, entry, error))
            events += _rechecks(batch, [entry])
        else:
            events += [event] if event else []
    # A batch without events leaves a mark, which `outbox.is_stored` looks for.
    return events or [_marker(batch)]


def of_dead(batch: OutboxBatch) -> list[Event]:
    """Return the events of a batch whose entries are all dead letters, one at least."""
    return _rechecks(batch, batch.entries) or [_marker(batch)]


def _event(
    builder: EventBuilder, entry: Entry | Unreadable, batch: OutboxBatch
) -> Event | None:
    if isinstance(entry, Unreadable):
        raise UnreadableEntryError
    with pymongo.timeout(deadlines.RENDER_TIMEOUT_S):
        event = builder.build(entry, batch.at)
    if event and len(event.payload) > event_log.MAX_PAYLOAD_BYTES:
        raise EntryTooLargeError
    return event


def _marker(batch: OutboxBatch) -> Event:
    return Event("", b"null", (), batch.at)


def _rechecks(batch: OutboxBatch, entries: Sequence[Entry | Unreadable]) -> list[Event]:
    """Return what remains of dead letters: caches and sockets learn of the change."""
    found = (recheck_of(entry) for entry in entries)
    return [replace(_marker(batch), recheck=one) for one in found if one]


def dead_letter(
    batch: ObjectId, entry: Entry | Unreadable, error: Exception
) -> DeadLetter:
    """Log an error without its message, which may quote what the entry contains."""
    letter = DeadLetter(batch, entry, type(error).__name__)
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"
    log.error(
        "Moved %s of batch %s to the dead letters: %s at %s",
        letter.subject,
        batch,
        letter.reason,
        where,
    )
    return letter


def is_temporary(error: Exception) -> bool:
    """Return whether the same may succeed later: the store was away, slow or busy."""
    if isinstance(error, PyMongoError):
        return (
            isinstance(error, ConnectionFailure)
            or error.timeout
            or error.has_error_label("TransientTransactionError")
        )
    return isinstance(error, Conflict)
