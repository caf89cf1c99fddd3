"""Request bodies: JSON objects within bounds, and schemas applied to them."""

from collections.abc import Iterator
from typing import Any

from flask import current_app, g, request
from werkzeug.exceptions import UnsupportedMediaType

from glassflow.core.json import loads
from glassflow.domain.errors import Invalid, Refusal
from glassflow.schemas.base import RecordSchema

MAX_DEPTH = 40  # levels; the store itself gives up at 100


def json_body() -> dict[str, Any]:
    """Give the request's JSON object; an empty body is an empty object.

    Raises `Refusal` for malformed JSON or no object, `Invalid` for arrays above the
    setting MAX_ARRAY_LENGTH, and the HTTP errors 413 and 415.
    """
    raw = request.get_data()
    if not raw.strip():
        return {}
    if not request.is_json:
        raise UnsupportedMediaType
    try:
        body = loads(raw)
    except ValueError:
        raise Refusal("Malformed JSON") from None
    if not isinstance(body, dict):
        raise Refusal("The body must be a JSON object")
    faults = list(_excesses(body, "", 1))
    if faults:
        raise Invalid(faults)
    return body


def _excesses(value: Any, path: str, depth: int) -> Iterator[dict[str, str]]:
    """Find what is too long or too deep, before anybody works on it."""
    longest = current_app.config["MAX_ARRAY_LENGTH"]
    if depth > MAX_DEPTH:
        yield {"field": path, "message": f"Nested deeper than {MAX_DEPTH} levels"}
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _excesses(inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        if len(value) > longest:
            yield {"field": path, "message": f"More than {longest} elements"}
            return
        for index, inner in enumerate(value):
            yield from _excesses(inner, f"{path}.{index}", depth + 1)


def read(schema: RecordSchema, *, partial: bool = False) -> dict[str, Any]:
    """Read the body through a schema; unknown fields earn warnings, or 400 if strict.

    `Prefer: handling=strict` (RFC 7240) asks for the refusal.
    """
    body = json_body()
    unread = schema.unread(body)
    if unread and _strict():
        raise Invalid([{**fault, "message": "Unknown field"} for fault in unread])
    values = schema.read(body, partial=partial)
    g.warnings = unread
    return values


def _strict() -> bool:
    preferences = ",".join(request.headers.getlist("Prefer")).lower().replace(" ", "")
    return "handling=strict" in preferences.replace(";", ",").split(",")
