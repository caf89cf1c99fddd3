"""One table gives exceptions their HTTP clothes."""

import logging
import re
from typing import Any

from flask import Flask, Response, g, request
from mongoengine.errors import NotUniqueError
from pymongo.errors import (
    ConnectionFailure,
    DuplicateKeyError,
    WaitQueueTimeoutError,
)
from werkzeug.exceptions import HTTPException

from glassflow.core.failures import causes
from glassflow.domain import errors
from glassflow.web.envelope import failure

log = logging.getLogger(__name__)

# The first class that fits decides: from the special to the general.
STATUS: tuple[tuple[type[errors.Refusal], int], ...] = (
    (errors.Unauthenticated, 401),
    (errors.Forbidden, 403),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.TooManyAttempts, 429),
    (errors.Refusal, 400),
)
HTTP_MESSAGES = {
    400: "Malformed request",
    404: "Not found",
    405: "Method not allowed",
    413: "Request body too large",
    415: "Content-Type must be application/json",
}
STORE_AWAY = (ConnectionFailure, WaitQueueTimeoutError)


def init_app(app: Flask) -> None:
    """Answer every exception in the envelope."""
    app.register_error_handler(errors.Refusal, refused)
    app.register_error_handler(HTTPException, refused_by_http)
    app.register_error_handler(Exception, failed)


def refused(error: errors.Refusal) -> Response:
    """Answer a rule's no."""
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers = {}
    if isinstance(error, errors.TooManyAttempts):
        headers["Retry-After"] = str(error.retry_after)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return failure(error.message, status, errors=error.errors, headers=headers)


def refused_by_http(error: HTTPException) -> Response:
    """Answer what the protocol refuses: unknown path, wrong method, too large."""
    status = error.code or 500
    message = HTTP_MESSAGES.get(status, error.name)
    headers = {name: value for name, value in error.get_headers() if name in ("Allow",)}
    return failure(message, status, headers=headers)


def failed(error: Exception) -> Response:
    """Answer what nobody foresaw: logged whole, told without its insides."""
    for cause in causes(error):
        if isinstance(cause, (DuplicateKeyError, NotUniqueError)):
            return failure(duplicate_message(error), 409)
        if isinstance(cause, STORE_AWAY) or getattr(cause, "timeout", False) is True:
            log.warning("[%s] the store is away: %s", g.get("request_id"), cause)
            headers = {"Retry-After": "2"}
            return failure("The store is not available", 503, headers=headers)
    log.error(
        "[%s] %s %s failed",
        g.get("request_id"),
        request.method,
        request.path,
        exc_info=error,
    )
    return failure("Internal server error", 500)


def duplicate_message(error: BaseException) -> str:
    """Name the field whose value another record has."""
    for cause in causes(error):
        details: Any = getattr(cause, "details", None)
        if isinstance(details, dict) and details.get("keyPattern"):
            return f"{next(iter(details['keyPattern']))} already exists"
    found = re.search(r"index: (?:\S+\.\$)?(\w+?)_-?1", str(error))
    return f"{found[1] if found else 'Value'} already exists"
