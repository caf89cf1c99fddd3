"""The gate: limits how many requests this process handles at once.

More of them would not be answered sooner, and all of them too late for the time limits on
the store. Others wait for a second at most, and are then refused. Sockets are no requests; an
event stream leaves the gate before its first event is sent.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import gevent
from flask import Flask, current_app, g, has_request_context, request
from gevent.lock import BoundedSemaphore

from glassflow.core.process import deadlines, metrics
from glassflow.domain.errors import Busy

log = logging.getLogger(__name__)
WAITING_PER_SLOT = 3  # of an overload
LOG_INTERVAL_S = 1.0  # under overload hundreds of requests a second are refused

View = TypeVar("View", bound=Callable[..., Any])
_refused: list[str] = []  # ids of the requests that the next line of the log names


class Gate:
    """A number of slots, for which requests wait for a second.

    While there has been a queue for a second, further requests are refused at once if
    `WAITING_PER_SLOT` wait for each slot: most of them would wait in vain.
    """

    def __init__(self, slots: int) -> None:
        self._slots = BoundedSemaphore(slots)
        self._most_waiting = WAITING_PER_SLOT * slots
        self._waiting = 0
        self._queue_since = 0.0

    def acquire(self) -> bool:
        """Acquire a slot; return whether it succeeded."""
        if self._slots.acquire(blocking=False):
            return True
        now = time.monotonic()
        if not self._waiting:
            self._queue_since = now
        is_overload = now > self._queue_since + deadlines.GATE_TIMEOUT_S
        if is_overload and self._waiting >= self._most_waiting:
            return False
        self._waiting += 1
        try:
            return bool(self._slots.acquire(timeout=deadlines.GATE_TIMEOUT_S))
        finally:
            self._waiting -= 1

    def release(self) -> None:
        """Release a slot."""
        self._slots.release()


def init_app(app: Flask) -> None:
    """Let each request to a view acquire a slot before any work."""
    app.extensions["gate"] = Gate(app.config["REQUESTS_AT_ONCE"])
    app.before_request(_enter)
    app.teardown_request(lambda _: leave())


def unlimited(view: View) -> View:
    """Exempt the requests to a view from the gate: the view has limits of its own."""
    view.unlimited = True  # type: ignore[attr-defined]
    return view


@contextmanager
def released() -> Iterator[None]:
    """Leave the gate inside the block, which waits for the client; then enter it again.

    Raises `Busy` as entering does.
    """
    if "gate" not in g:
        yield
        return
    leave()
    yield
    _pass()


def leave() -> None:
    """Leave the gate for the rest of the request, which has a limit of its own.

    Unlike `released` it refuses nothing when the work is done. Without a request, as in
    commands, there is no gate.
    """
    if not has_request_context():
        return
    gate: Gate | None = g.pop("gate", None)
    if gate is not None:
        gate.release()


def _enter() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if view is not None and not hasattr(view, "unlimited"):
        _pass()


def _pass() -> None:
    gate: Gate = current_app.extensions["gate"]
    if not gate.acquire():
        metrics.refused_busy.inc()
        raise Busy()
    g.gate = gate


def report_refused(request_id: str) -> None:
    """Name a request in the log that is refused as busy; all of a second have one line."""
    if not _refused:
        gevent.spawn_later(LOG_INTERVAL_S, _write)
    _refused.append(request_id)


def _write() -> None:
    log.warning("%d requests refused as busy: %s", len(_refused), " ".join(_refused))
    _refused.clear()
