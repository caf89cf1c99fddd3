"""Limits of what one client may do; a client that exceeds one is sent the reason.

They are far above what the screens need, and bound what one client can cost others.
"""

import logging
import time
from dataclasses import dataclass
from typing import Any

import gevent
from socketio import Server

from glassflow.core.process import metrics
from glassflow.domain import texts
from glassflow.domain.errors import Refusal, TooManyConnections

log = logging.getLogger(__name__)

BURST_S = 4  # seconds' worth of events that may arrive at once
REFUSED_BURSTS = 10  # so many refused bursts exhaust a client's bucket
BACKLOG_BYTES = 16_000_000  # queued for one client, besides the number of packets
RETRY_CONNECTION_S = 10  # after a connection that was one too many
clock_s = time.monotonic  # of the buckets
UNAUTHENTICATED_TIMEOUT_S = 10.0  # for a connection that is not authenticated
REAP_INTERVAL_S = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The settings SOCKET_…: for one client, but `connections` for all of a worker's.

    Connections are sockets and event streams.
    """

    events_per_second: int = 100
    rooms: int = 200
    connections: int = 100
    backlog: int = 10_000

    def check_rooms(self, held: int) -> None:
        """Raise `Refusal` if a client that holds so many rooms may not join another."""
        if held >= self.rooms:
            raise Refusal(texts.TOO_MANY_ROOMS.format(maximum=self.rooms))

    def check_connections(self, opened: int) -> None:
        """Raise `TooManyConnections` if a worker with so many may not open another."""
        if opened >= self.connections:
            raise TooManyConnections(
                texts.TOO_MANY_CONNECTIONS, retry_after=RETRY_CONNECTION_S
            )


class TokenBucket:
    """Limits events to a rate, in events a second, with bursts of `BURST_S` seconds.

    A second, larger bucket counts refused events. Once it is exhausted the client has
    ignored the refusals for so long that it should be disconnected.
    """

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._tokens = float(rate * BURST_S)
        self._refusals_left = float(rate * BURST_S * REFUSED_BURSTS)
        self._updated = clock_s()

    def take(self) -> bool:
        """Take a token for one event; False if the event is to be refused."""
        now = clock_s()
        refill, self._updated = (now - self._updated) * self._rate, now
        size = self._rate * BURST_S
        self._tokens = min(size, self._tokens + refill)
        self._refusals_left = min(size * REFUSED_BURSTS, self._refusals_left + refill)
        if self._tokens >= 1:
            self._tokens -= 1
            return True
        self._refusals_left -= 1
        return False

    @property
    def exhausted(self) -> bool:
        """Whether too many events were refused."""
        return self._refusals_left < 0


class UnauthenticatedReaper:
    """Closes connections that are not authenticated within a timeout.

    A refused client gets the reason and may try again on the same connection; one that
    does not try would keep it open for ever.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._since: dict[str, float] = {}
        self._greenlet: Any = None
        self._on_connect = server.eio.handlers["connect"]
        server.eio.on("connect", self._connect)

    def _connect(self, eio_sid: str, environ: dict[str, Any]) -> Any:
        if self._greenlet is None:  # started here, as a fork does not copy greenlets
            self._greenlet = gevent.spawn(self._run)
        return self._on_connect(eio_sid, environ)

    def _run(self) -> None:
        while True:
            gevent.sleep(REAP_INTERVAL_S)
            try:
                self._reap()
            except Exception:
                log.exception("could not close unauthenticated connections")

    def _reap(self) -> None:
        now, manager = time.monotonic(), self._server.manager
        sockets = dict(self._server.eio.sockets)
        found = [sid for sid in sockets if not manager.sid_from_eio_sid(sid, "/")]
        self._since = {sid: self._since.get(sid, now) for sid in found}
        for sid, since in self._since.items():
            if now - since > UNAUTHENTICATED_TIMEOUT_S:
                metrics.hung_up.labels("unauthenticated").inc()
                sockets[sid].close(wait=False)
