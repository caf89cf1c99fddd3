"""Each request is measured, and logged where ACCESS_LOG is set.

Routes are named by their rule, such as `/api/panes/<number>/scan`, and never by the path:
a path has ids, which make too many different labels, and signatures of links.
"""

import logging
import re
import time
from typing import Any

from flask import Flask, Response, g, request

from glassflow.core.process import metrics, store_calls

log = logging.getLogger("glassflow.access")

METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
)  # clients may send any other word
NO_ROUTE = "none"
OTHER = "other"
TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


def init_app(app: Flask) -> None:
    """Measure all requests; call it first, so that all other hooks run in between."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.began = time.perf_counter()
    g.store_calls_before = store_calls.made()


def _end(response: Response) -> Response:
    """Measure a request up to the begin of its answer: streams last for hours."""
    seconds = time.perf_counter() - g.began
    method = request.method if request.method in METHODS else OTHER
    route = request.url_rule.rule if request.url_rule else NO_ROUTE
    metrics.requests.labels(method, route, response.status_code).observe(seconds)
    if log.isEnabledFor(logging.INFO):
        _log(method, route, response.status_code, round(seconds * 1000, 1))
    return response


def _log(method: str, route: str, status: int, ms: float) -> None:
    identity = g.get("identity")
    worker = str(identity.worker_id) if identity else "-"
    calls = store_calls.made() - g.store_calls_before
    fields: dict[str, Any] = {
        "method": method,
        "route": route,
        "status": status,
        "ms": ms,
        "worker": worker,
        "roundTrips": calls,
    }
    if trace := TRACEPARENT.fullmatch(request.headers.get("traceparent", "")):
        fields["trace"] = trace[1]
    log.info(
        "%s %s %d in %.1f ms, worker %s, %d round trips",
        *(method, route, status, ms, worker, calls),
        extra={"fields": fields},
    )
