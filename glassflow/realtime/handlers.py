"""What clients may say over a socket. Every event is acknowledged, whatever it holds.

Clients emit `join_x` with only a callback, with null or with a payload; so handlers
take anything. One that fails is answered for by `transport.Incoming`.
"""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any

from flask import request
from flask_socketio import SocketIO

from glassflow.domain.errors import Refusal
from glassflow.realtime import alerts
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.resume import LogStartsLater, Resumption
from glassflow.realtime.rooms import DOORS, personal_room, station_room
from glassflow.realtime.sessions import Sessions
from glassflow.realtime.walker import Walker

Ack = dict[str, Any]
Handler = Callable[..., Ack]
FORBIDDEN = "Not authorized for this action"
MAX_STATION = 200  # characters of a station's id or name


def ok(room: str, seq: int | None = None) -> Ack:
    """Acknowledge a join, with the number of the last event before it, or a leave."""
    return {"ok": True, "room": room} | ({} if seq is None else {"seq": seq})


def refused(error: str) -> Ack:
    """Acknowledge what was not done."""
    return {"ok": False, "error": error}


def says_refusals(handler: Handler) -> Handler:
    """Answer a refusal with its message."""

    @wraps(handler)
    def run(*args: Any) -> Ack:
        try:
            return handler(*args)
        except Refusal as refusal:
            return refused(refusal.message)

    return run


class Events:
    """What each event does, for the socket that it came from."""

    def __init__(
        self,
        socketio: SocketIO,
        sessions: Sessions,
        check_ins: CheckIns,
        walker: Walker,
    ) -> None:
        self._socketio = socketio
        self._sessions = sessions
        self._check_ins = check_ins
        self._walker = walker
        self._resumption = Resumption(socketio.server, sessions, walker)

    def register(self) -> None:
        """Connect every event of the interface, and an answer to all others."""
        for door in DOORS:
            self._connect(door.join, partial(self.join, door.room))
            self._connect(door.leave, partial(self.leave, door.room))
        for event, handler in OTHERS.items():
            self._connect(event, partial(handler, self))

    def _connect(self, event: str, handler: Handler) -> None:
        self._socketio.on_event(event, says_refusals(handler))

    def join(self, room: str, *_: Any) -> Ack:
        """Let the socket hear a room, if its worker may."""
        with self._walker.standing() as seq:
            joined = self._sessions.join(_sid(), room)
        return ok(room, seq) if joined else refused(FORBIDDEN)

    def leave(self, room: str, *_: Any) -> Ack:
        """Let the socket hear a room no longer."""
        self._sessions.leave(_sid(), room)
        return ok(room)

    def join_me(self, *_: Any) -> Ack:
        """Tell the personal room, which every socket is in from its connect on."""
        room = personal_room(self._sessions[_sid()].who.worker_id)
        return ok(room, self._walker.at)

    def resume(self, *args: Any) -> Ack:
        """Hear what was missed in the rooms that are held, and then live events."""
        try:
            return {"ok": True, "seq": self._resumption.resume(_sid(), *args)}
        except LogStartsLater as refusal:
            return {**refused(refusal.message), **refusal.facts}

    def join_station_room(self, *args: Any) -> Ack:
        """Join the room of one station."""
        return self.join(station_room(station_id(*args)))

    def leave_station_room(self, *args: Any) -> Ack:
        """Leave the room of one station."""
        return self.leave(station_room(station_id(*args)))

    def join_and_replay(self, *args: Any) -> Ack:
        """Join the room of one station, and hear of a check-in just missed."""
        station = station_id(*args)
        ack = self.join(station_room(station))
        if ack["ok"]:
            self._check_ins.replay(_sid(), station)
        return ack

    def mobile_scan(self, *args: Any) -> Ack:
        """Check in at a station from a phone."""
        station = station_id(*args)
        claimed = args[0].get("worker") if isinstance(args[0], dict) else None
        self._check_ins.confirm(station, claimed, self._sessions[_sid()].who)
        return ok(station_room(station))

    def system_alert(self, *args: Any) -> Ack:
        """Pass an alert on to everybody; a refusal is an `error` event besides."""
        try:
            alerts.send(self._sessions[_sid()].who, *args)
        except Refusal as refusal:
            self._socketio.emit("error", {"message": refusal.message}, to=_sid())
            raise
        return {"ok": True}

    def unknown(self, *_: Any) -> Ack:
        """Answer what nobody knows."""
        return refused("Unknown event")


# The events beside those of the rooms' table.
OTHERS: Mapping[str, Callable[..., Ack]] = {
    "join_me": Events.join_me,
    "join_station_room": Events.join_station_room,
    "leave_station_room": Events.leave_station_room,
    "join-station": Events.join_and_replay,
    "mobile-scan": Events.mobile_scan,
    "resume": Events.resume,
    "system_alert": Events.system_alert,
    "*": Events.unknown,
}


def station_id(*args: Any) -> str:
    """Read `{stationId}` or the bare string; raises `Refusal` where there is neither."""
    given = args[0] if args else None
    if isinstance(given, dict):
        given = given.get("stationId")
    station = given.strip() if isinstance(given, str) else ""
    if not 1 <= len(station) <= MAX_STATION:
        raise Refusal("stationId is required")
    return station


def _sid() -> str:
    """The socket that the present event came from."""
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid
