"""Refuses requests that would wait in vain for a slot of the gate, before Flask.

With twice the requests that the service can process, half of them are refused. Through
Flask a refusal costs a third of an accepted request, so refusing would take the processor
from the requests that could be served. Here most of it is rendered beforehand.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from flask import Flask

from glassflow.core.process import deadlines, metrics
from glassflow.domain.errors import Busy
from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.web import busy_log
from glassflow.web.errors import busy_retry_after, refused
from glassflow.web.request_scope import usable_request_id
from glassflow.web.request_slots import FairSemaphore

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

MAX_RENDERED = 64  # clients may ask for languages in any words
Headers = list[tuple[str, str]]


def init_app(app: Flask) -> None:
    """Add the middleware; call it before Socket.IO, whose requests need no slot."""
    app.wsgi_app = OverloadMiddleware(app)  # type: ignore[method-assign]


class OverloadMiddleware:
    """A WSGI application that refuses requests while the gate is overloaded.

    It passes all others on, and those that need more than the path to decide: requests of
    browsers with an `Origin`, whose answers have CORS headers.
    """

    def __init__(self, app: Flask) -> None:
        self._app, self._wsgi_app = app, app.wsgi_app

    def __call__(
        self, environ: dict[str, Any], start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a request."""
        if not self._is_refused(environ):
            return self._wsgi_app(environ, start_response)
        metrics.refused_busy.inc()
        request_id = usable_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        busy_log.report_refused(request_id)
        status, headers, body = _rendered(environ.get("HTTP_ACCEPT_LANGUAGE"))
        own = [("X-Request-ID", request_id), ("Retry-After", busy_retry_after())]
        start_response(status, [*headers, *own])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def _is_refused(self, environ: dict[str, Any]) -> bool:
        gate: FairSemaphore = self._app.extensions["gate"]
        if not gate.is_overloaded(deadlines.GATE_TIMEOUT_S):
            return False
        path: str = environ["PATH_INFO"]
        return (
            path.startswith("/api/")
            and path.rstrip("/") not in self._unlimited_paths
            and "HTTP_ORIGIN" not in environ
        )

    @cached_property
    def _unlimited_paths(self) -> frozenset[str]:
        # read at the first refusal, when all routes are there
        views = self._app.view_functions
        return frozenset(
            rule.rule
            for rule in self._app.url_map.iter_rules()
            if hasattr(views[rule.endpoint], "unlimited")
        )


@lru_cache(maxsize=MAX_RENDERED)
def _rendered(accept_language: str | None) -> tuple[str, Headers, bytes]:
    """Return what all refusals in a language have in common: status, headers and body."""
    response = refused(Busy(), accept_language=accept_language)
    del response.headers["Retry-After"]
    response.headers.update(COMMON_HEADERS)
    return response.status, list(response.headers), response.get_data()
