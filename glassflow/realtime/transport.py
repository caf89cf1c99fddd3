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
- Packets wait without limit for a client that does not read; beyond a bound it is hung
  up on, and resumes when it can.
- A packet for many is encoded once, but framed anew for each, and each client's writer
  is woken for it; here it keeps its frame, and goes out at once to whoever reads.
"""

import logging
import socket
import struct
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

import gevent
from engineio.async_drivers.gevent import WebSocketWSGI
from engineio.payload import Payload
from gevent.lock import BoundedSemaphore
from socketio import Server, packet

from glassflow.realtime.limits import BACKLOG_BYTES, Allowance, Limits

log = logging.getLogger(__name__)

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
        self._rest = b""  # of a frame that went out in part

    def send(self, data: bytes) -> int:
        """Send all the data; blocks this greenlet while the reader is slow."""
        with self._turn:
            try:
                with gevent.Timeout(SEND_PATIENCE, TimeoutError("nobody reads")):
                    rest, self._rest = self._rest, b""
                    self._raw.sendall(rest + data)
            except TimeoutError:
                self.hang_up()
                raise
        return len(data)

    def offer(self, data: bytes) -> bool:
        """Write data if that takes no waiting; False if nothing of it was written.

        What the kernel does not take at once goes out before anything else does.
        """
        if self._rest or self._turn.locked() or hasattr(self._raw, "_sslobj"):
            return False
        try:
            sent = self._raw._sock.send(data)  # gevent's own would wait
        except BlockingIOError:
            return False
        except OSError:
            return True  # it is gone, as its reader will notice
        if sent < len(data):
            self._rest = data[sent:]
            gevent.spawn(self._flush)
        return True

    def _flush(self) -> None:
        with suppress(OSError):
            self.send(b"")

    def hang_up(self) -> None:
        """End the connection, which ends what waits for it."""
        with suppress(OSError):  # it is closed already
            self._raw.shutdown(socket.SHUT_RDWR)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class Framed(str):
    """The text of a packet, which keeps its websocket frame for all who get it."""

    _frame: bytes | None = None

    @property
    def frame(self) -> bytes:
        """Give the text as a frame from a server: final, unmasked."""
        if self._frame is None:
            body = self.encode()
            size = len(body)
            if size < 126:
                head = struct.pack("!BB", 0x81, size)
            elif size < 1 << 16:
                head = struct.pack("!BBH", 0x81, 126, size)
            else:
                head = struct.pack("!BBQ", 0x81, 127, size)
            self._frame = head + body
        return self._frame


class WholeWebSocket(WebSocketWSGI):  # type: ignore[misc]
    """The websocket of the gevent driver, on a whole socket and without deflate."""

    largest: ClassVar[int] = 1_000_000  # bytes of a message from a client

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        self.server_args = {**self.server_args, "max_message_size": self.largest}
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        for name in LENT_SOCKETS:
            if name in environ:
                environ[name] = WholeSocket(environ[name])
        return super().__call__(environ, start_response)

    def __init__(self, handler: Any, server: Any) -> None:
        super().__init__(handler, server)
        handler.__self__.wire = self  # for the Engine.IO socket whose half this is

    def offer(self, message: Framed) -> bool:
        """Send a framed message if that takes no waiting."""
        sent: bool = self.ws.sock.offer(message.frame)
        return sent

    def send(self, message: Any) -> Any:
        """Send a message; one that has its frame already goes out as it is."""
        if not isinstance(message, Framed):
            return super().send(message)
        if not self.ws.connected:
            raise OSError("the client has hung up")
        return self.ws.sock.send(message.frame)

    def close(self) -> None:
        """Tell the client to hang up; if it does not, hang up on it."""
        gevent.spawn_later(CLOSE_PATIENCE, self.ws.sock.hang_up)
        super().close()


def mend(server: Server, limits: Limits) -> None:
    """Put the mends into one Socket.IO server."""
    largest = {"largest": server.eio.max_http_buffer_size}
    websocket = type("LimitedWebSocket", (WholeWebSocket,), largest)
    server.eio._async = {**server.eio._async, "websocket": websocket}
    Payload.max_decode_packets = PACKETS_A_POST
    connect, event = server._handle_connect, server._handle_event

    def handle_connect(eio_sid: str, namespace: str | None, data: Any) -> None:
        joined = server.manager.sid_from_eio_sid(eio_sid, namespace or "/")
        if not joined and eio_sid in server.environ:  # else it has hung up already
            connect(eio_sid, namespace, data)

    def handle_event(
        eio_sid: str, namespace: str | None, packet_id: int | None, data: Any
    ) -> None:
        if not _allowed(server, limits, eio_sid):
            _refuse(server, limits, eio_sid, namespace, packet_id)
            return
        named = isinstance(data, list) and data and isinstance(data[0], str)
        if not named or data[0] in RESERVED:
            data = ["", *(data[1:] if isinstance(data, list) else ())]
        event(eio_sid, namespace, packet_id, data)

    server._handle_connect = handle_connect
    server._handle_event = handle_event
    server._send_eio_packet = partial(_send_safely, server, limits)


def _allowed(server: Server, limits: Limits, eio_sid: str) -> bool:
    connection = server.eio.sockets.get(eio_sid)
    if connection is None:
        return False
    if not hasattr(connection, "allowance"):
        connection.allowance = Allowance.of(limits.events_per_second)
    allowed: bool = connection.allowance.take()
    if connection.allowance.beyond:
        connection.close(wait=False)
    return allowed


def _refuse(
    server: Server,
    limits: Limits,
    eio_sid: str,
    namespace: str | None,
    packet_id: int | None,
) -> None:
    if packet_id is not None:
        error = f"Too many events; at most {limits.events_per_second} a second"
        ack = server.packet_class(
            packet.ACK,
            namespace=namespace or "/",
            id=packet_id,
            data=[{"ok": False, "error": error}],
        )
        server._send_packet(eio_sid, ack)


def _send_safely(server: Server, limits: Limits, eio_sid: str, pkt: Any) -> None:
    """Send to one of many: what goes wrong with it must not keep it from the others."""
    try:
        _send(server, limits, eio_sid, pkt)
    except Exception:
        log.exception("could not send to a client")


def _send(server: Server, limits: Limits, eio_sid: str, pkt: Any) -> None:
    """Queue an event for a client, unless too much is waiting for it already."""
    connection = server.eio.sockets.get(eio_sid)
    if connection is None or connection.closed:
        return
    if isinstance(pkt.data, str) and not isinstance(pkt.encode_cache, Framed):
        pkt.encode_cache = Framed(pkt.encode())
    waiting = connection.queue.qsize()
    # one who reads gets it here and now: a queue and a switch cost more than writing
    if not waiting and _offered(connection, pkt.encode_cache):
        return
    # the writer takes all that waits at once
    before = getattr(connection, "backlog", 0) if waiting else 0
    connection.backlog = before + len(pkt.data or "")
    if waiting >= limits.backlog or connection.backlog > BACKLOG_BYTES:
        log.warning("hung up on a client that does not read: %d events", waiting)
        _hang_up(connection)
        return
    connection.send(pkt)


def _offered(connection: Any, text: Any) -> bool:
    """Write at once to a websocket that owes no pong and has nothing before it."""
    if not connection.upgraded or connection.last_ping or not isinstance(text, Framed):
        return False
    offered: bool = connection.wire.offer(text)
    return offered


def _hang_up(connection: Any) -> None:
    """End a connection at once: what waits for it is not sent any more."""
    while not connection.queue.empty():
        connection.queue.get_nowait()
    connection.backlog = 0
    connection.close(wait=False, abort=True)
    wire = getattr(connection, "wire", None)
    if wire is not None:  # its writer may be waiting for a reader who never reads
        wire.ws.sock.hang_up()
