"""A persistent HTTP connection, with little work for each request."""

from __future__ import annotations

import http.client
import json
from select import select
from typing import Any

TIMEOUT_S = 30
REPEATABLE = frozenset({409, 429, 503})  # the service is busy: the same may succeed


class RequestRefusedError(RuntimeError):
    """The service answered with an error status."""

    def __init__(self, method: str, path: str, status: int, answer: Any) -> None:
        super().__init__(f"{method} {path} answered {status}: {answer}")
        self.status = status

    @property
    def is_busy(self) -> bool:
        """Whether the service asks to come back."""
        return self.status in REPEATABLE


class Connection:
    """A persistent HTTP connection to a server."""

    def __init__(self, port: int, token: str = "") -> None:
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=TIMEOUT_S
        )
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the JSON of the answer.

        Raises `RequestRefusedError`, and the errors of `http.client` and of sockets.
        """
        text = None if body is None else json.dumps(body)
        if self._is_closed_by_server():
            self._connection.close()  # the next request opens it again
        self._connection.request(method, path, text, self._headers)
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 400:
            raise RequestRefusedError(method, path, response.status, answer)
        return answer

    def _is_closed_by_server(self) -> bool:
        # A server closes idle connections. Then the socket is readable, at its end.
        open_socket = self._connection.sock
        return open_socket is not None and bool(select([open_socket], [], [], 0)[0])

    def close(self) -> None:
        """Close the connection; the next request opens it again."""
        self._connection.close()
