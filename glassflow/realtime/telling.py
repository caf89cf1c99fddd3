"""What is said of a stored entry: its event, its payload, and who may hear it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from glassflow.core.event_log import Event
from glassflow.core.json import encode
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

# Whose change may take rooms, or the whole socket, from those who are connected.
AUTHORITY = ("Worker", "Role")
# Named actions that tell more than the record: which members are records, of what kind.
RECORDS_IN_DETAIL: Mapping[str, Mapping[str, str]] = {
    "moved": {"source": "Inventory", "target": "Inventory"},
    "pane_scanned": {"paneLog": "PaneLog"},
}


class Teller:
    """Makes events of entries, as the plan of the rooms says.

    `populate` tells what of the records is expanded. It reads the store for that, and
    writes nothing.
    """

    def __init__(self, plan: Plan, populate: Callable[[], str]) -> None:
        self._plan = plan
        self._populate = populate

    def event(self, entry: Entry, at: datetime) -> Event | None:
        """Give what is to be heard of an entry; None if it is nothing."""
        if isinstance(entry, Message):
            return self._told(entry, at)
        if entry.kind in AUTHORITY:
            return Event("", b"null", (), at, recheck=(entry.kind, entry.id))
        if entry.kind == "Notification":
            return self._notified(entry, at)
        source = self._plan.sources.get(entry.kind)
        return self._announced(source, entry, at) if source else None

    def _announced(self, source: Source, change: Change, at: datetime) -> Event:
        """Say that a record changed: `{action, data}`, or the bare record."""
        channel = source.channel
        data = self._detail(change) or self._shown(change.kind, change.data)
        stations = dict.fromkeys(change.stations)
        if channel.station_field and change.data.get(channel.station_field):
            stations[str(change.data[channel.station_field])] = None
        rooms = [*channel.rooms, *(station_room(one) for one in stations)]
        payload = data if channel.bare else {"action": change.action, "data": data}
        parts = tuple(inner(room, source.key) for room in rooms)
        return Event(channel.event, encode(payload), parts, at)

    def _detail(self, change: Change) -> dict[str, Any] | None:
        """Give what is told in the record's place, its records as they are shown."""
        if change.detail is None:
            return None
        parts = RECORDS_IN_DETAIL.get(change.action, {})
        shown = {name: self._shown(k, change.detail[name]) for name, k in parts.items()}
        return {**change.detail, **shown}

    def _notified(self, change: Change, at: datetime) -> Event | None:
        """Send a new notification, populated, to the worker whom it is for."""
        if change.action != "created":
            return None
        data = self._shown(change.kind, change.data, "true")
        room = personal_room(change.data["recipient"])
        return Event("notification", encode(data), (room,), at)

    def _told(self, message: Message, at: datetime) -> Event | None:
        told = MESSAGES[message.event]
        rooms = [*(station_room(one) for one in message.stations), *told.rooms]
        to = [inner(room, told.key) for room in rooms]
        to += [personal_room(worker) for worker in message.workers]
        if not to:  # to the library, no room at all means everybody
            return None
        panes = {
            name: self._shown("Pane", message.data[name], "true") for name in told.panes
        }
        payload = encode({**message.data, **panes})
        return Event(message.event, payload, tuple(to), at)

    def _shown(
        self, kind: str, raw: Mapping[str, Any], populate: str | None = None
    ) -> dict[str, Any]:
        model = BY_NAME[kind]
        row = shape(model, raw)
        expand(model, [row], populate or self._populate())
        return row
