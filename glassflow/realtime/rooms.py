"""Rooms: what a client joins, and which of it they may hear.

A room is kept per key: whoever joins `dashboard` enters one inner room for each view
key that they hold, `dashboard|panes:view` and so on, and an event enters those of its
own key. So nobody hears what they may not read, and one emit reaches everybody once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from glassflow.core.channel import Channel
from glassflow.services.identity import Identity


class Source(NamedTuple):
    """A kind of record whose changes are announced: its model's name and view key."""

    kind: str
    key: str
    channel: Channel


class Door(NamedTuple):
    """A join event, its leave event, the room, and the key it takes (None: any)."""

    join: str
    leave: str
    room: str
    key: str | None


# The interface's table of room events.
DOORS: tuple[Door, ...] = (
    Door("join_dashboard", "leave_dashboard", "dashboard", None),
    Door("join_inventory", "leave_inventory", "inventory", "inventory:view"),
    Door("join_station", "leave_station", "station", "stations:view"),
    Door("join_log", "leave_log", "log", "material_logs:view"),
    Door("join_request", "leave_request", "request", "requests:view"),
    Door("join_withdrawal", "leave_withdrawal", "withdrawal", "withdrawals:view"),
    Door("join_order", "leave_order", "order", "orders:view"),
    Door("join_claim", "leave_claim", "claim", "claims:view"),
    Door("join_pane", "leave_pane", "pane", "panes:view"),
    Door("join_production", "leave_production", "production", None),
    Door("join_pricing", "leave_pricing", "pricing", "pricing:view"),
)
STATION_KEY = "stations:view"
# Every admitted socket is in it. The library's own "all" holds those in a handshake too.
EVERYBODY = "everybody"


class Told(NamedTuple):
    """Where a message that is no record's change goes, besides the stations named.

    `panes` are members that are panes, sent populated. Without a key, every socket
    that is in such a room hears it.
    """

    key: str | None
    rooms: tuple[str, ...] = ()
    panes: tuple[str, ...] = ()


_OF_PANES = ("dashboard", "pane", "production")
# The interface's tables of movement and notification events.
MESSAGES: Mapping[str, Told] = {
    "station:pane_arrived": Told("panes:view", rooms=("station",)),
    "laminate:ready": Told("panes:view", rooms=_OF_PANES),
    "laminate:waiting": Told("panes:view"),
    "pane:laminated": Told("panes:view", rooms=_OF_PANES, panes=("survivor", "parent")),
    "station:check_in": Told("orders:view"),
    "notification": Told(STATION_KEY),
    "scan-confirmed": Told(STATION_KEY),
    "system_alert": Told(None, rooms=(EVERYBODY,)),
}
_AT_STATIONS = {told.key for told in MESSAGES.values() if told.key}


def station_room(station: str) -> str:
    """Name the room of one station."""
    return f"station:{station}"


def personal_room(worker: object) -> str:
    """Name the room of one worker, which only that worker's sockets are in."""
    return f"user:{worker}"


def inner(room: str, key: str | None) -> str:
    """Name the part of a room where what needs this key is heard."""
    return f"{room}|{key}" if key else room


def outer(part: str) -> str:
    """Name the room of which an inner room is a part."""
    return part.rpartition("|")[0] or part


class Plan:
    """Which keys are heard in which room, as the declared sources say."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = {source.kind: source for source in sources}
        self._keys: dict[str, set[str]] = defaultdict(set)
        self._at_stations = set(_AT_STATIONS)
        for source in self.sources.values():
            for room in source.channel.rooms:
                self._keys[room].add(source.key)
            if source.channel.station_field:
                self._at_stations.add(source.key)
        for told in MESSAGES.values():
            for room in told.rooms if told.key else ():
                self._keys[room].add(told.key)

    def parts(self, room: str, who: Identity) -> set[str]:
        """List the inner rooms that a worker hears in a room, by the keys they hold."""
        if not may_join(room, who):
            return set()
        at_station = room.startswith(station_room(""))
        keys = self._at_stations if at_station else self._keys.get(room, set())
        return {inner(room, key) for key in keys if who.may(key)}


def may_join(room: str, who: Identity) -> bool:
    """Tell whether a worker may join a room at all; nobody joins one that is none."""
    if room.startswith(station_room("")):
        return who.may(STATION_KEY)
    keys = [door.key for door in DOORS if door.room == room]
    return any(key is None or who.may(key) for key in keys)


def may_hear(part: str, who: Identity) -> bool:
    """Tell whether a worker may hear an inner room, joined or not."""
    if part in (EVERYBODY, personal_room(who.worker_id)):
        return True
    room, _, key = part.rpartition("|")
    return bool(room) and may_join(room, who) and who.may(key)
