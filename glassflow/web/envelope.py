"""The response envelope: `{success, message, data}`, pagination and warnings."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, g, has_request_context

from glassflow.core.process.json import encode
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault
from glassflow.web import language

STRICT = "handling=strict"  # a preference of RFC 7240


def reply(
    data: Any,
    message: str,
    *,
    status: int = 200,
    pagination: Mapping[str, Any] | None = None,
    seq: int | None = None,
) -> Response:
    """Build the response to a request that succeeded, with the warnings of its body.

    `seq` is the number of the last event that was examined (event log only).
    """
    body: dict[str, Any] = {"success": True, "message": message, "data": data}
    if pagination is not None:
        body["pagination"] = pagination
    if seq is not None:
        body["seq"] = seq
    warnings = g.get("warnings")
    if warnings:
        body["warnings"] = [language.localized_part(one) for one in warnings]
    response = json_response(body, status)
    if g.pop("has_local_parts", False):
        language.mark(response, language.requested())
    return response


def add_warnings(remarks: Sequence[FieldFault]) -> None:
    """Add what a use case did otherwise than asked to the warnings of the answer."""
    if remarks:
        g.warnings = [*g.get("warnings", ()), *remarks]


def failure(
    message: Bilingual,
    status: int,
    *,
    errors: object = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Build the response to a request that was refused or failed."""
    wanted = language.requested()
    body = language.localized({"success": False, "message": message}, wanted)
    if errors is not None:
        body["errors"] = (
            [language.localized(fault, wanted) for fault in errors]
            if isinstance(errors, list)
            else errors
        )
    response = json_response(body, status)
    language.mark(response, wanted)
    response.headers.update(headers or {})
    return response


def json_response(body: Mapping[str, Any] | Sequence[Any], status: int) -> Response:
    """Encode a body as a JSON response; it says that `Prefer` was followed."""
    response = Response(encode(body), status=status, mimetype="application/json")
    if has_request_context() and g.get("is_strict", False):
        response.headers["Preference-Applied"] = STRICT
    return response
