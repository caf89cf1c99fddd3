"""The answers of operations: success in the envelope, refusals by status."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from glassflow.api_docs.components import PAGINATION, PROBLEM, WARNINGS
from glassflow.api_docs.examples import content_of
from glassflow.domain.bilingual import Language
from glassflow.domain.error_codes import ERROR_CODES
from glassflow.schemas.shapes import INTEGER, TEXT, Shape, file, members
from glassflow.web.auth import PUBLIC
from glassflow.web.envelope import STRICT
from glassflow.web.operation import JSON, Operation

REASONS: Mapping[int, str] = {
    304: "The client has the current answer.",
    400: "Refused: the request is invalid, or a rule forbids it.",
    401: "Not authenticated: the token is missing, invalid or expired.",
    403: "The worker lacks the permission.",
    404: "The record does not exist.",
    408: "The body did not arrive in time.",
    409: "In conflict: the value is taken, others depend on the record, or it was being "
    "changed meanwhile.",
    412: "The record has changed since the version that If-Match names.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    428: "The change needs an If-Match (setting `REQUIRE_IF_MATCH`).",
    429: "Too many attempts, connections or e-mails; ask again after `Retry-After`.",
    500: "An internal error, which is logged under the request id.",
    503: "The service is busy or its store away; ask again after `Retry-After`.",
}
HEADERS: Mapping[str, Mapping[str, Any]] = {
    "X-Request-ID": {
        "description": "The id of the request in the log.",
        "schema": TEXT,
    },
    "ETag": {"description": "The version of what was answered.", "schema": TEXT},
    "Location": {"description": "The path of the new record.", "schema": TEXT},
    "Idempotency-Replayed": {
        "description": "`true`: this is the first answer to the key, sent again.",
        "schema": {"const": "true"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": INTEGER},
    "Content-Language": {
        "description": "The language of `localMessage`, if the client asks for one.",
        "schema": {"enum": sorted(Language)},
    },
    "Preference-Applied": {
        "description": "The preference that was followed.",
        "schema": {"const": STRICT},
    },
}


def error_statuses(
    operation: Operation, method: str, permission: str, *, has_arguments: bool
) -> list[int]:
    """Return the statuses of refusals that an operation may answer with."""
    reads = method == "get"
    found = {500, 503, *operation.errors}
    found |= {s for code in operation.codes for s in ERROR_CODES[code].statuses}
    if permission != PUBLIC:
        found |= {401, 403}
    if has_arguments:
        found.add(404)
    if not reads or operation.query or operation.rows:
        found.add(400)
    if not reads:
        found |= {408, 409, 413, 415}
    if operation.tagged and reads:
        found.add(304)
    if operation.compares_versions(method):
        found.add(412)
    if operation.may_demand_version(method):
        found.add(428)
    return sorted(found)


def success(
    operation: Operation, method: str, *, keyed: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the status and the answer of a success."""
    names = ["X-Request-ID"]
    if operation.tagged and method != "delete":
        names.append("ETag")
    if operation.status == HTTPStatus.CREATED and operation.tagged:
        names.append("Location")
    if operation.body is not None:
        names.append("Preference-Applied")
    if method == "post" and keyed:
        names.append("Idempotency-Replayed")
    content: dict[str, Any] = {one: {"schema": file(one)} for one in operation.media}
    if operation.answer is not None:
        described = content_of(_body(operation), "answers", operation.id)
        content = {JSON: described, **content}
    yield (
        str(int(operation.status)),
        {
            "description": HTTPStatus(operation.status).phrase,
            "headers": header_references(names),
            "content": content,
        },
    )


def _body(operation: Operation) -> Shape:
    assert operation.answer is not None
    return operation.answer if operation.is_document else envelope(operation)


def envelope(operation: Operation) -> Shape:
    """Return the shape of the whole body of a success."""
    assert operation.answer is not None
    properties: dict[str, Shape] = {
        "success": {"const": True},
        "message": TEXT,
        "data": operation.answer,
        **operation.extra,
    }
    optional: list[str] = []
    if operation.rows is not None:
        properties["pagination"] = PAGINATION
    has_input = operation.body is not None or operation.rows is not None
    if has_input or operation.warns:
        properties["warnings"] = WARNINGS
        optional.append("warnings")
    return members(properties, optional=optional)


def header_references(names: Sequence[str]) -> dict[str, Any]:
    """Return references to the descriptions of headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def refusals() -> dict[str, Any]:
    """Return the answers to requests that are refused, as components."""
    found = {}
    for status, reason in REASONS.items():
        names = ["X-Request-ID"]
        if status != HTTPStatus.NOT_MODIFIED:
            names.append("Content-Language")
        if status in (409, 429, 503):
            names.append("Retry-After")
        if status in (304, 412, 428):
            names.append("ETag")
        answer: dict[str, Any] = {
            "description": reason,
            "headers": header_references(names),
        }
        if status != HTTPStatus.NOT_MODIFIED:
            answer["content"] = {JSON: {"schema": PROBLEM}}
        found[f"E{status}"] = answer
    return found


def refusal(status: int, codes: Sequence[str]) -> dict[str, Any]:
    """Return the answer of one operation with a status, with the codes that it may have."""
    reference = {"$ref": f"#/components/responses/E{status}"}
    named = [code for code in codes if status in ERROR_CODES[code].statuses]
    if not named:
        return reference
    listed = ", ".join(f"`{code}`" for code in named)
    return {**reference, "description": f"{REASONS[status]} Codes: {listed}."}
