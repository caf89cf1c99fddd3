"""Rooms: which ones a client may join, and what a client receives in them.

A room is divided by permission key: a client that joins `dashboard` enters one keyed
room for each view key that its worker holds (`dashboard|panes:view` and so on), and an
event is sent to the keyed rooms of its own key. So no client receives what its worker
may not read, and one emit reaches every client once.

The keyed rooms of a model with prices are divided once more. A change of a record is then
two events: the record as its resource declares it, for those who are shown prices, and
without the prices for the others (`unpriced`). A client is in one of the two parts, so it
receives one of them. Events without prices for all would be simpler, but a payload is the
record in the interface, and clients show what they receive. The second event is one more
document in the insert that stores the first, so that no change takes more round trips.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from glassflow.core.identity import Identity
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import prices
from glassflow.services.records.populate_table import VIEW_KEYS

STATION_KEY = "stations:view"
OWN_ROOM_KEY = "notifications:view"
# Every admitted socket is in this room. The library's own room of all sockets also
# holds those whose handshake has not been accepted yet.
EVERYBODY = "everybody"
PRICED_KEYS = frozenset(VIEW_KEYS[model] for model in prices.PRICES)
UNPRICED = "/unpriced"


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


def unpriced(key: str) -> str:
    """Return the key of the rooms of workers who hold a key and are shown no prices."""
    return f"{key}{UNPRICED}"


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
            keys = {model.key}
            if model.kind in prices.PRICES:
                keys.add(unpriced(model.key))
            for room in model.events.rooms:
                self._keys[room] |= keys
            if model.events.station_field:
                self._station_keys |= keys
        for route in routes.values():
            if route.key is None:
                continue
            self._station_keys.add(route.key)
            for room in route.rooms:
                self._keys[room].add(route.key)

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
    held = key.removesuffix(UNPRICED)
    if held not in PRICED_KEYS:
        return worker.may(key)
    return worker.may(held) and prices.may_read(worker.may) == (held == key)


def _is_station_room(room: str) -> bool:
    return room.startswith(station_room(""))
