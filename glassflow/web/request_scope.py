"""What every request gets: an id, the gate, a time limit on the store, and headers."""

import re
import uuid

from flask import Flask, Response, g, request

from glassflow.core.process import deadlines
from glassflow.core.process.time_limit import TimeLimit
from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.web import gate

USABLE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def init_app(app: Flask) -> None:
    """Register the functions that run before and after every request."""
    app.before_request(_set_request_id)
    gate.init_app(app)
    app.before_request(_start_time_limit)
    app.teardown_request(_end_time_limit)
    app.after_request(_set_headers)


def usable_request_id(sent: str) -> str:
    """Return the client's `X-Request-ID` if it has only safe characters, else a new id.

    Spaces and brackets would let a client write what looks like a line of the log.
    """
    return sent if USABLE_REQUEST_ID.fullmatch(sent) else uuid.uuid4().hex


def _set_request_id() -> None:
    g.request_id = usable_request_id(request.headers.get("X-Request-ID", ""))


def _start_time_limit() -> None:
    g.time_limit = TimeLimit(deadlines.REQUEST_TIMEOUT_S)
    g.time_limit.start()


def _end_time_limit(_: BaseException | None) -> None:
    time_limit: TimeLimit | None = g.pop("time_limit", None)
    if time_limit is not None:
        time_limit.stop()


def _set_headers(response: Response) -> Response:
    response.headers["X-Request-ID"] = g.get("request_id", "")
    for name, value in COMMON_HEADERS.items():
        response.headers.setdefault(name, value)
    return response
