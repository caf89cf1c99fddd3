"""Request bodies: JSON objects within size limits, validated by a schema."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeVar

import gevent
from flask import current_app, g, request
from werkzeug.exceptions import RequestTimeout, UnsupportedMediaType

from glassflow.core.process import deadlines, time_limit
from glassflow.core.process.json import encode, loads
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid, Refusal
from glassflow.schemas.base import RecordSchema
from glassflow.web import gate
from glassflow.web.envelope import STRICT, add_warnings

SMALL_BODY_BYTES = 65_536  # usually arrives at once
MAX_DEPTH = 40  # levels; MongoDB accepts at most 100
View = TypeVar("View", bound=Callable[..., Any])


def large_body(view: View) -> View:
    """Accept bodies up to MAX_CLAIM_BODY_BYTES in this view, because they carry photos.

    Put it above the decorator of the permission, which may read the body.
    """

    @wraps(view)
    def accept(*args: Any, **kwargs: Any) -> Any:
        request.max_content_length = current_app.config["MAX_CLAIM_BODY_BYTES"]
        return view(*args, **kwargs)

    return accept  # type: ignore[return-value]


def json_body() -> dict[str, Any]:
    """Return the request's JSON object; an empty body is an empty object.

    Raises `Refusal` for malformed JSON or no object, `Invalid` for arrays above the
    setting MAX_ARRAY_LENGTH, and the HTTP errors 413 and 415. It is parsed once a request.
    """
    if "json_body" not in g:
        g.json_body = _parsed(received())
    body: dict[str, Any] = g.json_body
    return body


def _parsed(raw: bytes) -> dict[str, Any]:
    if not raw.strip():
        return {}
    if not request.is_json:
        raise UnsupportedMediaType
    try:
        body = loads(raw)
    except ValueError:
        raise Refusal(texts.MALFORMED_JSON) from None
    if not isinstance(body, dict):
        raise Refusal(texts.BODY_NOT_AN_OBJECT)
    require_within_limits(body, current_app.config["MAX_ARRAY_LENGTH"])
    return body


def received() -> bytes:
    """Return the body; a large one may take the client long to send.

    Raises the HTTP error 408 where it takes too long: clients that stop in the middle
    would otherwise occupy the gate for ever.
    """
    chunked = "Transfer-Encoding" in request.headers
    length = request.content_length or 0
    if not chunked and not length:
        return b""
    with time_limit.paused():
        if not chunked and length <= SMALL_BODY_BYTES:
            return _received_within(deadlines.SMALL_BODY_TIMEOUT_S)
        with gate.released():
            return _received_within(deadlines.LARGE_BODY_TIMEOUT_S)


def _received_within(seconds: float) -> bytes:
    with gevent.Timeout(seconds, RequestTimeout()):
        return request.get_data()


def require_within_limits(body: Mapping[str, Any], max_length: int) -> None:
    """Raise `Invalid` for longer arrays, and for values deeper than `MAX_DEPTH`."""
    faults = list(_limit_faults(body, "", 1, max_length))
    if faults:
        raise Invalid(faults)


def _limit_faults(
    value: Any, path: str, depth: int, max_length: int
) -> Iterator[FieldFault]:
    """List arrays and objects beyond the limits, before the schema reads them."""
    if depth > MAX_DEPTH:
        yield {"field": path, "message": texts.NESTED_TOO_DEEP.format(levels=MAX_DEPTH)}
    elif isinstance(value, dict):
        for key, inner in value.items():
            inner_path = f"{path}.{key}" if path else key
            yield from _limit_faults(inner, inner_path, depth + 1, max_length)
    elif isinstance(value, list):
        if len(value) > max_length:
            yield {
                "field": path,
                "message": texts.ARRAY_TOO_LONG.format(maximum=max_length),
            }
            return
        for index, inner in enumerate(value):
            yield from _limit_faults(inner, f"{path}.{index}", depth + 1, max_length)


def read_body(
    schema: RecordSchema,
    *,
    partial: bool = False,
    stored: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Validate the body with a schema; what is ignored or doubtful is a warning.

    `Prefer: handling=strict` (RFC 7240) makes each warning a fault, which is 400. `stored`
    is the wire form of the record that is changed.
    """
    body = json_body()
    ignored = schema.unknown_fields(body)
    before = None if stored is None else loads(encode(stored))
    if before is not None and schema.compared:
        ignored += schema.changed_fields(body, before)
    g.is_strict = is_strict()
    faults = ignored if g.is_strict else []
    try:
        values = schema.read(body, partial=partial)
    except Invalid as invalid:
        raise Invalid([*faults, *invalid.faults], invalid.message) from None
    remarks = list(schema.remarks(values, before))
    if g.is_strict and (ignored or remarks):
        raise Invalid([*ignored, *remarks])
    g.warnings = [*map(_as_warning, ignored), *remarks]
    return values


def warn_of_parameters(names: Iterable[str]) -> None:
    """Let the answer warn of ignored query parameters; raises `Invalid` if strict."""
    ignored: list[FieldFault] = [
        {"field": name, "message": texts.UNKNOWN_PARAMETER} for name in names
    ]
    g.is_strict = is_strict()
    if g.is_strict and ignored:
        raise Invalid(ignored)
    add_warnings(list(map(_as_warning, ignored)))


def _as_warning(fault: FieldFault) -> FieldFault:
    return {
        "field": fault["field"],
        "message": texts.IGNORED.format(reason=fault["message"]),
    }


def is_strict() -> bool:
    """Return whether the request prefers a refusal where there would be a warning."""
    preferences = ",".join(request.headers.getlist("Prefer")).lower().replace(" ", "")
    return STRICT in preferences.replace(";", ",").split(",")
