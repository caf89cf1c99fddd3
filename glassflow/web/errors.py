"""Exceptions as HTTP responses: one table maps refusals to status codes."""

import logging
import random
import re
from typing import Any

from flask import Flask, Response, g, request
from pymongo.errors import (
    ConnectionFailure,
    DuplicateKeyError,
    ExecutionTimeout,
    NetworkTimeout,
    OperationFailure,
    WaitQueueTimeoutError,
)
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from glassflow.core.process import store_calls, time_limit
from glassflow.core.process.errors import cause_chain
from glassflow.core.store.unit_of_work import CommitResultUnknown
from glassflow.domain import errors, texts
from glassflow.domain.bilingual import Bilingual
from glassflow.web import gate, routing
from glassflow.web.envelope import failure

log = logging.getLogger(__name__)

# The first matching class decides, so subclasses come before their base.
STATUS: tuple[tuple[type[errors.Refusal], int], ...] = (
    (errors.Unauthenticated, 401),
    (errors.Forbidden, 403),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.Stale, 412),
    (errors.IfMatchRequired, 428),
    (errors.Unsupported, 415),
    (errors.TooManyAttempts, 429),
    (errors.Busy, 503),
    (errors.StoreUnavailable, 503),
    (errors.TookTooLong, 503),
    (errors.Refusal, 400),
)
BUSY_RETRY_MAX_S = 5
# InternalError, to which an engine that has stopped answers everything; OutOfDiskSpace.
STORE_FAILED = frozenset({1, 14031})
RESPONDS_S = 1.0  # a store that has answered within this time is not away


def init_app(app: Flask) -> None:
    """Register handlers that answer every exception in the envelope."""
    app.register_error_handler(errors.Refusal, refused)
    app.register_error_handler(HTTPException, refused_by_http)
    app.register_error_handler(Exception, failed)
    app.after_request(redirected)


def refused(error: errors.Refusal) -> Response:
    """Respond to a refusal by a domain rule."""
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers = {}
    if isinstance(error, errors.TooManyAttempts):
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, errors.Busy):
        gate.report_refused(g.get("request_id", "-"))
    if isinstance(error, errors.Busy) or _may_succeed_later(error):
        headers["Retry-After"] = _busy_retry_after()
    if isinstance(error, (errors.Stale, errors.IfMatchRequired)):
        headers["ETag"] = f'"{error.version}"'
    if isinstance(error, errors.StoreUnavailable):
        headers["Retry-After"] = "2"
    if isinstance(error, errors.Contention):
        headers["Retry-After"] = "1"
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return failure(error.message, status, errors=error.errors, headers=headers)


def _may_succeed_later(error: errors.Refusal) -> bool:
    return isinstance(error, errors.TookTooLong) and not error.is_long_work


def _busy_retry_after() -> str:
    """Return seconds, at random: those who are refused together come back apart."""
    return str(random.randint(1, BUSY_RETRY_MAX_S))


def refused_by_http(error: HTTPException) -> Response:
    """Respond to an HTTP error: unknown path, wrong method, body too large."""
    status = error.code or 500
    headers = {}
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(routing.allowed_methods())
    if request.method == "OPTIONS" and status in (404, 405):
        return Response(status=204)  # browsers ask before they know the path
    other = texts.OTHER_HTTP_ERROR.format(name=error.name)
    return failure(texts.HTTP_MESSAGES.get(status, other), status, headers=headers)


def redirected(response: Response) -> Response:
    """Put the envelope in place of the router's page about a doubled slash.

    Flask passes the router's redirects by all error handlers.
    """
    if response.status_code != 308:
        return response
    described = failure(texts.HTTP_MESSAGES[308], 308)
    described.vary.update(response.vary)
    for name, value in response.headers:
        described.headers.setdefault(name, value)
    return described


def failed(error: Exception) -> Response:
    """Respond to an unexpected exception; the log has it in full, the client does not."""
    for cause in cause_chain(error):
        if isinstance(cause, DuplicateKeyError):
            return failure(duplicate_message(error), 409)
        if isinstance(cause, WaitQueueTimeoutError):  # all connections are in use
            log.warning("too many calls to the store at once: %s", cause)
            return refused(errors.Busy())
        if _is_store_away(cause):
            # a commit may be stored, so it was not given up
            is_over = any(map(_is_time_over, cause_chain(error)))
            if is_over and not isinstance(cause, CommitResultUnknown):
                log.warning("the time limit has ended: %s", cause)
                is_long_work = time_limit.added_s() > 0
                return refused(errors.TookTooLong(is_long_work=is_long_work))
            log.warning("the store is unreachable: %s", cause)
            return refused(errors.StoreUnavailable())
        if _is_store_failure(cause):
            log.warning("the store failed: %s", cause)
            return refused(errors.StoreUnavailable())
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return failure(texts.INTERNAL_ERROR, 500)


def _is_store_failure(error: BaseException) -> bool:
    """Return whether the store could not do what it was asked, as with a full disk."""
    return isinstance(error, OperationFailure) and error.code in STORE_FAILED


def _is_time_over(error: BaseException) -> bool:
    """Return whether the limit of a request has ended at a store that responds.

    The store says so itself, or the driver before it asks. A command on which the driver
    gives up tells nothing: then it counts whether the store has answered others.
    """
    if isinstance(error, NetworkTimeout):
        return store_calls.seconds_since_answer() < RESPONDS_S
    return isinstance(error, ExecutionTimeout)


def _is_store_away(error: BaseException) -> bool:
    return (
        isinstance(error, ConnectionFailure) or getattr(error, "timeout", False) is True
    )


def duplicate_message(error: BaseException) -> Bilingual:
    """Return a message that names the field whose value is already taken."""
    for cause in cause_chain(error):
        details: Any = getattr(cause, "details", None)
        if isinstance(details, dict) and details.get("keyPattern"):
            field = next(iter(details["keyPattern"]))
            return texts.ALREADY_EXISTS.format(field=field)
    found = re.search(r"index: (?:\S+\.\$)?(\w+?)_-?1", str(error))
    field = found[1] if found else texts.VALUE
    return texts.ALREADY_EXISTS.format(field=field)
