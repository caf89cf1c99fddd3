"""How frames go out: made once for all who get them, and each of them whole.

simple-websocket sends with `socket.send` and ignores how much of it went out: under
gevent a slow reader or a large message breaks the stream.
"""

import socket
import struct
from contextlib import suppress
from typing import Any

import gevent
import gevent.socket
from gevent.lock import BoundedSemaphore

SEND_PATIENCE = 45.0  # seconds without a byte taken; as long as a ping and its answer
READ = 1 << 14  # bytes read at once
TEXT, BINARY, CLOSE, PONG = 1, 2, 8, 10


def frame(body: str | bytes, code: int | None = None) -> bytes:
    """Make a message one final frame, unmasked as a server's are."""
    if code is None:
        code = TEXT if isinstance(body, str) else BINARY
    data = body.encode() if isinstance(body, str) else body
    size = len(data)
    if size < 126:
        return struct.pack("!BB", 0x80 | code, size) + data
    if size < 1 << 16:
        return struct.pack("!BBH", 0x80 | code, 126, size) + data
    return struct.pack("!BBQ", 0x80 | code, 127, size) + data


class WholeSocket:
    """A socket to which everything is sent whole, by one after the other."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._turn = BoundedSemaphore()
        self._rest = b""  # of a frame that has begun
        self._at_once = type(raw) is gevent.socket.socket  # and no TLS

    def send(self, data: bytes) -> None:
        """Send all the data; blocks this greenlet while the reader is slow.

        Raises `OSError` for a client that is gone, or that takes nothing any more.
        """
        with self._turn:
            view, self._rest = memoryview(self._rest + data), b""
            try:
                while view:
                    with gevent.Timeout(SEND_PATIENCE, TimeoutError("nobody reads")):
                        view = view[self._raw.send(view) :]
            except BaseException:
                self.hang_up()  # in the middle of a frame, perhaps
                raise

    def offer(self, data: bytes) -> bool:
        """Send data without waiting; False if nothing of it can be taken now.

        What is taken in part goes on with the next `send`, which has to follow:
        `unfinished` tells so.
        """
        if not self._at_once or self._rest or self._turn.locked():
            return False
        try:
            sent = self._raw.send(data, 0, 0.0)
        except OSError:
            return False
        if sent < len(data):
            self._rest = data[sent:]
        return True

    @property
    def unfinished(self) -> bool:
        """Whether an offer was taken in part."""
        return bool(self._rest)

    def recv(self) -> bytes:
        """Read what is there, or nothing from a client that is gone."""
        try:
            data: bytes = self._raw.recv(READ)
        except OSError:
            return b""
        gevent.sleep(0)  # who never stops talking must not keep others from it
        return data

    def hang_up(self) -> None:
        """End the connection, which ends what waits for it."""
        with suppress(OSError):  # it is closed already
            self._raw.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket, when nobody uses it any more."""
        with suppress(OSError):
            self._raw.close()
