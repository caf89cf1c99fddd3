"""The gate: how many requests this process handles at once.

With more, none would be answered sooner, and all of them too late for the time limits on
the store. Sockets are no requests; an event stream leaves the gate before its
first event is sent.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from flask import Flask, current_app, g, has_request_context, request

from glassflow.core.process import deadlines
from glassflow.domain.errors import Busy
from glassflow.web.places import Places

View = TypeVar("View", bound=Callable[..., Any])


def init_app(app: Flask) -> None:
    """Let each request to a view pass through the gate, before any work."""
    app.extensions["gate"] = Places(app.config["REQUESTS_AT_ONCE"])
    app.before_request(_enter)
    app.teardown_request(lambda _: leave())


def ungated(view: View) -> View:
    """Exempt the requests to a view from the gate: the view has limits of its own."""
    view.ungated = True  # type: ignore[attr-defined]
    return view


@contextmanager
def stepped_out() -> Iterator[None]:
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

    Unlike `stepped_out` it refuses nothing when the work is done. Without a request, as in
    commands, there is no gate.
    """
    if not has_request_context():
        return
    gate: Places | None = g.pop("gate", None)
    if gate is not None:
        gate.release()


def _enter() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if view is not None and not hasattr(view, "ungated"):
        _pass()


def _pass() -> None:
    gate: Places = current_app.extensions["gate"]
    if not gate.acquire(timeout=deadlines.GATE_TIMEOUT_S):
        raise Busy()
    g.gate = gate
