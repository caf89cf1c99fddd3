"""A process that asks for the health at a fixed rate, while something else is going on.

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
    """Times `GET /api/health` from `__enter__` to `__exit__`; `times` are in ms."""

    def __init__(self, port: int) -> None:
        self.times: list[float] = []
        self._here, there = _context.Pipe()
        self._process = _context.Process(target=_probe, args=(port, there))
        self._process.start()
        self._here.recv()  # it has connected

    def __enter__(self) -> Self:
        self._here.send("start")
        return self

    def __exit__(self, *_: object) -> None:
        self._here.send("stop")
        self.times = self._here.recv()
        self._process.join()


def _probe(port: int, pipe: Connection) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    _ask(connection)
    pipe.send("ready")
    pipe.recv()
    times: list[float] = []
    due = time.perf_counter()
    while not pipe.poll():
        time.sleep(max(0.0, due - time.perf_counter()))
        _ask(connection)
        times.append((time.perf_counter() - due) * 1000)
        due += INTERVAL_S
    pipe.send(times)


def _ask(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/api/health")
    connection.getresponse().read()
