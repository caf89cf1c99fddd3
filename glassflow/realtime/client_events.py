"""The events that clients may send over a socket.

Each one is acknowledged; a refusal without an acknowledgment is an `error` event.

Clients emit `join_x` with only a callback, with null or with a payload; so handlers
take any arguments. For a handler that raises, the transport sends an error.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any

import pymongo
from flask import request
from flask_socketio import SocketIO
from pymongo.errors import PyMongoError

from glassflow.core.events.log_pages import LogStartsLater
from glassflow.core.identity import Identity
from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, Refusal
from glassflow.domain.permissions import EVERYTHING
from glassflow.realtime.acks import Ack, accepted, refused
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.log_tail import LogTail
from glassflow.realtime.resume import Resumption
from glassflow.realtime.sessions import Sessions
from glassflow.services.events.room_map import ROOM_EVENTS, personal_room, station_room
from glassflow.services.notices import system_alerts
from glassflow.web.language import requested

log = logging.getLogger(__name__)

Handler = Callable[..., Ack]
MAX_STATION_LENGTH = 200  # characters of a station's id or name


def acknowledges_refusals(handler: Handler) -> Handler:
    """Turn what a handler raises into its acknowledgment: a `Refusal`, or an outage."""

    @wraps(handler)
    def run(*args: Any) -> Ack:
        try:
            return handler(*args)
        except Refusal as refusal:
            return refused(refusal.message, requested())
        except PyMongoError as error:
            log.warning("a socket event failed without the store: %s", error)
            return refused(texts.SERVICE_UNAVAILABLE, requested())

    return run


class ClientEvents:
    """The handlers, which act for the socket that sent the event."""

    def __init__(
        self,
        socketio: SocketIO,
        sessions: Sessions,
        check_ins: CheckIns,
        log_tail: LogTail,
        resumption: Resumption,
    ) -> None:
        self._socketio = socketio
        self._sessions = sessions
        self._check_ins = check_ins
        self._log_tail = log_tail
        self._resumption = resumption

    def register(self) -> None:
        """Register a handler for every event of the interface, and one for others."""
        for row in ROOM_EVENTS:
            self._register(row.join, partial(self.join, row.room))
            self._register(row.leave, partial(self.leave, row.room))
        for event, handler in OTHER_EVENTS.items():
            self._register(event, partial(handler, self))

    def _register(self, event: str, handler: Handler) -> None:
        self._socketio.on_event(event, acknowledges_refusals(handler))

    def join(self, room: str, *_: Any) -> Ack:
        """Join a room, if the worker may."""
        with self._log_tail.paused() as seq:
            joined = self._sessions.join(_sid(), room)
        return accepted(room, seq) if joined else refused(texts.FORBIDDEN, requested())

    def leave(self, room: str, *_: Any) -> Ack:
        """Leave a room."""
        self._sessions.leave(_sid(), room)
        return accepted(room)

    def join_me(self, *_: Any) -> Ack:
        """Acknowledge the personal room, which every socket joins when it connects."""
        room = personal_room(self._worker().worker_id)
        return accepted(room, self._log_tail.position)

    def resume(self, *args: Any) -> Ack:
        """Send what the socket has missed in the rooms that it joined."""
        try:
            return {"ok": True, "seq": self._resumption.resume(_sid(), *args)}
        except LogStartsLater as refusal:
            return {**refused(refusal.message, requested()), **refusal.details}

    def join_station_room(self, *args: Any) -> Ack:
        """Join the room of one station."""
        return self.join(station_room(station_id(*args)))

    def leave_station_room(self, *args: Any) -> Ack:
        """Leave the room of one station."""
        return self.leave(station_room(station_id(*args)))

    def join_and_replay(self, *args: Any) -> Ack:
        """Join the room of one station, and receive a recent check-in."""
        station = station_id(*args)
        ack = self.join(station_room(station))
        if ack["ok"]:
            self._check_ins.replay(_sid(), station)
        return ack

    def mobile_scan(self, *args: Any) -> Ack:
        """Check in at a station from a phone."""
        station = station_id(*args)
        claimed_name = args[0].get("worker") if isinstance(args[0], dict) else None
        with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
            self._check_ins.confirm(station, claimed_name, self._worker())
        return accepted(station_room(station))

    def system_alert(self, *args: Any) -> Ack:
        """Send `{message}` to all clients."""
        send_system_alert(self._worker(), *args)
        return {"ok": True}

    def unknown(self, *_: Any) -> Ack:
        """Refuse an event that the interface does not have."""
        return refused(texts.UNKNOWN_EVENT, requested())

    def _worker(self) -> Identity:
        return self._sessions.worker_of(_sid())


# The events besides those of `ROOM_EVENTS`.
OTHER_EVENTS: Mapping[str, Callable[..., Ack]] = {
    "join_me": ClientEvents.join_me,
    "join_station_room": ClientEvents.join_station_room,
    "leave_station_room": ClientEvents.leave_station_room,
    "join-station": ClientEvents.join_and_replay,
    "mobile-scan": ClientEvents.mobile_scan,
    "resume": ClientEvents.resume,
    "system_alert": ClientEvents.system_alert,
    "*": ClientEvents.unknown,
}


def send_system_alert(worker: Identity, *args: Any) -> None:
    """Send the `message` of a payload to all connected clients.

    Raises `Forbidden` for a worker without the key `*`, and `Refusal` for a payload
    without a valid message.
    """
    if EVERYTHING not in worker.keys:
        raise Forbidden(texts.ALERT_FORBIDDEN)
    payload = args[0] if args and isinstance(args[0], dict) else {}
    with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
        system_alerts.send(payload.get("message"))


def station_id(*args: Any) -> str:
    """Read `{stationId}` or a bare string from a payload; raises `Refusal`."""
    value = args[0] if args else None
    if isinstance(value, dict):
        value = value.get("stationId")
    station = value.strip() if isinstance(value, str) else ""
    if not station:
        raise Refusal(texts.STATION_ID_REQUIRED)
    if len(station) > MAX_STATION_LENGTH:
        raise Refusal(texts.STATION_ID_TOO_LONG.format(maximum=MAX_STATION_LENGTH))
    return station


def _sid() -> str:
    """Return the id of the socket that sent the current event."""
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid
