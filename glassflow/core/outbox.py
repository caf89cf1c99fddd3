"""What has to be told to the floor once a change is stored.

Services and model hooks put entries in; the unit of work stores them with the change,
in bundles, and hands these to the publisher after its commit. Should that never come to
it, whoever sweeps finds the bundles in the store (`core.event_log`). Who hears what is
decided by the publisher (`glassflow.realtime`), not here.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

import bson
from bson import ObjectId
from bson.raw_bson import RawBSONDocument
from mongoengine.connection import get_connection, get_db

from glassflow.core import clock

log = logging.getLogger(__name__)

COLLECTION = "outbox"
LOG = "event_log"  # where its events are once they are numbered
LARGEST = 4_000_000  # bytes of a bundle, but for a single entry that is larger
MOST = 500  # entries of a bundle


@dataclass(frozen=True, slots=True)
class Change:
    """A stored record changed. `kind` is its model's name, `data` its stored form.

    `stations` are station ids that have to hear of it besides the record's own, such
    as the station that a pane has left. `detail` replaces the record as what is told
    (a move tells `{source, target, quantity}`).
    """

    kind: str
    id: Any
    action: str
    data: dict[str, Any]
    stations: tuple[str, ...] = ()
    detail: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """Something to be said that is no record's change, to stations and to workers."""

    event: str
    data: dict[str, Any]
    stations: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()


Entry = Change | Message


@dataclass(frozen=True, slots=True)
class Bundle:
    """Entries as they are stored together, in their order; `at` is when (UTC)."""

    id: ObjectId
    at: datetime
    entries: tuple[Entry, ...]


Publisher = Callable[[Sequence[Bundle]], None]


@dataclass(slots=True)
class Outbox:
    """The entries of one unit of work, one a record at most per named action."""

    entries: list[Entry] = field(default_factory=list)
    _known: set[tuple[str, Any]] = field(default_factory=set)

    def add(self, entry: Entry) -> None:
        """Put an entry in; a record's further generic changes join its first entry.

        One that is deleted has that to say only, if it was there before.
        """
        if isinstance(entry, Change):
            if (entry.kind, entry.id) in self._known:
                if entry.action == "deleted":
                    entry = self._last_word(entry)
                elif self._joined(entry):
                    return
            self._known.add((entry.kind, entry.id))
        self.entries.append(entry)

    def _joined(self, change: Change) -> bool:
        for index, earlier in enumerate(self.entries):
            joined = _join(earlier, change)
            if joined is not None:
                self.entries[index] = joined
                return True
        return False

    def _last_word(self, change: Change) -> Change:
        stations = dict.fromkeys(change.stations)
        kept: list[Entry] = []
        for one in self.entries:
            if (
                isinstance(one, Change)
                and one.action != "created"
                and _of_one_record(one, change)
            ):
                stations.update(dict.fromkeys(one.stations))
            else:
                kept.append(one)
        self.entries[:] = kept
        return replace(change, stations=tuple(stations))


def _of_one_record(one: Change, other: Change) -> bool:
    return (one.kind, one.id) == (other.kind, other.id)


def _join(earlier: Entry, later: Change) -> Change | None:
    """Give the one change that says both, or None where both have to be said."""
    if not isinstance(earlier, Change) or not _of_one_record(earlier, later):
        return None
    stations = tuple(dict.fromkeys(earlier.stations + later.stations))
    if later.action == earlier.action or later.action == "updated":
        return replace(earlier, data=later.data, stations=stations)
    if earlier.action == "updated":
        return replace(later, stations=stations)
    return None


_open: ContextVar[Outbox | None] = ContextVar("open_outbox", default=None)
_publisher: list[Publisher] = []


def set_publisher(publisher: Publisher | None) -> None:
    """Name the one function that carries bundles to the floor; None leaves them."""
    _publisher[:] = [publisher] if publisher else []


def record(
    kind: str,
    data: dict[str, Any],
    action: str,
    *,
    stations: Sequence[str] = (),
    detail: dict[str, Any] | None = None,
) -> None:
    """Record a record's change; `data` is its stored form with `_id`.

    A named action (`scanned`, `moved`) takes the place of the generic one of the same
    record in the same unit of work.
    """
    _put(Change(kind, data["_id"], action, data, tuple(stations), detail))


def tell(
    event: str,
    data: dict[str, Any],
    *,
    stations: Sequence[str] = (),
    workers: Sequence[str] = (),
) -> None:
    """Say something to station rooms and to personal rooms, by their ids."""
    _put(Message(event, data, tuple(stations), tuple(workers)))


def _put(entry: Entry) -> None:
    box = _open.get()
    if box is None:  # its change is stored already, outside any unit of work
        publish(_keep_alone(entry))
    else:
        box.add(entry)


def _keep_alone(entry: Entry) -> list[Bundle]:
    # in a transaction all the same: without one, an insert into a collection from which
    # thousands were deleted gets slow on the embedded store
    client: Any = get_connection()
    with (
        client.start_session() as session,
        session.bind(end_session=False),
        session.start_transaction(),
    ):
        return keep([entry])


def keep(entries: Sequence[Entry]) -> list[Bundle]:
    """Store entries, inside the transaction that is open: one round trip, in bundles."""
    bundles, rows = [], []
    for part in _parts(entries):
        found = Bundle(_next_id(), clock.now(), tuple(entry for entry, _ in part))
        bundles.append(found)
        raw = [stored for _, stored in part]
        rows.append({"_id": found.id, "at": found.at, "entries": raw})
    if rows:
        get_db()[COLLECTION].insert_many(rows)
    return bundles


def _next_id() -> ObjectId:
    """Make an id that follows the clock to the fraction of a microsecond.

    Who changes a record after somebody else has an id after theirs, in any process:
    bundles are published in the order of their ids. Machines agree as their clocks do.
    """
    seconds, rest = divmod(time.time_ns(), 10**9)
    fraction = (rest << 24) // 10**9
    return ObjectId(
        seconds.to_bytes(4, "big") + fraction.to_bytes(3, "big") + os.urandom(5)
    )


def _parts(entries: Sequence[Entry]) -> Iterator[list[tuple[Entry, RawBSONDocument]]]:
    """Divide entries so that each part fits into a document."""
    part: list[tuple[Entry, RawBSONDocument]] = []
    size = 0
    for entry in entries:
        raw = bson.encode({"is": type(entry).__name__, **_members(entry)})
        if part and (size + len(raw) > LARGEST or len(part) == MOST):
            yield part
            part, size = [], 0
        part.append((entry, RawBSONDocument(raw)))
        size += len(raw)
    if part:
        yield part


def _members(entry: Entry) -> dict[str, Any]:
    return {one.name: getattr(entry, one.name) for one in fields(entry)}


def read(row: Mapping[str, Any]) -> Bundle:
    """Read a bundle as it is stored."""
    entries = []
    for members in row["entries"]:
        values = {name: _untied(value) for name, value in members.items()}
        kind = {"Change": Change, "Message": Message}[values.pop("is")]
        entries.append(kind(**values))
    return Bundle(row["_id"], row["at"], tuple(entries))


def _untied(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def is_stored(bundle: Bundle) -> bool:
    """Look whether a bundle is in the store, published or not."""
    if get_db()[COLLECTION].find_one({"_id": bundle.id}, {"_id": 1}):
        return True
    told = {"at": bundle.at, "bundle": bundle.id}
    return get_db()[LOG].find_one(told, {"_id": 1}) is not None


def publish(bundles: Sequence[Bundle]) -> None:
    """Hand stored bundles on. A failing publisher is logged, never the caller's."""
    if not bundles:
        return
    for publisher in _publisher:
        try:
            publisher(bundles)
        except Exception:
            log.exception("could not publish %d bundles", len(bundles))
