"""Builds the event of an outbox entry: its name, its payload and its rooms."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.events.event_log import Event
from glassflow.core.store.outbox_entries import Change, Entry, Message, Unreadable
from glassflow.models import BY_NAME
from glassflow.models.notification import Notification
from glassflow.models.pane import Pane
from glassflow.models.worker import Worker
from glassflow.services.events.payloads import encode_payload
from glassflow.services.events.room_map import (
    AnnouncedModel,
    RoomMap,
    keyed_room,
    parts_of,
    personal_room,
    station_room,
)
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate import populate, populate_for_event
from glassflow.services.records.serialization import to_wire

# Every process forgets the cached record when one of these is changed.
CACHED_MODELS = ("Worker", "Role", "Station", "Material")
# A change of these may take rooms, or the whole connection, from open sockets. It is
# sent to the workers concerned, whatever they hold, so that a screen can read its rights.
AUTH_MODELS = ("Worker", "Role")
MAX_WORKERS_OF_ROLE = 5_000  # who are sent a change of their role
# Named actions whose `detail` contains records: member name → model.
RECORDS_IN_DETAIL: Mapping[str, Mapping[str, str]] = {
    "moved": {"source": "Inventory", "target": "Inventory"},
    "pane_scanned": {"paneLog": "PaneLog"},
}


class EventBuilder:
    """Builds events from outbox entries.

    `populate_spec` returns which references of records are populated, in the form of
    the query parameter `populate`. Building reads the store and writes nothing.
    """

    def __init__(self, room_map: RoomMap, populate_spec: Callable[[], str]) -> None:
        self._room_map = room_map
        self._populate_spec = populate_spec

    def build(self, entry: Entry, at: datetime) -> list[Event]:
        """Return the events of an entry that was stored at `at`: one or none.

        The change of a record with restricted fields has two, see `room_map`, and so has
        a message with such records.

        Raises `KeyError` for a message without a route, and whatever rendering raises
        for data that is not the record it should be.
        """
        if isinstance(entry, Message):
            return self._message_events(entry, at)
        if entry.kind == "Notification":
            event = self._notification_event(entry, at)
            return [event] if event else []
        model = self._room_map.models.get(entry.kind)
        return self._change_events(model, entry, at) if model else []

    def _change_events(
        self, model: AnnouncedModel, change: Change, at: datetime
    ) -> list[Event]:
        """Announce a record's change: `{action, data}`, or the bare record."""
        route = model.events
        data = self._render_detail(change) or self._render(change.kind, change.data)
        stations = dict.fromkeys(change.stations)
        if route.station_field and change.data.get(route.station_field):
            stations[str(change.data[route.station_field])] = None
        rooms = [*route.rooms, *(station_room(station) for station in stations)]
        payload = data if route.bare else {"action": change.action, "data": data}
        parts = [
            [keyed_room(room, part) for room in rooms] for part in parts_of(model.key)
        ]
        is_restricted = change.kind in restricted_fields.RESTRICTED
        keyed = parts[0] if is_restricted else [one for part in parts for one in part]
        recheck = recheck_of(change)
        if change.kind in AUTH_MODELS:
            keyed += map(personal_room, _workers_concerned(change))
            payload = {"_id": data["_id"], **payload}  # where existing clients read it
        event = Event(route.event, encode_payload(payload), tuple(keyed), at, recheck)
        if not is_restricted:
            return [event]
        restricted_fields.hide(BY_NAME[change.kind], [data], lambda key: False)
        others = tuple(parts[1])
        return [event, replace(event, payload=encode_payload(payload), rooms=others)]

    def _notification_event(self, change: Change, at: datetime) -> Event | None:
        """Send a new notification, populated, to its recipient."""
        if change.action != "created":
            return None
        row = to_wire(Notification, change.data)
        populate(Notification, [row], "true", may=lambda key: True)  # of the recipient
        room = personal_room(change.data["recipient"])
        return Event("notification", encode_payload(row), (room,), at)

    def _message_events(self, message: Message, at: datetime) -> list[Event]:
        route = self._room_map.routes[message.event]
        rooms = [*(station_room(one) for one in message.stations), *route.rooms]
        parts = [
            [keyed_room(room, part) for room in rooms] for part in parts_of(route.key)
        ]
        keyed = parts[0] if route.panes else [one for part in parts for one in part]
        keyed += [personal_room(worker) for worker in message.workers]
        if not keyed:  # the library would send it to every socket
            return []
        panes = {
            name: self._render("Pane", message.data[name], "true")
            for name in route.panes
        }
        payload = encode_payload({**message.data, **panes})
        event = Event(message.event, payload, tuple(keyed), at)
        if not route.panes:
            return [event]
        restricted_fields.hide(Pane, panes.values(), lambda key: False)
        payload = encode_payload({**message.data, **panes})
        return [event, replace(event, payload=payload, rooms=tuple(parts[1]))]

    def _render_detail(self, change: Change) -> dict[str, Any] | None:
        """Return the payload that replaces the record, with its records rendered."""
        if change.detail is None:
            return None
        kinds = RECORDS_IN_DETAIL.get(change.action, {})
        records = {
            name: self._render(kind, change.detail[name])
            for name, kind in kinds.items()
        }
        return {**change.detail, **records}

    def _render(
        self, kind: str, raw: Mapping[str, Any], spec: str | None = None
    ) -> dict[str, Any]:
        """Return the wire form of a record in stored form, with references populated."""
        model = BY_NAME[kind]
        row = to_wire(model, raw)
        populate_for_event(model, [row], spec or self._populate_spec())
        return row


def recheck_of(entry: Entry | Unreadable) -> tuple[str, ObjectId] | None:
    """Return the kind and id of a changed record that is cached; None for other entries."""
    if isinstance(entry, Change) and entry.kind in CACHED_MODELS:
        return entry.kind, entry.id
    return None


def _workers_concerned(change: Change) -> list[Any]:
    """Return the ids of the workers whose record or role this is, in one read at most."""
    if change.kind == "Worker":
        return [change.id]
    if change.action == "deleted":
        return []  # a role of workers cannot be deleted
    workers = Worker.collection().find({"role": change.id}, {"_id": 1})
    return [row["_id"] for row in workers.limit(MAX_WORKERS_OF_ROLE)]
