"""How much one client may ask of the service; each limit is said when it is met.

What nobody is slowed by is not limited: these are far above what screens do.
"""

import logging
import time
from dataclasses import dataclass
from typing import Any

import gevent
from socketio import Server

from glassflow.domain.errors import Refusal

log = logging.getLogger(__name__)

BURST = 4  # seconds' worth of events at once
BEYOND = 10  # bursts that are refused end the connection, unless it calms down
BACKLOG_BYTES = 16_000_000  # waiting for one client, besides the number of packets
STRANGERS_STAY = 10.0  # seconds that a connection may stay without being let in
LOOK_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The settings SOCKET_…: of a client, but `sockets` of all that a worker opens."""

    events_per_second: int = 100
    rooms: int = 200
    sockets: int = 100
    backlog: int = 10_000

    def check_rooms(self, held: int) -> None:
        """Raise `Refusal` for one more room than a client may hold."""
        if held >= self.rooms:
            raise Refusal(f"Too many rooms; at most {self.rooms}")

    def check_sockets(self, opened: int) -> None:
        """Raise `Refusal` for one more connection than a worker may have."""
        if opened >= self.sockets:
            raise Refusal("Too many connections")


class Allowance:
    """A token bucket: so many events a second, and a burst of some seconds' worth."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._left = float(rate * BURST)
        self._patience = float(rate * BURST * BEYOND)
        self._since = time.monotonic()

    def take(self) -> bool:
        """Take one event; False if there are too many."""
        now = time.monotonic()
        fresh, self._since = (now - self._since) * self._rate, now
        most = self._rate * BURST
        self._left = min(most, self._left + fresh)
        self._patience = min(most * BEYOND, self._patience + fresh)
        if self._left >= 1:
            self._left -= 1
            return True
        self._patience -= 1
        return False

    @property
    def beyond(self) -> bool:
        """Whether the client goes on as if nothing had been said."""
        return self._patience < 0


class Strangers:
    """Hangs up on connections that nobody has been let in on, or no longer.

    A refused client is told why and may try again on the same connection; one that
    just stays would hold it for ever.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._seen: dict[str, float] = {}
        self._watching: Any = None
        self._connected = server.eio.handlers["connect"]
        server.eio.on("connect", self._begin)

    def _begin(self, eio_sid: str, environ: dict[str, Any]) -> Any:
        if self._watching is None:  # begun here: a greenlet belongs to its process
            self._watching = gevent.spawn(self._watch)
        return self._connected(eio_sid, environ)

    def _watch(self) -> None:
        while True:
            gevent.sleep(LOOK_EVERY)
            try:
                self._look()
            except Exception:
                log.exception("could not look for connections that nobody uses")

    def _look(self) -> None:
        now, manager = time.monotonic(), self._server.manager
        sockets = dict(self._server.eio.sockets)
        strangers = [one for one in sockets if not manager.sid_from_eio_sid(one, "/")]
        self._seen = {one: self._seen.get(one, now) for one in strangers}
        for one, since in self._seen.items():
            if now - since > STRANGERS_STAY:
                sockets[one].close(wait=False)
