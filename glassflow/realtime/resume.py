"""Resuming: a client that was away hears what it missed in the rooms that it holds."""

from typing import Any

import gevent
from socketio import Server

from glassflow.core import event_log
from glassflow.domain.errors import Refusal
from glassflow.realtime.sessions import Sessions
from glassflow.realtime.walker import Walker

FULL = 1_000  # packets waiting for one client: then it is given time to read
PATIENCE = 0.02  # seconds


class LogStartsLater(Refusal):
    """What was missed is not kept any more; `oldest` is where the log starts."""

    code = "EVENT_LOG_STARTS_LATER"

    def __init__(self, oldest: int) -> None:
        super().__init__("Event log starts later", facts={"oldest": oldest})


class Resumption:
    """Sends a socket the events after a number, and holds live ones meanwhile."""

    def __init__(self, server: Server, sessions: Sessions, walker: Walker) -> None:
        self._server = server
        self._sessions = sessions
        self._walker = walker

    def resume(self, sid: str, *args: Any) -> int:
        """Send what a socket has missed; give the number up to which that is.

        Takes `{after}`. Raises `LogStartsLater`, and `Refusal` for a bad payload or
        while the socket is resuming already.
        """
        after = args[0].get("after") if args and isinstance(args[0], dict) else None
        if isinstance(after, bool) or not isinstance(after, int) or after < 0:
            raise Refusal("after must be an integer of 0 or more")
        if sid in self._walker.held:
            raise Refusal("Already resuming")
        self._walker.start()
        refuse_too_old(after, self._walker.at)
        self._walker.held.add(sid)
        try:
            return self._replay(sid, after)
        finally:
            self._walker.held.discard(sid)

    def _replay(self, sid: str, position: int) -> int:
        while True:
            with self._walker.standing() as end:
                if position >= end:
                    # still in turn: from here on it hears live events again
                    self._walker.held.discard(sid)
                    return end
            parts = self._sessions.parts(sid)
            for event in event_log.after(position, end):
                if not parts.isdisjoint(event.rooms):
                    self._walker.send(event, sid)
                position = event.seq
            self._let_read(sid)

    def _let_read(self, sid: str) -> None:
        """Wait for a client that has not read yet what it was sent."""
        eio_sid = self._server.manager.eio_sid_from_sid(sid, "/")
        while True:
            socket = self._server.eio.sockets.get(eio_sid)
            if socket is None or socket.queue.qsize() < FULL:
                return
            gevent.sleep(PATIENCE)


def refuse_too_old(after: int, last: int) -> None:
    """Raise `LogStartsLater` unless everything after a number is still kept."""
    if after > last:  # of another log: the store was made anew
        raise LogStartsLater(event_log.oldest(last))
    if after < last and not event_log.after(after, after + 1):
        raise LogStartsLater(event_log.oldest(last))
