"""A websocket that costs next to nothing, so that a thousand fit into one process.

It speaks the client's half of Engine.IO on websockets and leaves the rest to whoever
owns it: no threads, no events, no decoding. Pings are answered here.
"""

from __future__ import annotations

import base64
import os
import socket

SIZE = 1 << 16  # bytes read at once
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Gone(Exception):
    """The connection has ended, or was never granted."""


class Wire:
    """One connection, which never blocks; `fileno` is for a selector."""

    def __init__(self, port: int, path: str, *, buffer: int = 0) -> None:
        self.sock = socket.socket()
        if buffer:  # bytes that the kernel keeps for one who reads slowly
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.setblocking(False)
        self._rest = b""
        self._shaken = False
        self._path = f"{path}/?EIO=4&transport=websocket"
        self.sock.connect_ex(("127.0.0.1", port))

    def fileno(self) -> int:
        """The number of the socket."""
        return self.sock.fileno()

    def ask(self) -> None:
        """Ask for the websocket, once the connection can be written to."""
        key = base64.b64encode(os.urandom(16)).decode()
        self._send(
            (
                f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )

    def send(self, text: str) -> None:
        """Send a text; raises `Gone`. All that a client says is small."""
        self._frame(TEXT, text.encode())

    def read(self) -> list[bytes]:
        """Give the texts that are there, read at once; raises `Gone`."""
        try:
            data = self.sock.recv(SIZE)
        except BlockingIOError:
            return []
        except OSError as error:
            raise Gone(str(error)) from None
        return self.take(data)

    def take(self, data: bytes) -> list[bytes]:
        """Give the texts in what was read by somebody else; raises `Gone`."""
        if not data:
            raise Gone("hung up")
        data = self._rest + data if self._rest else data
        if not self._shaken:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return []
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise Gone(head.split(b"\r\n", 1)[0].decode("latin-1"))
            self._shaken = True
        texts, used = frames(data)
        self._rest = data[used:]
        return [text for code, text in texts if self._is_text(code, text)]

    @property
    def whole(self) -> bool:
        """Whether what comes next begins with a frame."""
        return self._shaken and not self._rest

    def close(self) -> None:
        """Let go of it, without a word."""
        self.sock.close()

    def _is_text(self, code: int, text: bytes) -> bool:
        if code == CLOSE:
            raise Gone("closed")
        if code == PING:
            self._frame(PONG, text)
        elif text == b"2":  # Engine.IO asks in a text of its own
            self.send("3")
        else:
            return code == TEXT
        return False

    def _frame(self, code: int, body: bytes) -> None:
        # masked with zeros, which leaves the body as it is
        if len(body) < 126:
            head = bytes((0x80 | code, 0x80 | len(body)))
        else:
            head = bytes((0x80 | code, 0x80 | 126)) + len(body).to_bytes(2, "big")
        self._send(head + b"\0\0\0\0" + body)

    def _send(self, data: bytes) -> None:
        try:
            sent = self.sock.send(data)
        except OSError as error:
            raise Gone(str(error)) from None
        if sent < len(data):
            raise Gone("the server reads nothing")


def frames(data: bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Take whole frames out of data: what they hold, and how many bytes that was."""
    found, at, end = [], 0, len(data)
    while end - at >= 2:
        size, start = data[at + 1], at + 2
        if size >= 126:
            width = 2 if size == 126 else 8
            size = int.from_bytes(data[start : start + width], "big")
            start += width
        if start + size > end or start > end:
            break
        found.append((data[at] & 15, data[start : start + size]))
        at = start + size
    return found, at
