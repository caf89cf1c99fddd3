"""Refusals of requests that would wait at the gate in vain, without Flask.

With twice the requests that the service can process, half of them are refused. Through
Flask a refusal costs a quarter of what an accepted request costs, so refusing would take
the time of those who could be served. Here most of it is ready beforehand.
"""

from collections.abc import Mapping
from functools import lru_cache, partial

from flask import Flask

from glassflow.core.process import deadlines, metrics
from glassflow.domain.errors import Busy
from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.web import busy_log
from glassflow.web.errors import busy_retry_after, refused
from glassflow.web.request_scope import usable_request_id
from glassflow.web.request_slots import FairSemaphore

PASSING = frozenset({"ORIGIN", "EXPECT"})  # headers of requests that pass
MAX_RENDERED = 64  # clients may ask for languages in any words


def init_app(app: Flask, *, socket_path: str) -> None:
    """Let the server process ask the functions below, after all routes are added.

    `socket_path` is that of Socket.IO, whose requests never reach Flask.
    """
    app.extensions["is_overloaded"] = partial(is_overloaded, app)
    app.extensions["refuse_early"] = partial(refuse_early, app)
    app.extensions["unlimited_paths"] = frozenset(
        [socket_path]
        + [
            rule.rule
            for rule in app.url_map.iter_rules()
            if hasattr(app.view_functions[rule.endpoint], "unlimited")
        ]
    )


def is_overloaded(app: Flask) -> bool:
    """Return whether who arrives at the gate now should be refused at once."""
    gate: FairSemaphore = app.extensions["gate"]
    return gate.is_overloaded(deadlines.GATE_TIMEOUT_S)


def refuse_early(
    app: Flask, method: str, path: str, headers: Mapping[str, str]
) -> bytes | None:
    """Return the whole answer to a request that must be refused; None for all others.

    `headers` have upper-case names. Requests that need more than the path to decide pass:
    those of browsers with an `Origin`, whose answers have CORS headers, those of Socket.IO,
    and those with `Expect`, whose client sends its body after an answer or not at all.
    """
    if not is_overloaded(app):
        return None
    unlimited = path.rstrip("/") in app.extensions["unlimited_paths"]
    if unlimited or not path.startswith("/api/") or not PASSING.isdisjoint(headers):
        return None
    metrics.refused_early.inc()
    head, body = _rendered(headers.get("ACCEPT-LANGUAGE"))
    request_id = usable_request_id(headers.get("X-REQUEST-ID", ""))
    busy_log.report_refused(request_id)
    own = f"X-Request-ID: {request_id}\r\nRetry-After: {busy_retry_after()}\r\n\r\n"
    if method == "HEAD":  # a body would be read as the beginning of the next answer
        body = b""
    return head + own.encode("ascii") + body


@lru_cache(maxsize=MAX_RENDERED)
def _rendered(accept_language: str | None) -> tuple[bytes, bytes]:
    """Return what all refusals in a language have in common: the head without its end,
    and the body.
    """
    response = refused(Busy(), accept_language=accept_language)
    del response.headers["Retry-After"]
    response.headers.update(COMMON_HEADERS)
    lines = [f"HTTP/1.1 {response.status}"]
    lines += [f"{name}: {value}" for name, value in response.headers]
    return "\r\n".join([*lines, ""]).encode("latin-1"), response.get_data()
