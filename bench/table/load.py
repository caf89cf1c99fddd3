"""Sends requests on some connections at once, each from a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from bench.connection import Connection, RequestRefusedError

MAX_TRIES = 10


@dataclass
class Sent:
    """The times of the requests in ms, and how often one was refused as busy.

    A request that is refused is repeated, and its time is that of all its tries.
    """

    times: list[float] = field(default_factory=list)
    refused: int = 0


def send_all(
    connections: Sequence[Connection],
    items: Sequence[Any],
    send: Callable[[Connection, Any], Any],
) -> Sent:
    """Send a request for each item, one at a time on each connection.

    Raises the first error of a request.
    """
    waiting: SimpleQueue[Any] = SimpleQueue()
    for item in items:
        waiting.put(item)
    sent = Sent()
    errors: list[Exception] = []

    def work(connection: Connection) -> None:
        while not errors:
            try:
                item = waiting.get_nowait()
                started = time.perf_counter()
                sent.refused += _send_until_accepted(connection, item, send)
                sent.times.append((time.perf_counter() - started) * 1000)
            except Empty:
                return
            except Exception as error:
                connection.close()
                errors.append(error)

    threads = [threading.Thread(target=work, args=(one,)) for one in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return sent


def _send_until_accepted(
    connection: Connection, item: Any, send: Callable[[Connection, Any], Any]
) -> int:
    """Return how often the request was refused."""
    for tries in range(MAX_TRIES):
        try:
            send(connection, item)
        except RequestRefusedError as error:
            if not error.is_busy or tries == MAX_TRIES - 1:
                raise
        else:
            break
    return tries
