"""Mends of the socket libraries, each for a fault that was measured.

- simple-websocket sends with `socket.send` and ignores how much of it went out: under
  gevent a slow reader or a large message breaks the stream. Here a frame goes out
  whole, and two greenlets never write into each other's.
- It always accepts per-message deflate, which costs a context a client; the offer is
  taken away, so it is never agreed on.
- A browser may send a second CONNECT for a namespace that is joined already; an error
  answer would leave it deaf, so it is ignored.
- An event named `connect` or `disconnect` would run the server's own handlers.
"""

from typing import Any

from engineio.async_drivers.gevent import WebSocketWSGI
from gevent.lock import BoundedSemaphore
from socketio import Server

LENT_SOCKETS = ("gunicorn.socket", "werkzeug.socket")
RESERVED = frozenset({"connect", "disconnect"})


class WholeSocket:
    """A socket whose `send` sends everything, one caller after the other."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._turn = BoundedSemaphore()

    def send(self, data: bytes) -> int:
        """Send all the data; blocks this greenlet while the reader is slow."""
        with self._turn:
            self._raw.sendall(data)
        return len(data)

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


def mend(server: Server) -> None:
    """Put the mends into one Socket.IO server."""
    server.eio._async = {**server.eio._async, "websocket": WholeWebSocket}
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
