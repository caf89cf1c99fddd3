"""The screens of the workshop: Socket.IO clients that count the events they receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glassflow_client import Socket

from demo.client import Api
from demo.events import EVERYBODY, Received

ANSWER_TIMEOUT_S = 30  # for a connection, a request or an acknowledgement
SHARED_ROOMS = (
    "dashboard",
    "order",
    "pane",
    "log",
    "production",
    "request",
    "station",
    "inventory",
    "withdrawal",
    "claim",
)


class Screen:
    """One connected client: its login, the rooms it joined, the events it received.

    `joined_at` is the number of the last event before the last join.
    """

    def __init__(self, name: str, api: Api) -> None:
        """Connect by websocket only, with the worker's token."""
        self.name = name
        self.api = api
        self.rooms = {EVERYBODY, f"user:{api.id}"}  # joined by the service at connect
        self.received = Received()
        self.disconnects = 0
        self.joined_at = 0
        self._socket = Socket(timeout_s=ANSWER_TIMEOUT_S, reconnection=False)
        self._socket.on("*", self.received.add)
        self._socket.on("disconnect", self._on_disconnect)
        self._socket.connect(api.url, auth={"token": api.token})

    def join(self, *rooms: str) -> None:
        """Join shared rooms by their names."""
        for room in rooms:
            self._join(f"join_{room}", None, room)

    def join_station(self, station: str) -> None:
        """Join the room of a station."""
        self._join("join_station_room", {"stationId": station}, f"station:{station}")

    def call(self, event: str, data: Any) -> Mapping[str, Any]:
        """Send an event and return its acknowledgement; raises `RuntimeError`."""
        ack = self._socket.call(event, data, timeout=ANSWER_TIMEOUT_S)
        if not isinstance(ack, Mapping) or not ack.get("ok"):
            raise RuntimeError(f"{self.name}: {event} was acknowledged with {ack!r}")
        return ack

    def close(self) -> None:
        """Disconnect."""
        self._socket.disconnect()

    def _join(self, event: str, data: Any, room: str) -> None:
        ack = self.call(event, data)
        if ack.get("room") != room:
            raise RuntimeError(f"{self.name}: {event} has joined {ack.get('room')}")
        self.rooms.add(room)
        self.joined_at = int(ack["seq"])

    def _on_disconnect(self, *_: Any) -> None:
        self.disconnects += 1


def open_screens(
    logins: Mapping[str, Api], station_workers: Mapping[str, str]
) -> list[Screen]:
    """Connect every screen of the workshop; `station_workers` is id -> username.

    The last one, the office, joins all rooms. They overlap: an event that it receives
    twice is a bug of the service.
    """
    screens = []
    for room in SHARED_ROOMS:
        screen = Screen(room, logins["manager"])
        screen.join(room)
        screens.append(screen)
    for number, (station, username) in enumerate(station_workers.items(), 1):
        screen = Screen(f"station {number}", logins[username])
        screen.join_station(station)
        screens.append(screen)
    office = Screen("office", logins["admin"])
    office.join(*SHARED_ROOMS)
    for station in station_workers:
        office.join_station(station)
    return [*screens, office]
