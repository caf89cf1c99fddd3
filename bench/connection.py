"""Persistent HTTP connections with little work for each request, several of them at once."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from select import select
from typing import Any

TIMEOUT_S = 120
MAX_TRIES = 10
REPEATABLE = frozenset({409, 429, 503})  # the service is busy: the same may succeed
Request = tuple[str, str, Any]  # method, path, body


class RequestRefusedError(RuntimeError):
    """The service answered with an error status."""

    def __init__(self, method: str, path: str, status: int, answer: Any) -> None:
        super().__init__(f"{method} {path} answered {status}: {answer}")
        self.status = status


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

    def request_until_accepted(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request, again while the service is busy; raises as `request`."""
        for _ in range(MAX_TRIES - 1):
            try:
                return self.request(method, path, body)
            except RequestRefusedError as error:
                if error.status not in REPEATABLE:
                    raise
        return self.request(method, path, body)

    def _is_closed_by_server(self) -> bool:
        # A server closes idle connections. Then the socket is readable, at its end.
        open_socket = self._connection.sock
        return open_socket is not None and bool(select([open_socket], [], [], 0)[0])


def send_at_once(
    connections: Sequence[Connection], requests: Sequence[Request]
) -> list[float]:
    """Send the requests, the same share on each connection; return their times in ms.

    A request that is refused as busy is repeated, and its time is that of all its tries.
    """
    count = len(connections)
    return send_shares(connections, [requests[n::count] for n in range(count)])


def send_shares(
    connections: Sequence[Connection], shares: Sequence[Sequence[Request]]
) -> list[float]:
    """Send a share on each connection, all at once; return the times in ms."""
    with ThreadPoolExecutor(len(connections)) as threads:
        done = threads.map(_send_each, connections, shares)
        return [ms for times in done for ms in times]


def _send_each(connection: Connection, requests: Sequence[Request]) -> list[float]:
    times = []
    for request in requests:
        started = time.perf_counter()
        connection.request_until_accepted(*request)
        times.append((time.perf_counter() - started) * 1000)
    return times
