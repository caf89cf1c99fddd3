"""Rooms: which ones a client may join, and what a client receives in them.

A room is divided by permission key: a client that joins `dashboard` enters one keyed
room for each view key that its worker holds (`dashboard|panes:view` and so on), and an
event is sent to the keyed rooms of its own key. So no client receives what its worker
may not read, and one emit reaches every client once.

The keyed rooms of a view key are divided once more where a model of that key has restricted
fields (`services.records.restricted_fields`): into those of workers who are shown all fields,
and those of the others (`reduced`). A change of such a record is two events, the whole
record for the first part and the record without these fields for the second. All other
events of the key are sent to both parts. A client is in one of them, so it receives each
event once. Events without the fields for all would be simpler, but a payload is the
record in the interface, and clients show what they receive. The second event is one more
document in the insert that stores the first, so that no change takes more round trips.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from glassflow.core.identity import Identity
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records.populate_table import VIEW_KEYS
from glassflow.services.records.restricted_fields import RESTRICTED, may_read

STATION_KEY = "stations:view"
OWN_ROOM_KEY = "notifications:view"
# Every admitted socket is in this room. The library's own room of all sockets also
# holds those whose handshake has not been accepted yet.
EVERYBODY = "everybody"
# The model with restricted fields by its view key: there is one.
DIVIDED_KEYS = {VIEW_KEYS[model]: model for model in RESTRICTED}
REDUCED = "/reduced"


class AnnouncedModel(NamedTuple):
    """A model whose changes are announced: its class name, view key and event."""

    kind: str
    key: str
    events: EventRoute


class RoomEvents(NamedTuple):
    """The join and leave events of a room, and the key to join it (None: any worker)."""

    join: str
    leave: str
    room: str
    key: str | None


# The interface's table of room events.
ROOM_EVENTS: tuple[RoomEvents, ...] = (
    RoomEvents("join_dashboard", "leave_dashboard", "dashboard", None),
    RoomEvents("join_inventory", "leave_inventory", "inventory", "inventory:view"),
    RoomEvents("join_station", "leave_station", "station", "stations:view"),
    RoomEvents("join_log", "leave_log", "log", "material_logs:view"),
    RoomEvents("join_request", "leave_request", "request", "requests:view"),
    RoomEvents("join_withdrawal", "leave_withdrawal", "withdrawal", "withdrawals:view"),
    RoomEvents("join_order", "leave_order", "order", "orders:view"),
    RoomEvents("join_claim", "leave_claim", "claim", "claims:view"),
    RoomEvents("join_pane", "leave_pane", "pane", "panes:view"),
    RoomEvents("join_production", "leave_production", "production", None),
    RoomEvents("join_pricing", "leave_pricing", "pricing", "pricing:view"),
)


class MessageRoute(NamedTuple):
    """Where a live event goes, besides the stations and workers that it names.

    `key` is the permission to receive it; without one, every socket in `rooms` does.
    `panes` are the members of the payload that are panes in stored form; they are sent
    populated.
    """

    key: str | None
    rooms: tuple[str, ...] = ()
    panes: tuple[str, ...] = ()


def station_room(station: str) -> str:
    """Return the name of a station's room."""
    return f"station:{station}"


def personal_room(worker: object) -> str:
    """Return the name of a worker's own room, which only that worker's sockets enter."""
    return f"user:{worker}"


def own_rooms(worker: Identity) -> set[str]:
    """Return the rooms of every connection of a worker, joined or not.

    An API key is in the worker's own room, where notifications are sent to, if its scopes
    let it read those.
    """
    if worker.api_key and not worker.may(OWN_ROOM_KEY):
        return {EVERYBODY}
    return {EVERYBODY, personal_room(worker.worker_id)}


def keyed_room(room: str, key: str | None) -> str:
    """Return the name of the part of a room that requires a key."""
    return f"{room}|{key}" if key else room


def reduced(key: str) -> str:
    """Return the key of the rooms of workers who hold a key and are not shown all fields."""
    return f"{key}{REDUCED}"


def parts_of(key: str | None) -> tuple[str | None, ...]:
    """Return the keys of the parts into which the keyed rooms of a key are divided."""
    return (key, reduced(key)) if key in DIVIDED_KEYS else (key,)


def base_room(room: str) -> str:
    """Return the name of the room that a keyed room is a part of."""
    return room.rpartition("|")[0] or room


class RoomMap:
    """Which keyed rooms each room has, as the announced models and the routes say.

    `routes` are those of live events, by event name.
    """

    def __init__(
        self, models: Iterable[AnnouncedModel], routes: Mapping[str, MessageRoute]
    ) -> None:
        self.models = {model.kind: model for model in models}
        self.routes = routes
        self._keys: dict[str, set[str]] = defaultdict(set)
        self._station_keys: set[str] = set()
        for model in self.models.values():
            keys = _keys(model.key)
            for room in model.events.rooms:
                self._keys[room] |= keys
            if model.events.station_field:
                self._station_keys |= keys
        for route in routes.values():
            keys = _keys(route.key)
            self._station_keys |= keys
            for room in route.rooms:
                self._keys[room] |= keys

    def event_names(self) -> frozenset[str]:
        """Return the names of the events that are sent to rooms."""
        changes = {model.events.event for model in self.models.values()}
        return frozenset(changes | self.routes.keys())

    def keyed_rooms(self, room: str, worker: Identity) -> set[str]:
        """List the keyed rooms of a room that a worker may enter."""
        if not may_join(room, worker):
            return set()
        if _is_station_room(room):
            keys = self._station_keys
        else:
            keys = self._keys.get(room, set())
        return {keyed_room(room, key) for key in keys if _admits(key, worker)}


def may_join(room: str, worker: Identity) -> bool:
    """Return whether a worker may join a room; nobody may join an unknown one."""
    if _is_station_room(room):
        return worker.may(STATION_KEY)
    keys = [row.key for row in ROOM_EVENTS if row.room == room]
    return any(key is None or worker.may(key) for key in keys)


def may_receive(keyed: str, worker: Identity) -> bool:
    """Return whether a worker may receive the events of a keyed room, joined or not."""
    if keyed in own_rooms(worker):
        return True
    room, _, key = keyed.rpartition("|")
    return bool(room) and may_join(room, worker) and _admits(key, worker)


def _admits(key: str, worker: Identity) -> bool:
    """Return whether a worker may enter the keyed rooms of a key."""
    held = key.removesuffix(REDUCED)
    model = DIVIDED_KEYS.get(held)
    if model is None:
        return worker.may(key)
    return worker.may(held) and may_read(model, worker.may) == (held == key)


def _keys(key: str | None) -> set[str]:
    return {part for part in parts_of(key) if part}


def _is_station_room(room: str) -> bool:
    return room.startswith(station_room(""))
