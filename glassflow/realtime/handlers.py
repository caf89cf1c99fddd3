"""What clients may say over a socket. Every event is acknowledged, whatever it holds.

Clients emit `join_x` with only a callback, with null or with a payload; so handlers
take anything, and a handler that fails still answers.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import request
from flask_socketio import ConnectionRefusedError, SocketIO

from glassflow.domain.errors import Refusal, Unauthenticated
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.rooms import DOORS, personal_room, station_room
from glassflow.realtime.sessions import Session, Sessions

log = logging.getLogger(__name__)

Ack = dict[str, Any]
Handler = Callable[..., Ack]
FORBIDDEN = "Not authorized for this action"
NO_STATION = "stationId is required"
MAX_STATION = 200  # characters of a station's id or name


def ok(room: str) -> Ack:
    """Acknowledge a join or a leave."""
    return {"ok": True, "room": room}


def refused(error: str) -> Ack:
    """Acknowledge what was not done."""
    return {"ok": False, "error": error}


def always_acks(handler: Handler) -> Handler:
    """Answer a refusal with its message, and any other failure without its insides."""

    @wraps(handler)
    def safe(*args: Any) -> Ack:
        try:
            return handler(*args)
        except Refusal as refusal:
            return refused(refusal.message)
        except Exception:
            log.exception("a socket event failed")
            return refused("Internal server error")

    return safe


def register(socketio: SocketIO, sessions: Sessions, check_ins: CheckIns) -> None:
    """Connect every event of the interface, and an answer to all others."""

    def on(event: str) -> Callable[[Handler], Handler]:
        def register_one(handler: Handler) -> Handler:
            socketio.on_event(event, always_acks(handler))
            return handler

        return register_one

    _register_connection(socketio, sessions)
    for door in DOORS:
        on(door.join)(_joining(sessions, door.room))
        on(door.leave)(_leaving(sessions, door.room))

    @on("join_me")
    def join_me(*_: Any) -> Ack:
        return ok(personal_room(_session(sessions).who.worker_id))

    @on("join_station_room")
    def join_station_room(*args: Any) -> Ack:
        station = _station_id(args)
        return (
            _join(sessions, station_room(station)) if station else refused(NO_STATION)
        )

    @on("leave_station_room")
    def leave_station_room(*args: Any) -> Ack:
        station = _station_id(args)
        if not station:
            return refused(NO_STATION)
        sessions.leave(request.sid, station_room(station))  # type: ignore[attr-defined]
        return ok(station_room(station))

    @on("join-station")
    def join_station(*args: Any) -> Ack:
        station = _station_id(args)
        if not station:
            return refused(NO_STATION)
        ack = _join(sessions, station_room(station))
        if ack["ok"]:
            check_ins.replay(request.sid, station)  # type: ignore[attr-defined]
        return ack

    @on("mobile-scan")
    def mobile_scan(*args: Any) -> Ack:
        station = _station_id(args)
        if not station:
            return refused(NO_STATION)
        claimed = args[0].get("worker") if isinstance(args[0], dict) else None
        check_ins.confirm(station, claimed, _session(sessions).who)
        return ok(station_room(station))

    @on("system_alert")
    def system_alert(*args: Any) -> Ack:
        return _alert(socketio, _session(sessions), args)

    @on("*")
    def unknown(*_: Any) -> Ack:
        return refused("Unknown event")


def _register_connection(socketio: SocketIO, sessions: Sessions) -> None:
    @socketio.on("connect")  # type: ignore[untyped-decorator]
    def connect(auth: Any = None) -> None:
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token.strip():
            raise ConnectionRefusedError("Not authenticated")
        try:
            sessions.open(
                request.sid,  # type: ignore[attr-defined]
                token.strip().removeprefix("Bearer ").strip(),
            )
        except Unauthenticated as error:
            raise ConnectionRefusedError(error.message) from None
        except Exception:
            # nothing unforeseen may let a client in
            log.exception("a handshake failed")
            raise ConnectionRefusedError("Service unavailable") from None

    @socketio.on("disconnect")  # type: ignore[untyped-decorator]
    def disconnect(*_: Any) -> None:
        sessions.close(request.sid)  # type: ignore[attr-defined]


def _session(sessions: Sessions) -> Session:
    return sessions[request.sid]  # type: ignore[attr-defined]


def _joining(sessions: Sessions, room: str) -> Handler:
    def join(*_: Any) -> Ack:
        return _join(sessions, room)

    return join


def _leaving(sessions: Sessions, room: str) -> Handler:
    def leave(*_: Any) -> Ack:
        sessions.leave(request.sid, room)  # type: ignore[attr-defined]
        return ok(room)

    return leave


def _join(sessions: Sessions, room: str) -> Ack:
    joined = sessions.join(request.sid, room)  # type: ignore[attr-defined]
    return ok(room) if joined else refused(FORBIDDEN)


def _station_id(args: tuple[Any, ...]) -> str:
    """Read `{stationId}` or the bare string; empty where there is neither."""
    given = args[0] if args else None
    if isinstance(given, dict):
        given = given.get("stationId")
    if not isinstance(given, str) or len(given) > MAX_STATION:
        return ""
    return given.strip()


def _alert(socketio: SocketIO, session: Session, args: tuple[Any, ...]) -> Ack:
    """Pass an alert on to everybody, from those who may do everything (spec)."""
    if "*" not in session.who.keys:
        return _complain(socketio, "Not authorized to send system alerts")
    message = args[0].get("message") if args and isinstance(args[0], dict) else None
    if not isinstance(message, str) or not 1 <= len(message.strip()) <= 500:
        return _complain(socketio, "message must be a text of 1 to 500 characters")
    socketio.emit("system_alert", {"message": message.strip()})
    return {"ok": True}


def _complain(socketio: SocketIO, message: str) -> Ack:
    sid = request.sid  # type: ignore[attr-defined]
    socketio.emit("error", {"message": message}, to=sid)
    return refused(message)
