"""The server's end of a websocket, in the place of simple-websocket.

Version 1.1.0 of that ignores partial writes, always accepts deflate, and reads ahead.
"""

import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, AnyStr, NoReturn

import gevent
import gevent.socket
from gevent.lock import BoundedSemaphore
from wsproto import events
from wsproto.connection import Connection, ConnectionType
from wsproto.utilities import generate_accept_token

SEND_TIMEOUT_S = 45.0  # without a byte taken; as long as a ping and its answer
READ_BYTES = 1 << 14  # at once; other clients have a turn after each read
CLOSE_TIMEOUT_S = 3.0  # for the client to disconnect after a close frame
NO_LINGER = struct.pack("ii", 1, 0)  # what is unsent when the socket is closed is lost
NORMAL, UNSUPPORTED_DATA, MESSAGE_TOO_BIG = 1000, 1003, 1009  # close codes, RFC 6455
PACKET_TYPES = tuple("0123456")  # the first character of an Engine.IO packet
# Where WSGI servers put the socket, and what ends a request without a response there.
DETACH = {"gunicorn.socket": StopIteration, "werkzeug.socket": ConnectionError}
ACCEPT = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n"
)
_encoder = Connection(ConnectionType.SERVER)  # whole messages leave no state in it


def frame(message: AnyStr) -> bytes:
    """Encode a whole message as one unmasked frame."""
    return bytes(_encoder.send(events.Message(data=message)))


class WebSocket:
    """A websocket as Engine.IO drives it. One greenlet reads; any may write."""

    def __init__(self, handler: Any, server: Any) -> None:
        self._handler, self._max_bytes = handler, server.max_http_buffer_size
        self._protocol = Connection(ConnectionType.SERVER)
        self._messages = self._receive()
        self._open, self._hung_up = True, False
        self._write_lock = BoundedSemaphore()
        self._rest: bytes | memoryview = b""  # what try_send could not write
        self.unsent = 0  # bytes that the kernel has not taken yet

    def __call__(self, environ: dict[str, Any], _: Any) -> NoReturn:
        """Accept an upgrade request and run the handler until the connection ends."""
        name = next(name for name in DETACH if name in environ)
        self._raw = environ[name]
        self._tls = type(self._raw) is not gevent.socket.socket  # cannot send in part
        key = environ["HTTP_SEC_WEBSOCKET_KEY"].encode("latin-1")
        self._write_quietly(ACCEPT % generate_accept_token(key))
        try:
            self._handler(self)
        finally:
            self.hang_up()
            self._raw.close()
        raise DETACH[name]

    def wait(self) -> str | bytes | None:
        """Return the next message, or None once the client has disconnected."""
        return next(self._messages, None)

    def send(self, message: str | bytes) -> None:
        """Send a text, or frames as they are; blocks, and raises `OSError`."""
        if not self._open:
            raise OSError("closed")
        self._write(frame(message) if isinstance(message, str) else message)

    def try_send(self, frames: bytes) -> bool:
        """Send what the kernel takes now and then the rest; False if it takes none."""
        if self._tls or self._rest or self._write_lock.locked() or not self._open:
            return False
        try:
            sent = self._raw.send(frames, 0, 0.0)
        except OSError:
            return False
        if sent < len(frames):
            self._rest = memoryview(frames)[sent:]  # not copied for each client
            self.unsent = len(self._rest)
            gevent.spawn(self._write_quietly, b"")
        return True

    @property
    def busy(self) -> bool:
        """Whether frames are being sent."""
        return bool(self._rest) or self._write_lock.locked()

    def close(self, code: int = NORMAL) -> None:
        """Send a close frame, and disconnect if the client does not."""
        self.hang_up_later()
        if self._open:
            self._open = False
            closing = events.CloseConnection(code=code)
            self._write_quietly(bytes(self._protocol.send(closing)))

    def hang_up_later(self) -> None:
        """Disconnect after `CLOSE_TIMEOUT_S`, even in the middle of a frame."""
        gevent.spawn_later(CLOSE_TIMEOUT_S, self._reset)

    def hang_up(self) -> None:
        """Disconnect at once, which also ends what blocks on the socket."""
        self._open, self._hung_up = False, True
        with suppress(OSError):
            self._raw.shutdown(socket.SHUT_RDWR)

    def _reset(self) -> None:
        """Disconnect a client that has not closed its end, with a reset.

        One that sends without a pause would else learn it only when the kernel gives up,
        a minute later: no data fit into its window, so none are answered with a reset.
        """
        with suppress(OSError):  # it is closed already
            self._raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.hang_up()

    def _write(self, data: bytes) -> None:
        with self._write_lock:
            rest, self._rest = self._rest, b""
            self.unsent = len(rest) + len(data)
            try:
                for view in (memoryview(rest), memoryview(data)):
                    while view:
                        with gevent.Timeout(SEND_TIMEOUT_S, TimeoutError("no reader")):
                            sent = self._raw.send(view)
                        self.unsent -= sent
                        view = view[sent:]
            except BaseException:
                self.hang_up()  # possibly in the middle of a frame
                raise

    def _write_quietly(self, data: bytes) -> None:
        with suppress(OSError):  # the reading greenlet notices a lost connection
            self._write(data)

    def _receive(self) -> Iterator[str | bytes]:
        # reads on after `close`: a client still sending would get no close frame else
        parts, size = [], 0
        for event in self._events():
            if isinstance(event, events.CloseConnection):
                self.close(event.code)
                return
            if isinstance(event, events.Ping) and self._open:
                self._write_quietly(bytes(self._protocol.send(event.response())))
            elif isinstance(event, events.Message) and self._open:
                parts.append(event.data)
                size += len(event.data)
                if size > self._max_bytes:
                    self.close(MESSAGE_TOO_BIG)
                elif event.message_finished:
                    message, parts, size = event.data[:0].join(parts), [], 0
                    if isinstance(message, str) and message[:1] not in PACKET_TYPES:
                        self.close(UNSUPPORTED_DATA)  # Engine.IO cannot decode it
                    else:
                        yield message

    def _events(self) -> Iterator[events.Event]:
        with suppress(OSError):
            # after a shutdown the kernel still delivers what a client goes on to send
            while not self._hung_up and (data := self._raw.recv(READ_BYTES)):
                gevent.sleep(0)  # one that never stops sending must not starve others
                self._protocol.receive_data(data)
                yield from self._protocol.events()
        self.hang_up()
