"""Resuming: a client that was disconnected receives the events that it missed.

It receives those of the rooms that it has joined, as fast as it reads them.
"""

from typing import Any

import gevent
import pymongo
from socketio import Server

from glassflow.core.events import event_log
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import LogPages
from glassflow.core.process import deadlines
from glassflow.core.process.cooperative import yield_to_hub
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.realtime.log_tail import LogTail
from glassflow.realtime.sessions import Session, Sessions
from glassflow.realtime.wire.connection import Connection

READ_POLL_INTERVAL_S = 0.02


class Resumption:
    """Sends a socket the events after a number, and no live ones meanwhile."""

    def __init__(
        self, server: Server, sessions: Sessions, log_tail: LogTail, pages: LogPages
    ) -> None:
        self._server = server
        self._sessions = sessions
        self._log_tail = log_tail
        self._pages = pages

    def resume(self, sid: str, *args: Any) -> int:
        """Send a socket what it has missed; return the number of the last event.

        Takes `{after}`. Raises `LogStartsLater`, and `Refusal` for a bad payload, while
        the socket is resuming already, or once it is closed.
        """
        after = args[0].get("after") if args and isinstance(args[0], dict) else None
        if isinstance(after, bool) or not isinstance(after, int) or after < 0:
            raise Refusal(texts.AFTER_NOT_AN_INTEGER)
        session = self._sessions[sid]
        _require_idle(session)
        with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
            self._log_tail.start()
            self._require_kept(after)
        _require_idle(session)  # it may have begun another while the store was read
        session.pause_live_events()
        try:
            return self._replay(session, after)
        finally:
            session.continue_live_events()

    def _require_kept(self, after: int) -> None:
        last = self._log_tail.position
        if after > last:  # another process may have delivered more than this one
            last = event_log.last()
        self._pages.require_kept(after, last)

    def _replay(self, session: Session, position: int) -> int:
        while True:
            with self._log_tail.paused() as end:
                if position >= end:
                    # while the tail is paused, so that no live event is missed
                    session.continue_live_events()
                    return position
            self._connection(session.sid)  # a client that left needs no more pages
            events = self._pages.read(position, end)
            for event in events:
                if session.receives(event.rooms):
                    self._send(event, session.sid)
            position = events[-1].seq if events else end
            yield_to_hub()  # a long replay must not keep other clients waiting

    def _send(self, event: Event, sid: str) -> None:
        """Send an event, once the client has read what it was sent before."""
        while not self._connection(sid).has_room_for(len(event.payload)):
            gevent.sleep(READ_POLL_INTERVAL_S)
        self._log_tail.send(event, sid)
        yield_to_hub()

    def _connection(self, sid: str) -> Connection:
        """Return the connection of a socket; raises `Refusal` if it is closed."""
        eio_sid = self._server.manager.eio_sid_from_sid(sid, "/")
        connection: Connection | None = self._server.eio.sockets.get(eio_sid)
        if connection is None:
            raise Refusal(texts.DISCONNECTED)
        return connection


def _require_idle(session: Session) -> None:
    if session.is_paused:
        raise Refusal(texts.ALREADY_RESUMING)
