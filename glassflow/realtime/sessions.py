"""The open sockets of this process: their workers, and the rooms that they joined."""

from collections.abc import Iterable

from socketio import Server

from glassflow.core.access import logins
from glassflow.core.identity import Identity
from glassflow.core.process import metrics
from glassflow.domain import texts
from glassflow.domain.errors import Unauthenticated
from glassflow.realtime.limits import Limits
from glassflow.realtime.token_watch import TokenWatch
from glassflow.services.events.room_map import RoomMap, may_join, own_rooms


class Session:
    """One open socket, kept in just the keyed rooms that its worker may be in now.

    While a client resumes, its live events are paused: it leaves the server's rooms, and
    enters them again once it has received the earlier events.
    """

    def __init__(self, server: Server, room_map: RoomMap, sid: str, token: str) -> None:
        self._server = server
        self._room_map = room_map
        self._rooms: set[str] = (
            set()
        )  # those that the client joined and may still be in
        self._keyed: set[str] = set()
        self.sid = sid
        self.token = token
        self.worker: Identity
        self.is_paused = False

    def begin(self, worker: Identity) -> None:
        """Enter the rooms of every socket of a worker."""
        self.worker = worker
        self._enter(own_rooms(worker))

    def join(self, room: str, limits: Limits) -> bool:
        """Join a room; return False where the worker may not.

        Raises `Refusal` for more rooms than a client may join.
        """
        if not may_join(room, self.worker):
            return False
        if room not in self._rooms:
            limits.check_rooms(len(self._rooms))
        self._rooms.add(room)
        self._enter(self._room_map.keyed_rooms(room, self.worker))
        return True

    def leave(self, room: str) -> None:
        """Leave a room."""
        self._rooms.discard(room)
        self._exit(self._room_map.keyed_rooms(room, self.worker))

    def renew(self, worker: Identity) -> None:
        """Gain and lose rooms as the rights of the worker have changed."""
        self._exit(own_rooms(self.worker) - own_rooms(worker))
        self._enter(own_rooms(worker) - own_rooms(self.worker))
        for room in list(self._rooms):
            before = self._room_map.keyed_rooms(room, self.worker)
            after = self._room_map.keyed_rooms(room, worker)
            self._exit(before - after)
            self._enter(after - before)
            if not may_join(room, worker):
                self._rooms.discard(room)
        self.worker = worker

    def refuse(self) -> None:
        """Disconnect the socket, because its token is not accepted any more."""
        self._server.disconnect(self.sid)

    def receives(self, keyed_rooms: Iterable[str]) -> bool:
        """Return whether the socket is in one of these keyed rooms now."""
        return not self._keyed.isdisjoint(keyed_rooms)

    def pause_live_events(self) -> None:
        """Send the socket no live events until `continue_live_events`."""
        self.is_paused = True
        for keyed in self._keyed:
            self._server.leave_room(self.sid, keyed)

    def continue_live_events(self) -> None:
        """Send the socket live events again."""
        if self.is_paused:
            self.is_paused = False
            self._enter(self._keyed)

    def _enter(self, keyed_rooms: set[str]) -> None:
        self._keyed |= keyed_rooms
        if not self.is_paused:
            for keyed in keyed_rooms:
                self._server.enter_room(self.sid, keyed)

    def _exit(self, keyed_rooms: set[str]) -> None:
        self._keyed -= keyed_rooms
        if not self.is_paused:
            for keyed in keyed_rooms:
                self._server.leave_room(self.sid, keyed)


class Sessions:
    """The sessions of all open sockets, by the library's id of a socket."""

    def __init__(
        self, server: Server, room_map: RoomMap, tokens: TokenWatch, limits: Limits
    ) -> None:
        self._server = server
        self._room_map = room_map
        self._tokens = tokens
        self._limits = limits
        self._sessions: dict[str, Session] = {}

    def open(self, sid: str, token: str) -> None:
        """Accept a socket by its token.

        Raises `Unauthenticated`, and `Refusal` for more connections than a worker may
        have.
        """
        session = Session(self._server, self._room_map, sid, token)
        worker = self._tokens.open(token, session)
        if worker.api_key:  # other logins are used by requests, too
            logins.seen(worker.api_key, is_new=False)
        if self._has_left(sid):
            self._tokens.close(token, session)
            raise Unauthenticated(texts.DISCONNECTED)
        session.begin(worker)
        self._sessions[sid] = session
        metrics.sockets.inc()

    def close(self, sid: str) -> None:
        """Remove a socket that is closed."""
        session = self._sessions.pop(sid, None)
        if session is not None:
            metrics.sockets.dec()
            session.is_paused = False  # what ends its resume must not enter rooms
            self._tokens.close(session.token, session)

    def __getitem__(self, sid: str) -> Session:
        """Return the session of an open socket; raises `KeyError` if it is closed."""
        return self._sessions[sid]

    def worker_of(self, sid: str) -> Identity:
        """Return the worker of an open socket; raises `KeyError` if it is closed."""
        return self._sessions[sid].worker

    def resuming(self) -> list[str]:
        """List the sockets whose live events are paused, because they are sent earlier events."""
        return [sid for sid, one in self._sessions.items() if one.is_paused]

    def join(self, sid: str, room: str) -> bool:
        """Let a socket join a room; return False where its worker may not.

        Raises `Refusal` for more rooms than a client may join.
        """
        return self._sessions[sid].join(room, self._limits)

    def leave(self, sid: str, room: str) -> None:
        """Let a socket leave a room."""
        self._sessions[sid].leave(room)

    def _has_left(self, sid: str) -> bool:
        """Whether the client disconnected during its handshake.

        The library does not report that.
        """
        eio_sid = self._server.manager.eio_sid_from_sid(sid, "/")
        return eio_sid not in self._server.environ
