"""The screens on the walls: Socket.IO clients that count all that they hear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import socketio

from demo.client import Api
from demo.heard import Heard, identify

SOCKET_PATH = "/api/socket-entry"
EVERYBODY = "everybody"
SHARED_ROOMS = (
    "dashboard",
    "order",
    "pane",
    "log",
    "production",
    "request",
    "station",
)


class Screen:
    """One connected client: whose it is, the rooms it joined, what it heard."""

    def __init__(self, name: str, api: Api) -> None:
        self.name = name
        self.api = api
        self.rooms = {EVERYBODY, f"user:{api.id}"}  # joined by the service at connect
        self.heard: Counter[Heard] = Counter()
        self.lost = 0
        self.client = socketio.Client(reconnection=False, handle_sigint=False)
        self.client.on("*", self._hear)
        self.client.on("disconnect", self._lose)

    def connect(self) -> None:
        """Connect over websocket only, with the worker's token."""
        self.client.connect(
            self.api.url,
            auth={"token": self.api.token},
            transports=["websocket"],
            socketio_path=SOCKET_PATH,
            wait_timeout=10,
        )

    def join(self, *rooms: str) -> None:
        """Join shared rooms by their names."""
        for room in rooms:
            self._ask(f"join_{room}", None, room)

    def join_me(self) -> None:
        """Join the personal room by name, as a phone does."""
        self._ask("join_me", None, f"user:{self.api.id}")

    def join_station(self, station: str, *, bare: bool = False) -> None:
        """Join the room of one station, in either of the two spellings."""
        event, data = "join_station_room", {"stationId": station}
        room = f"station:{station}"
        self._ask("join-station" if bare else event, station if bare else data, room)

    def say(self, event: str, data: Any) -> None:
        """Emit an event that is not answered."""
        self.client.emit(event, data)

    def close(self) -> None:
        """Hang up."""
        self.client.on("disconnect", lambda *_: None)
        self.client.disconnect()

    def _ask(self, event: str, data: Any, room: str) -> None:
        ack = self.client.call(event, data, timeout=10)
        if not isinstance(ack, Mapping) or not ack.get("ok") or ack.get("room") != room:
            raise RuntimeError(f"{self.name}: {event} was answered {ack!r}")
        self.rooms.add(room)

    def _hear(self, event: str, payload: Any = None, *_: Any) -> None:
        self.heard[identify(event, payload)] += 1

    def _lose(self, *_: Any) -> None:
        self.lost += 1


def open_screens(crew: Mapping[str, Api], posts: Mapping[str, str]) -> list[Screen]:
    """Switch on every screen of the workshop; `posts` is station id -> username.

    The office looks at everything at once, in rooms that overlap: what it hears twice
    is a fault of the service.
    """
    screens = [_shared(room, crew["manager"]) for room in SHARED_ROOMS]
    for number, (station, username) in enumerate(posts.items(), 1):
        screen = Screen(f"station {number}", crew[username])
        screen.connect()
        screen.join_station(station, bare=number % 2 == 0)
        screens.append(screen)
    return [*screens, _phone(crew["manager"]), _office(crew["admin"], posts)]


def _shared(room: str, api: Api) -> Screen:
    screen = Screen(room, api)
    screen.connect()
    screen.join(room)
    return screen


def _phone(api: Api) -> Screen:
    screen = Screen("me", api)
    screen.connect()
    screen.join_me()
    return screen


def _office(api: Api, posts: Mapping[str, str]) -> Screen:
    screen = Screen("office", api)
    screen.connect()
    screen.join(*SHARED_ROOMS)
    for station in posts:
        screen.join_station(station)
    return screen
