"""Mends of the socket libraries, each for a fault that was measured.

- simple-websocket sends with `socket.send` and ignores how much of it went out: under
  gevent a slow reader or a large message breaks the stream. Here a frame goes out
  whole, and two greenlets never write into each other's.
- It always accepts per-message deflate, which costs a context a client; the offer is
  taken away, so it is never agreed on.
- A client that never reads, or that is gone without a word, would keep its connection
  and its greenlets for ever: sending and closing have time limits.
- A polling client sends all that it has to say in one body, at connect a join for each
  room; more than 16 packets would all be lost in silence.
- A browser may send a second CONNECT for a namespace that is joined already; an error
  answer would leave it deaf, so it is ignored.
- An event named `connect` or `disconnect` would run the server's own handlers, and one
  named `*` would break the one for all others.
"""

import socket
from contextlib import suppress
from typing import Any

import gevent
from engineio.async_drivers.gevent import WebSocketWSGI
from engineio.payload import Payload
from gevent.lock import BoundedSemaphore
from socketio import Server

LENT_SOCKETS = ("gunicorn.socket", "werkzeug.socket")
RESERVED = frozenset({"connect", "disconnect", "*"})
SEND_PATIENCE = 45.0  # seconds for one frame; as long as a ping and its answer may take
CLOSE_PATIENCE = 5.0  # seconds for a client to hang up once it is told to
PACKETS_A_POST = 1000


class WholeSocket:
    """A socket whose `send` sends everything, one caller after the other."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._turn = BoundedSemaphore()

    def send(self, data: bytes) -> int:
        """Send all the data; blocks this greenlet while the reader is slow."""
        with self._turn:
            try:
                with gevent.Timeout(SEND_PATIENCE, TimeoutError("nobody reads")):
                    self._raw.sendall(data)
            except TimeoutError:
                self.hang_up()
                raise
        return len(data)

    def hang_up(self) -> None:
        """End the connection, which ends what waits for it."""
        with suppress(OSError):  # it is closed already
            self._raw.shutdown(socket.SHUT_RDWR)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class WholeWebSocket(WebSocketWSGI):  # type: ignore[misc]
    """The websocket of the gevent driver, on a whole socket and without deflate."""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        for name in LENT_SOCKETS:
            if name in environ:
                environ[name] = WholeSocket(environ[name])
        return super().__call__(environ, start_response)

    def close(self) -> None:
        """Tell the client to hang up; if it does not, hang up on it."""
        gevent.spawn_later(CLOSE_PATIENCE, self.ws.sock.hang_up)
        super().close()


def mend(server: Server) -> None:
    """Put the mends into one Socket.IO server."""
    server.eio._async = {**server.eio._async, "websocket": WholeWebSocket}
    Payload.max_decode_packets = PACKETS_A_POST
    connect, event = server._handle_connect, server._handle_event

    def handle_connect(eio_sid: str, namespace: str | None, data: Any) -> None:
        if not server.manager.sid_from_eio_sid(eio_sid, namespace or "/"):
            connect(eio_sid, namespace, data)

    def handle_event(
        eio_sid: str, namespace: str | None, packet_id: int | None, data: Any
    ) -> None:
        named = isinstance(data, list) and data and isinstance(data[0], str)
        if not named or data[0] in RESERVED:
            data = ["", *(data[1:] if isinstance(data, list) else ())]
        event(eio_sid, namespace, packet_id, data)

    server._handle_connect = handle_connect
    server._handle_event = handle_event
