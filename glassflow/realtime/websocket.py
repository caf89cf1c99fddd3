"""The server's end of one websocket, on a socket that a gevent server lends.

It takes the place of simple-websocket, which agrees on deflate always, a context a
client, reads on while nobody takes what came, and needs a greenlet a client for that.
Here reading waits for whoever reads.
"""

import base64
import hashlib
import struct
from collections import deque
from contextlib import suppress
from typing import Any, NoReturn

import gevent
from wsproto import events
from wsproto.connection import Connection as Protocol
from wsproto.connection import ConnectionType

from glassflow.realtime.framing import CLOSE, PONG, WholeSocket, frame

# Where a server lends its socket, and how it hears that there is nothing to answer.
LENT_SOCKETS: dict[str, type[Exception]] = {
    "gunicorn.socket": StopIteration,
    "werkzeug.socket": ConnectionError,
}
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
CLOSE_PATIENCE = 3.0  # seconds for a client to hang up once it is told to
NORMAL, UNREADABLE, TOO_BIG = 1000, 1003, 1009
PACKETS = tuple("0123456")  # how a packet of Engine.IO begins


class WebSocket:
    """A websocket that one greenlet reads from, and any may write to."""

    @classmethod
    def of(cls, environ: dict[str, Any], largest: int) -> "WebSocket | None":
        """Find what a request to upgrade asks for; None if it is not a whole one.

        `largest` is that of a message from the client, in bytes.
        """
        key = environ.get("HTTP_SEC_WEBSOCKET_KEY", "").encode("latin-1")
        lender = next((name for name in LENT_SOCKETS if name in environ), None)
        known = environ.get("HTTP_SEC_WEBSOCKET_VERSION") == "13"
        if not (key and known and lender):
            return None
        return cls(WholeSocket(environ[lender]), key, largest, LENT_SOCKETS[lender])

    def __init__(
        self, line: WholeSocket, key: bytes, largest: int, done: type[Exception]
    ) -> None:
        self.line = line
        self._key = key
        self._largest = largest
        self._done = done
        self._protocol = Protocol(ConnectionType.SERVER)
        self._arrived: deque[str | bytes] = deque()
        self._parts: list[Any] = []  # of a message that has begun
        self._size = 0
        self._open = True
        self._end: Any = None

    def accept(self) -> None:
        """Answer the request to upgrade."""
        digest = base64.b64encode(hashlib.sha1(self._key + MAGIC).digest())
        self.line.send(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n" % digest
        )

    def leave(self) -> NoReturn:
        """End what is left, and tell the server that nothing is to be answered."""
        self.hang_up()
        self.line.close()
        raise self._done

    def send(self, frames: bytes) -> None:
        """Send frames; blocks while the client is slow, and raises `OSError`."""
        if not self._open:
            raise OSError("closed")
        self.line.send(frames)

    def wait(self) -> str | bytes | None:
        """Give the next message, or None when the client has hung up.

        What comes after our own close is read and dropped: a client that is still
        writing would not get to see why it was closed.
        """
        while not (self._arrived and self._open):
            data = self.line.recv()
            if not data:
                self.hang_up()
                return None
            self._protocol.receive_data(data)
            for event in self._protocol.events():
                if isinstance(event, events.CloseConnection):
                    self._say_goodbye(event.code)
                    return None
                self._take(event)
        return self._arrived.popleft()

    def close(self, code: int = NORMAL) -> None:
        """Tell the client to hang up; if it does not, hang up on it."""
        self.end_soon()
        self._say_goodbye(code)

    def end_soon(self) -> None:
        """Hang up in a while, whatever is under way then."""
        if self._end is None:
            self._end = gevent.spawn_later(CLOSE_PATIENCE, self.hang_up)

    def hang_up(self) -> None:
        """End it without a word, at once."""
        self._open = False
        self.line.hang_up()

    def _say_goodbye(self, code: int) -> None:
        if self._open:
            self._open = False
            known = 1000 <= code < 5000 and code not in (1005, 1006, 1015)
            with suppress(OSError):
                self.line.send(frame(struct.pack("!H", code) if known else b"", CLOSE))

    def _take(self, event: events.Event) -> None:
        if not self._open:
            return
        if isinstance(event, events.Ping):
            with suppress(OSError):  # reading on will tell
                self.line.send(frame(bytes(event.payload), PONG))
        elif isinstance(event, events.Message):
            self._size += len(event.data)
            if self._size > self._largest:
                self._parts.clear()
                self.close(TOO_BIG)
                return
            self._parts.append(event.data)
            if event.message_finished:
                self._finish()

    def _finish(self) -> None:
        parts, self._parts, self._size = self._parts, [], 0
        whole = "".join(parts) if isinstance(parts[0], str) else b"".join(parts)
        if isinstance(whole, bytes) or whole[:1] in PACKETS:
            self._arrived.append(whole)
        else:  # Engine.IO would break on it
            self.close(UNREADABLE)
