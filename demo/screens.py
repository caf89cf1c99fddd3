"""The screens of the workshop: Socket.IO clients that count the events they receive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import engineio
import socketio

from demo.client import Api
from demo.events import EVERYBODY, EventKey, event_key

SOCKET_PATH = "/api/socket-entry"
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


class _ClosingEngine(engineio.Client):  # type: ignore[misc]  # it has no types
    def _reset(self) -> None:
        if self.ws:
            self.ws.shutdown()
        super()._reset()


class Client(socketio.Client):  # type: ignore[misc]  # it has no types
    """The library's client, which waits longer, and closes what the server has closed.

    The library waits a second for a connection and five for each request, too little for a
    busy machine, and leaks a websocket that the server closes.
    """

    def __init__(self, **options: Any) -> None:
        """`options` are those of the library."""
        super().__init__(**{"request_timeout": ANSWER_TIMEOUT_S, **options})

    def connect(self, url: str, **options: Any) -> None:
        """Connect; `options` are those of the library."""
        super().connect(url, **{"wait_timeout": ANSWER_TIMEOUT_S, **options})

    def _engineio_client_class(self) -> type[engineio.Client]:
        return _ClosingEngine


class Screen:
    """One connected client: its login, the rooms it joined, the events it received."""

    def __init__(self, name: str, api: Api, *, reconnect: bool = False) -> None:
        """With `reconnect` it reconnects after an outage and joins its rooms again."""
        self.name = name
        self.api = api
        self.rooms = {EVERYBODY, f"user:{api.id}"}  # joined by the service at connect
        self.received: Counter[EventKey] = Counter()
        self.disconnects = 0
        self._joins: list[tuple[str, Any]] = []
        self.client = Client(
            reconnection=reconnect, reconnection_delay_max=1, handle_sigint=False
        )
        self.client.on("*", self._on_event)
        self.client.on("connect", self._join_again)
        self.client.on("disconnect", self._on_disconnect)

    def connect(self) -> None:
        """Connect by websocket only, with the worker's token."""
        self.client.connect(
            self.api.url,
            auth={"token": self.api.token},
            transports=["websocket"],
            socketio_path=SOCKET_PATH,
        )

    def join(self, *rooms: str) -> None:
        """Join shared rooms by their names."""
        for room in rooms:
            self._join(f"join_{room}", None, room)

    def join_me(self) -> None:
        """Join the worker's own room by name, as a phone does."""
        self._join("join_me", None, f"user:{self.api.id}")

    def join_station(self, station: str, *, alias: bool = False) -> None:
        """Join a station's room, with `alias` by the event that takes the bare id."""
        room = f"station:{station}"
        if alias:
            self._join("join-station", station, room)
        else:
            self._join("join_station_room", {"stationId": station}, room)

    def emit(self, event: str, data: Any) -> None:
        """Emit an event that has no acknowledgement."""
        self.client.emit(event, data)

    def close(self) -> None:
        """Disconnect."""
        self.client.on("disconnect", lambda *_: None)
        self.client.disconnect()

    def _join_again(self) -> None:
        for event, data in list(self._joins):
            self.client.emit(event, data)

    def _join(self, event: str, data: Any, room: str) -> None:
        ack = self.client.call(event, data, timeout=ANSWER_TIMEOUT_S)
        if not isinstance(ack, Mapping) or not ack.get("ok") or ack.get("room") != room:
            raise RuntimeError(f"{self.name}: {event} was acknowledged with {ack!r}")
        self.rooms.add(room)
        self._joins.append((event, data))

    def _on_event(self, event: str, payload: Any = None, *_: Any) -> None:
        self.received[event_key(event, payload)] += 1

    def _on_disconnect(self, *_: Any) -> None:
        self.disconnects += 1


def open_screens(
    logins: Mapping[str, Api],
    station_workers: Mapping[str, str],
    *,
    reconnect: bool = False,
) -> list[Screen]:
    """Connect every screen of the workshop; `station_workers` is id -> username.

    The last one, the office, joins all rooms. They overlap: an event that it receives
    twice is a bug of the service.
    """

    def connect(name: str, username: str, *rooms: str) -> Screen:
        screen = Screen(name, logins[username], reconnect=reconnect)
        screen.connect()
        screen.join(*rooms)
        return screen

    screens = [connect(room, "manager", room) for room in SHARED_ROOMS]
    for number, (station, username) in enumerate(station_workers.items(), 1):
        screen = connect(f"station {number}", username)
        screen.join_station(station, alias=number % 2 == 0)
        screens.append(screen)
    phone = connect("phone", "manager")
    phone.join_me()
    office = connect("office", "admin", *SHARED_ROOMS)
    for station in station_workers:
        office.join_station(station)
    return [*screens, phone, office]
