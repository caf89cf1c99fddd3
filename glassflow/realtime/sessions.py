"""The open sockets of this process: whose they are, and what they have joined."""

import time
from dataclasses import dataclass, field
from typing import Any

import gevent
from bson import ObjectId
from socketio import Server

from glassflow.domain.errors import Unauthenticated
from glassflow.realtime.rooms import Plan, may_join, personal_room
from glassflow.services.identity import Identity, identify

EXPIRY_EVERY = 1.0  # seconds between two looks for tokens that have run out


@dataclass(slots=True)
class Session:
    """One open socket. `rooms` are those its client joined and may still hear."""

    token: str
    who: Identity
    rooms: set[str] = field(default_factory=set)


class Sessions:
    """Keeps each socket in just the inner rooms that its worker may hear now."""

    def __init__(self, server: Server, plan: Plan) -> None:
        self.server = server
        self.plan = plan
        self._open: dict[str, Session] = {}
        self._watch: Any = None

    def __getitem__(self, sid: str) -> Session:
        return self._open[sid]

    def open(self, sid: str, token: str) -> None:
        """Admit a socket by its token; raises `Unauthenticated`."""
        who = identify(token)
        self._open[sid] = Session(token, who)
        self.server.enter_room(sid, personal_room(who.worker_id))
        if self._watch is None:  # begun here: a greenlet belongs to the worker process
            self._watch = gevent.spawn(self._end_expired)

    def close(self, sid: str) -> None:
        """Forget a socket that is gone."""
        self._open.pop(sid, None)

    def join(self, sid: str, room: str) -> bool:
        """Let a socket hear a room; False where its worker may not."""
        session = self._open[sid]
        if not may_join(room, session.who):
            return False
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

    def recheck(self, kind: str, record_id: ObjectId) -> None:
        """Look again at the sockets of a changed worker, or of a changed role."""
        for sid, session in list(self._open.items()):
            who = session.who
            if record_id == (who.worker_id if kind == "Worker" else who.role_id):
                self._renew(sid, session)

    def _renew(self, sid: str, session: Session) -> None:
        try:
            now = identify(session.token)
        except Unauthenticated:
            self.server.disconnect(sid)
            return
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

    def _end_expired(self) -> None:
        while True:
            gevent.sleep(EXPIRY_EVERY)
            for sid, session in list(self._open.items()):
                if session.who.expires_at <= time.time():
                    self.server.disconnect(sid)
