"""The open sockets of this process: whose they are, and what they have joined.

A change of a worker or a role comes through the event log, whoever made it, and the
sockets concerned are looked at at once. A watch looks again at what that misses: during
a handshake, or while the store could not be asked. It also ends what has expired.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gevent
from bson import ObjectId
from socketio import Server

from glassflow.domain.errors import Unauthenticated
from glassflow.realtime.limits import Limits
from glassflow.realtime.rooms import EVERYBODY, Plan, may_join, personal_room
from glassflow.services.identity import Identity, identify

log = logging.getLogger(__name__)

WATCH_EVERY = 1.0  # seconds between two looks
AGAIN_AFTER = 60.0  # seconds for which an answer of the store is believed
AT_ONCE = 50  # sockets looked at again in one look; each costs two reads
IN_DOUBT = float("-inf")  # looked at in the next look


@dataclass(slots=True)
class Session:
    """One open socket. `rooms` are those its client joined and may still hear.

    `checked` is when, on the monotonic clock, the store last vouched for the token.
    """

    token: str
    who: Identity
    checked: float
    rooms: set[str] = field(default_factory=set)


class Sessions:
    """Keeps each socket in just the inner rooms that its worker may hear now.

    `begin` is called before a socket is let in: from then on somebody listens.
    """

    def __init__(
        self,
        server: Server,
        plan: Plan,
        limits: Limits,
        *,
        begin: Callable[[], None],
    ) -> None:
        self.server = server
        self.plan = plan
        self._limits = limits
        self._begin = begin
        self._open: dict[str, Session] = {}
        self._changes = 0
        self._watcher: Any = None

    def __getitem__(self, sid: str) -> Session:
        return self._open[sid]

    def open(self, sid: str, token: str) -> None:
        """Admit a socket by its token.

        Raises `Unauthenticated`, and `Refusal` for more than a worker may have.
        """
        self._begin()
        changes, now = self._changes, time.monotonic()
        who = identify(token)
        if self._has_left(sid):
            raise Unauthenticated("Disconnected")
        mine = [s for s in self._open.values() if s.who.worker_id == who.worker_id]
        self._limits.check_sockets(len(mine))
        checked = now if changes == self._changes else IN_DOUBT
        self._open[sid] = Session(token, who, checked)
        self.server.enter_room(sid, EVERYBODY)
        self.server.enter_room(sid, personal_room(who.worker_id))
        if self._watcher is None:  # begun here: a greenlet belongs to its process
            self._watcher = gevent.spawn(self._watch)

    def close(self, sid: str) -> None:
        """Forget a socket that is gone."""
        self._open.pop(sid, None)

    def join(self, sid: str, room: str) -> bool:
        """Let a socket hear a room; False where its worker may not.

        Raises `Refusal` for more rooms than a client may hold.
        """
        session = self._open[sid]
        if not may_join(room, session.who):
            return False
        if room not in session.rooms:
            self._limits.check_rooms(len(session.rooms))
        session.rooms.add(room)
        for part in self.plan.parts(room, session.who):
            self.server.enter_room(sid, part)
        return True

    def leave(self, sid: str, room: str) -> None:
        """Let a socket hear a room no longer."""
        session = self._open[sid]
        session.rooms.discard(room)
        for part in self.plan.parts(room, session.who):
            self.server.leave_room(sid, part)

    def parts(self, sid: str) -> set[str]:
        """List the inner rooms that a socket hears; none once it is gone."""
        session = self._open.get(sid)
        if session is None:
            return set()
        heard = {EVERYBODY, personal_room(session.who.worker_id)}
        return heard.union(*(self.plan.parts(r, session.who) for r in session.rooms))

    def recheck(self, kind: str, record_id: ObjectId) -> None:
        """Look again at the sockets of a changed worker, or of a changed role."""
        self._changes += 1
        concerned = []
        for sid, session in self._open.items():
            who = session.who
            if record_id == (who.worker_id if kind == "Worker" else who.role_id):
                session.checked = IN_DOUBT  # should the store not answer now
                concerned.append((sid, session))
        for sid, session in concerned:
            self._renew(sid, session)

    def _has_left(self, sid: str) -> bool:
        """Whether the client hung up in its handshake, which the library overlooks."""
        eio_sid = self.server.manager.eio_sid_from_sid(sid, "/")
        return eio_sid not in self.server.environ

    def _renew(self, sid: str, session: Session) -> None:
        changes, asked = self._changes, time.monotonic()
        try:
            now = identify(session.token)
        except Unauthenticated:
            self.server.disconnect(sid)
            return
        if sid not in self._open:
            return
        session.checked = asked if changes == self._changes else IN_DOUBT
        for room in list(session.rooms):
            had = self.plan.parts(room, session.who)
            has = self.plan.parts(room, now)
            for part in had - has:
                self.server.leave_room(sid, part)
            for part in has - had:
                self.server.enter_room(sid, part)
            if not may_join(room, now):
                session.rooms.discard(room)
        session.who = now

    def _watch(self) -> None:
        while True:
            gevent.sleep(WATCH_EVERY)
            try:
                self._look()
            except Exception:  # the store is away: the next look asks again
                log.exception("could not look again at the open sockets")

    def _look(self) -> None:
        """End the expired sockets, and renew those last looked at too long ago."""
        for sid, session in list(self._open.items()):
            if session.who.expires_at <= time.time():
                self.server.disconnect(sid)
        latest = time.monotonic() - AGAIN_AFTER
        old = [one for one in self._open.items() if one[1].checked <= latest]
        for sid, session in old[:AT_ONCE]:
            self._renew(sid, session)
