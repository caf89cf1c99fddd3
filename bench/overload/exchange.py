"""One HTTP exchange on a socket, with so little work that many fit into a process."""

from __future__ import annotations

import json
import socket
from typing import Any

READ_SIZE = 1 << 16
TIMEOUT_S = 30.0


class KeptConnection:
    """A persistent connection; after an error it must not be used again."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def exchange(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return the status and the body. Raises `OSError`."""
        self._socket.sendall(request)
        head, body = self._read_head()
        status = int(head[9:12])
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self._receive()
        return status, body

    def close(self) -> None:
        """Close it."""
        self._socket.close()

    def _read_head(self) -> tuple[bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        return head, body

    def _receive(self) -> bytes:
        data = self._socket.recv(READ_SIZE)
        if not data:
            raise ConnectionError("the service closed the connection")
        return data


def render(method: str, path: str, token: str, body: Any = None) -> bytes:
    """Return a request as it is sent."""
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
