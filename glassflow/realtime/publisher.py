"""From the outbox to the rooms: the only place that emits what has changed.

A request puts its stored entries into a queue in this process and goes on; one
greenlet takes them out, in order, and emits. So a slow message queue or a slow store
never holds up a request.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gevent
from flask_socketio import SocketIO
from gevent.queue import Full, Queue

from glassflow.core.outbox import Change, Entry, Message
from glassflow.models import BY_NAME
from glassflow.realtime.rooms import (
    MESSAGES,
    Plan,
    Source,
    inner,
    personal_room,
    station_room,
)
from glassflow.services.expansion import expand
from glassflow.services.representation import shape

log = logging.getLogger(__name__)

BACKLOG = 100_000  # entries; beyond it the newest are dropped, and that is logged
# Whose change may take rooms, or the whole socket, from those who are connected.
AUTHORITY = ("Worker", "Role")

# Named actions that tell more than the record: which members are records, of what kind.
RECORDS_IN_DETAIL: Mapping[str, Mapping[str, str]] = {
    "moved": {"source": "Inventory", "target": "Inventory"},
    "pane_scanned": {"paneLog": "PaneLog"},
}


class Publisher:
    """Carries entries to the floor, in the order in which they were stored."""

    def __init__(
        self,
        socketio: SocketIO,
        plan: Plan,
        *,
        populate: Callable[[], str],
        recheck: Callable[[str, Any], None],
    ) -> None:
        self._socketio = socketio
        self._plan = plan
        self._populate = populate
        self._recheck = recheck
        self._queue: Queue[Entry] = Queue(maxsize=BACKLOG)
        self._worker: Any = None

    def __call__(self, entries: Sequence[Entry]) -> None:
        """Take the entries of one unit of work, after its commit."""
        if self._worker is None:  # begun here: a greenlet belongs to its process
            self._worker = gevent.spawn(self._carry)
        for entry in entries:
            try:
                self._queue.put_nowait(entry)
            except Full:
                log.error("the backlog of events is full; dropped %s", _name(entry))

    def _carry(self) -> None:
        while True:
            entry = self._queue.get()
            try:
                self._say(entry)
            except Exception:
                log.exception("could not publish %s", _name(entry))

    def _say(self, entry: Entry) -> None:
        if isinstance(entry, Message):
            self._tell(entry)
        elif entry.kind in AUTHORITY:
            self._recheck(entry.kind, entry.id)
        elif entry.kind == "Notification":
            self._notify(entry)
        else:
            source = self._plan.sources.get(entry.kind)
            if source is not None:
                self._announce(source, entry)

    def _announce(self, source: Source, change: Change) -> None:
        """Say that a record changed: `{action, data}`, or the bare record."""
        channel = source.channel
        data = self._detail(change) or self._shown(change.kind, change.data)
        stations = dict.fromkeys(change.stations)
        if channel.station_field and change.data.get(channel.station_field):
            stations[str(change.data[channel.station_field])] = None
        rooms = [*channel.rooms, *(station_room(one) for one in stations)]
        payload = data if channel.bare else {"action": change.action, "data": data}
        self._emit(channel.event, payload, [inner(room, source.key) for room in rooms])

    def _detail(self, change: Change) -> dict[str, Any] | None:
        """Give what is told in the record's place, the records in it as they are shown."""
        if change.detail is None:
            return None
        parts = RECORDS_IN_DETAIL.get(change.action, {})
        shown = {name: self._shown(k, change.detail[name]) for name, k in parts.items()}
        return {**change.detail, **shown}

    def _notify(self, change: Change) -> None:
        """Send a new notification, populated, to the worker whom it is for."""
        if change.action == "created":
            data = self._shown(change.kind, change.data, "true")
            self._emit("notification", data, [personal_room(change.data["recipient"])])

    def _tell(self, message: Message) -> None:
        told = MESSAGES[message.event]
        rooms = [*(station_room(one) for one in message.stations), *told.rooms]
        to = [inner(room, told.key) for room in rooms]
        to += [personal_room(worker) for worker in message.workers]
        panes = {
            name: self._shown("Pane", message.data[name], "true") for name in told.panes
        }
        self._emit(message.event, {**message.data, **panes}, to)

    def _shown(
        self, kind: str, raw: Mapping[str, Any], populate: str | None = None
    ) -> dict[str, Any]:
        model = BY_NAME[kind]
        row = shape(model, raw)
        expand(model, [row], populate or self._populate())
        return row

    def _emit(self, event: str, payload: Any, rooms: list[str]) -> None:
        # one emit for all rooms: a client that is in several hears it once
        if rooms:  # to the library, no room at all means everybody
            self._socketio.emit(event, payload, to=rooms)


def _name(entry: Entry) -> str:
    return entry.event if isinstance(entry, Message) else f"{entry.kind} {entry.action}"
