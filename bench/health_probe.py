"""A process that asks for something small at a fixed rate, while something else goes on.

A request is due whether or not the one before has been answered, and its time counts
from when it was due: a service that does not respond for a second delays twenty
requests, not one.
"""

from __future__ import annotations

import http.client
import multiprocessing
import time
from multiprocessing.connection import Connection
from typing import Self

INTERVAL_S = 0.05
_context = multiprocessing.get_context("spawn")


class HealthProbe:
    """Times `GET /api/health`, or another path, from `__enter__` to `__exit__`.

    `times` are in ms, `refused` is how many were answered with an error. A path that needs
    a token is given one.
    """

    def __init__(self, port: int, path: str = "/api/health", token: str = "") -> None:
        self.times: list[float] = []
        self.refused = 0
        self._here, there = _context.Pipe()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        arguments = (port, path, headers, there)
        self._process = _context.Process(target=_probe, args=arguments)
        self._process.start()
        self._here.recv()  # it has connected

    def __enter__(self) -> Self:
        self._here.send("start")
        return self

    def __exit__(self, *_: object) -> None:
        self._here.send("stop")
        self.times, self.refused = self._here.recv()
        self._process.join()


def _probe(port: int, path: str, headers: dict[str, str], pipe: Connection) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask() -> int:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.read()
        return response.status

    ask()
    pipe.send("ready")
    pipe.recv()
    times: list[float] = []
    refused = 0
    due = time.perf_counter()
    while not pipe.poll():
        time.sleep(max(0.0, due - time.perf_counter()))
        refused += ask() >= 400
        times.append((time.perf_counter() - due) * 1000)
        due += INTERVAL_S
    pipe.send((times, refused))
