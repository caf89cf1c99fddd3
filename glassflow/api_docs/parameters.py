"""The parameters of operations: path, query and headers."""

import re
from collections.abc import Iterator
from typing import Any

from glassflow.api_docs.input_schemas import query_shapes
from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.shapes import ID, TEXT, Shape, array
from glassflow.services.records.populate_table import POPULATED_BY_DEFAULT
from glassflow.web.filters import RANGES, filter_shapes, visible_fields
from glassflow.web.idempotency import MAX_LENGTH
from glassflow.web.operation import ListOf, Operation
from glassflow.web.query import DEFAULT_SORT, MAX_SEARCH

Parameter = dict[str, Any]
# Arguments of views that clients know as the id of the record.
ID_ARGUMENTS = ("record_id", "order_id")
_ARGUMENT = re.compile(r"<(?:(\w+):)?(\w+)>")


def path_of(rule: str) -> str:
    """Return a path of the URL map in the form of OpenAPI: `/api/orders/{id}`."""
    return _ARGUMENT.sub(lambda found: "{" + _public_name(found[2]) + "}", rule)


def path_parameters(rule: str) -> Iterator[Parameter]:
    """Yield the parameters of a path."""
    for converter, name in _ARGUMENT.findall(rule):
        shape: Shape = {"type": "string", "minLength": 1}
        if name in ID_ARGUMENTS:
            by_number = rule.startswith("/api/panes/")
            shape = shape if by_number else ID
        elif converter == "oid":
            shape = ID
        elif converter == "int":
            shape = {"type": "integer", "minimum": 0}
        public = _public_name(name)
        yield _parameter(public, "path", _MEANINGS[public], shape, required=True)


def _public_name(argument: str) -> str:
    return "id" if argument in ID_ARGUMENTS else argument


_MEANINGS = {
    "name": "The name of the file.",
    "id": "The id of the record; of a pane also its number or QR payload.",
    "number": "The number of a pane, its QR payload or its id; of a picture or attachment its number.",
    "delivery_id": "The id of the delivery.",
    "session_id": "The id of the session.",
    "prefix": "The id of the API key: the part by which it is known.",
}


def query_parameters(operation: Operation) -> Iterator[Parameter]:
    """Yield the parameters of the query string."""
    if isinstance(operation.query, RecordSchema):
        for name, shape in query_shapes(operation.query):
            yield _parameter(name, "query", "", shape)
    else:
        for one in operation.query:
            yield _parameter(
                one.name, "query", one.description, one.shape, required=one.required
            )
    if operation.rows is not None:
        yield from _list_parameters(operation.rows)
    if operation.populates is not None:
        yield _populate(operation.populates)
    if operation.populates is not None or _sends_all(operation):
        yield _FIELDS


def _sends_all(operation: Operation) -> bool:
    return operation.rows is not None and not operation.rows.has_pages


def _list_parameters(rows: ListOf) -> Iterator[Parameter]:
    if rows.has_pages:
        yield _PAGE
        yield _LIMIT
    yield _SEARCH
    if rows.has_cursors and rows.has_pages:
        yield _CURSOR
        yield _COUNT
    if rows.has_cursors:
        yield _sort(rows.model)
    for name, shape, has_ranges in filter_shapes(rows.model, rows.aliases):
        any_of_them = array({"anyOf": [shape, {"const": "null"}]})
        yield _parameter(
            name, "query", "Any of these; `null` means unset.", any_of_them
        )
        yield _parameter(f"{name}_ne", "query", "None of these.", any_of_them)
        for suffix in RANGES if has_ranges else ():
            yield _parameter(f"{name}_{suffix}", "query", _RANGES[suffix], shape)


_RANGES = {
    "gte": "This or more.",
    "gt": "More than this.",
    "lte": "This or less.",
    "lt": "Less than this.",
}


_PATH = r"^-?\w+(\.\w+)+$"


def _sort(model: type[Record]) -> Parameter:
    names = [sign + name for name in visible_fields(model) for sign in ("", "-")]
    own = {"type": "string", "enum": names}
    one = {"anyOf": [own, {"type": "string", "pattern": _PATH}]}
    shape = {**array(one), "default": [DEFAULT_SORT]}
    return _parameter(
        "sort",
        "query",
        "Fields, or members of objects and referenced records (`dimensions.width`, "
        "`customer.name`); `-` means descending.",
        shape,
    )


def _populate(model: type[Record]) -> Parameter:
    usual = ", ".join(POPULATED_BY_DEFAULT.get(model.__name__, ())) or "none"
    return _parameter(
        "populate",
        "query",
        "Show the records that references name: `true` for the usual ones "
        f"({usual}), `false`, or a comma list of reference fields, each at most one level "
        "deeper (`order.request`).",
        TEXT,
    )


def headers(operation: Operation, method: str, *, keyed: bool) -> Iterator[Parameter]:
    """Yield the headers that a request may have; `keyed`: it takes an Idempotency-Key."""
    for one in operation.headers:
        yield _parameter(
            one.name, "header", one.description, one.shape, required=one.required
        )
    if method == "get" and operation.tagged:
        yield IF_NONE_MATCH
    if operation.compares_versions(method):
        yield IF_MATCH
    if method == "post" and keyed:
        yield IDEMPOTENCY_KEY
    if operation.body is not None:
        yield PREFER
    yield ACCEPT_LANGUAGE


def _parameter(
    name: str, place: str, description: str, shape: Shape, *, required: bool = False
) -> Parameter:
    found: Parameter = {"name": name, "in": place}
    if description:
        found["description"] = description
    if required:
        found["required"] = True
    if place == "query" and shape.get("type") == "array":
        found |= {"style": "form", "explode": False}
    return {**found, "schema": shape}


_PAGE = _parameter(
    "page", "query", "Clamped to 1 and above.", {"type": "integer", "default": 1}
)
_LIMIT = _parameter(
    "limit", "query", "Rows of a page; clamped to what is allowed.", {"type": "integer"}
)
_SEARCH = _parameter(
    "search",
    "query",
    "A text that one of the record's texts or numbers contains.",
    {"type": "string", "maxLength": MAX_SEARCH},
)
_CURSOR = _parameter(
    "cursor",
    "query",
    "`*` for the first page, then `pagination.next`; replaces `page`.",
    TEXT,
)
_COUNT = _parameter(
    "count",
    "query",
    "`capped` counts up to 1,000 rows only, which is quicker.",
    {"type": "string", "enum": ["exact", "capped"], "default": "exact"},
)
_FIELDS = _parameter(
    "fields",
    "query",
    "Return these fields only, and `_id`; then the others are not there, though the "
    "shapes here require them.",
    array(TEXT),
)
IF_NONE_MATCH = _parameter(
    "If-None-Match",
    "header",
    "The ETag that the client has; if it is current: 304.",
    TEXT,
)
IF_MATCH = _parameter(
    "If-Match", "header", "The ETag that was read; if it is outdated: 412.", TEXT
)
IDEMPOTENCY_KEY = _parameter(
    "Idempotency-Key",
    "header",
    "Chosen by the client. Sent again with the same request, the first answer is sent "
    "again, for 24 hours, and nothing is done twice.",
    {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH, "pattern": "^[!-~ ]+$"},
)
ACCEPT_LANGUAGE = _parameter(
    "Accept-Language",
    "header",
    "Thai or English: refusals, faults and warnings get a `localMessage` in it.",
    TEXT,
)
PREFER = _parameter(
    "Prefer",
    "header",
    "`handling=strict` makes each warning a fault (400): of a field or a query parameter "
    "that is ignored, or of a hole that reaches the edge of its pane.",
    TEXT,
)
SHARED = {
    "Page": _PAGE,
    "Limit": _LIMIT,
    "Search": _SEARCH,
    "Cursor": _CURSOR,
    "Count": _COUNT,
    "Fields": _FIELDS,
    "IfNoneMatch": IF_NONE_MATCH,
    "IfMatch": IF_MATCH,
    "IdempotencyKey": IDEMPOTENCY_KEY,
    "Prefer": PREFER,
    "AcceptLanguage": ACCEPT_LANGUAGE,
}
