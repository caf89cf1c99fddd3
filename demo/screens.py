"""The screens on the walls: Socket.IO clients that count all that they hear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import engineio
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
    "inventory",
    "withdrawal",
    "claim",
)


class _Closing(engineio.Client):
    def _reset(self) -> None:
        if self.ws:
            self.ws.shutdown()
        super()._reset()


class Client(socketio.Client):
    """The library's client; it would leave a websocket open if the server hangs up."""

    def _engineio_client_class(self) -> type[engineio.Client]:
        return _Closing


class Screen:
    """One connected client: whose it is, the rooms it joined, what it heard."""

    def __init__(self, name: str, api: Api, *, faithful: bool = False) -> None:
        """A faithful one comes back, into all its rooms, when the service was away."""
        self.name = name
        self.api = api
        self.rooms = {EVERYBODY, f"user:{api.id}"}  # joined by the service at connect
        self.heard: Counter[Heard] = Counter()
        self.lost = 0
        self.asked: list[tuple[str, Any, str]] = []
        self.client = Client(
            reconnection=faithful, reconnection_delay_max=1, handle_sigint=False
        )
        self.client.on("*", self._hear)
        self.client.on("connect", self._join_again)
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

    def _join_again(self) -> None:
        for event, data, _ in list(self.asked):
            self.client.emit(event, data)

    def _ask(self, event: str, data: Any, room: str) -> None:
        ack = self.client.call(event, data, timeout=10)
        if not isinstance(ack, Mapping) or not ack.get("ok") or ack.get("room") != room:
            raise RuntimeError(f"{self.name}: {event} was answered {ack!r}")
        self.rooms.add(room)
        self.asked.append((event, data, room))

    def _hear(self, event: str, payload: Any = None, *_: Any) -> None:
        self.heard[identify(event, payload)] += 1

    def _lose(self, *_: Any) -> None:
        self.lost += 1


def open_screens(
    crew: Mapping[str, Api], posts: Mapping[str, str], *, faithful: bool = False
) -> list[Screen]:
    """Switch on every screen of the workshop; `posts` is station id -> username.

    The office looks at everything at once, in rooms that overlap: what it hears twice
    is a fault of the service.
    """

    def switch_on(name: str, username: str, *rooms: str) -> Screen:
        screen = Screen(name, crew[username], faithful=faithful)
        screen.connect()
        screen.join(*rooms)
        return screen

    screens = [switch_on(room, "manager", room) for room in SHARED_ROOMS]
    for number, (station, username) in enumerate(posts.items(), 1):
        screen = switch_on(f"station {number}", username)
        screen.join_station(station, bare=number % 2 == 0)
        screens.append(screen)
    phone = switch_on("me", "manager")
    phone.join_me()
    office = switch_on("office", "admin", *SHARED_ROOMS)
    for station in posts:
        office.join_station(station)
    return [*screens, phone, office]
