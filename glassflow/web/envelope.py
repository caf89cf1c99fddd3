"""The form of every answer: `{success, message, data}` and what comes beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, g

from glassflow.core.json import encode


def reply(
    data: Any,
    message: str,
    *,
    status: int = 200,
    pagination: Mapping[str, int] | None = None,
    seq: int | None = None,
) -> Response:
    """Answer a request that succeeded, with the warnings that its body earned.

    `seq` is up to where the event log was looked through.
    """
    body: dict[str, Any] = {"success": True, "message": message, "data": data}
    if pagination is not None:
        body["pagination"] = pagination
    if seq is not None:
        body["seq"] = seq
    warnings = g.get("warnings")
    if warnings:
        body["warnings"] = warnings
    return json_response(body, status)


def failure(
    message: str,
    status: int,
    *,
    errors: object = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer a request that was refused or failed."""
    body: dict[str, Any] = {"success": False, "message": message}
    if errors is not None:
        body["errors"] = errors
    response = json_response(body, status)
    response.headers.update(headers or {})
    return response


def json_response(body: Mapping[str, Any] | Sequence[Any], status: int) -> Response:
    """Encode a body as JSON."""
    return Response(encode(body), status=status, mimetype="application/json")
