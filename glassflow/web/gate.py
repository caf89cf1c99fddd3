"""The gate: limits how many requests this process handles at once.

More of them would not be answered sooner, and all of them too late for the time limits on
the store. Sockets are no requests; an event stream leaves the gate before its first event
is sent.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from flask import Flask, current_app, g, has_request_context, request

from glassflow.core.process import deadlines, metrics
from glassflow.domain.errors import Busy
from glassflow.web.request_slots import FairSemaphore

View = TypeVar("View", bound=Callable[..., Any])


def init_app(app: Flask) -> None:
    """Let each request to a view acquire a slot before any work."""
    app.extensions["gate"] = FairSemaphore(app.config["REQUESTS_AT_ONCE"])
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
    gate: FairSemaphore | None = g.pop("gate", None)
    if gate is not None:
        gate.release()


def _enter() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if view is not None and not hasattr(view, "unlimited"):
        _pass()


def _pass() -> None:
    gate: FairSemaphore = current_app.extensions["gate"]
    if not gate.acquire(timeout=deadlines.GATE_TIMEOUT_S):
        metrics.refused_busy.inc()
        raise Busy()
    g.gate = gate
