"""The OpenAPI document: every route of the API, from its description."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from flask import Flask

from glassflow import __version__, blueprints
from glassflow.api_docs import answers, parameters
from glassflow.api_docs.components import BASIC, PROBLEM, Components
from glassflow.api_docs.examples import content_of
from glassflow.api_docs.input_schemas import body_shape
from glassflow.api_docs.record_schemas import record_shapes
from glassflow.domain.error_codes import ERROR_CODES
from glassflow.schemas.shapes import any_of, file
from glassflow.web.auth import PUBLIC
from glassflow.web.operation import JSON, Operation, operation_of

API = "/api/"
DOCUMENTS = "documents"  # the tag of the routes of this package
FIRST = ("auth",)  # tags before the others
LICENSE = "MIT"
DESCRIPTION = """\
The production workflow of a glass workshop: requests, orders, panes and their scans, stock.

Send `Authorization: Bearer <token>` with every request; `POST /api/auth/login` answers with
a token. Bodies are JSON. An answer is an envelope: `{success, message, data}`, lists with
`pagination`, refusals with `errors`: a list of `{field, message}`, or a `code` with its facts.
`message` never changes; with `Accept-Language` a `localMessage` in Thai or English is beside that of a refusal.

`x-permission` is the key that a route needs, `x-codes` explains the codes. The events
that clients receive over Socket.IO are described in `/api/asyncapi.json`.
"""


class Route(NamedTuple):
    """One method of a path of the API, its view and the description of it."""

    rule: str
    method: str
    view: Callable[..., Any]
    operation: Operation


def routes(app: Flask) -> Iterator[Route]:
    """Yield the described routes of the API, sorted by path and method."""
    rules = sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule)
    for rule in rules:
        view = app.view_functions[rule.endpoint]
        operation = operation_of(view)
        if operation is None or not rule.rule.startswith(API):
            continue
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield Route(rule.rule, method.lower(), view, operation)


def build(app: Flask) -> dict[str, Any]:
    """Return the document of an application."""
    components = Components({**BASIC, **_records()})
    components.refer(PROBLEM)
    found = list(routes(app))
    paths: dict[str, Any] = {}
    for route in found:
        path = paths.setdefault(parameters.path_of(route.rule), {})
        path[route.method] = components.refer(_operation(route))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "glassflow",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": LICENSE, "identifier": LICENSE},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": list(_tags(found)),
        "paths": paths,
        "components": _components(components, paths),
        "x-codes": {
            code: {"statuses": list(known.statuses), "meaning": known.meaning}
            for code, known in ERROR_CODES.items()
        },
    }


def _records() -> dict[str, Any]:
    schemas = {one.model.__name__: one.schema for one in blueprints.RESOURCES}
    return record_shapes(schemas)


def _operation(route: Route) -> dict[str, Any]:
    operation, method = route.operation, route.method
    permission: str = getattr(route.view, "permission", "")
    secured = permission != PUBLIC
    keyed = secured and not getattr(route.view, "takes_no_key", False)
    found: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [_tag(route.rule)],
        "summary": " ".join((route.view.__doc__ or "").split()),
        "x-permission": permission,
        "parameters": list(_parameters(route, keyed=keyed)),
    }
    if not secured:
        found["security"] = []
    body = _body(operation)
    if body is not None:
        found["requestBody"] = body
    statuses = answers.error_statuses(
        operation, method, permission, has_arguments="<" in route.rule
    )
    found["responses"] = {
        **dict(answers.success(operation, method, keyed=keyed)),
        **{str(one): answers.refusal(one, operation.codes) for one in statuses},
    }
    return found


def _body(operation: Operation) -> Mapping[str, Any] | None:
    if operation.file is not None:
        return {
            "required": True,
            "content": {one: {"schema": file(one)} for one in operation.file.media},
        }
    if operation.body is None:
        return None
    shape = body_shape(operation.body, partial=operation.partial)
    is_required = bool(shape.get("required"))
    if operation.items is not None:
        shape = any_of(shape, body_shape(operation.items))
    content = {JSON: content_of(shape, "bodies", operation.id)}
    return {"required": is_required, "content": content}


def _parameters(route: Route, *, keyed: bool) -> Iterator[dict[str, Any]]:
    names = {id(one): name for name, one in parameters.SHARED.items()}
    for one in (
        *parameters.path_parameters(route.rule),
        *parameters.query_parameters(route.operation),
        *parameters.headers(route.operation, route.method, keyed=keyed),
    ):
        name = names.get(id(one))
        yield {"$ref": f"#/components/parameters/{name}"} if name else one


def _components(components: Components, paths: Any) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {
        "parameters": dict(parameters.SHARED),
        "headers": dict(answers.HEADERS),
        "responses": answers.refusals(),
    }
    referring = {
        kind: {name: components.refer(one) for name, one in named.items()}
        for kind, named in found.items()
    }
    token = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
    return {
        "schemas": components.used_by({"paths": paths, **referring}),
        **referring,
        "securitySchemes": {"token": token},
    }


def _tag(rule: str) -> str:
    segment = rule.removeprefix(API).partition("/")[0]
    return (
        DOCUMENTS if segment in ("docs", "openapi.json", "asyncapi.json") else segment
    )


def _tags(found: Iterable[Route]) -> Iterator[Mapping[str, str]]:
    texts: dict[str, str] = {}
    for route in found:
        name, module = _tag(route.rule), route.view.__module__
        if name not in texts or module.endswith(f".{name}"):
            texts[name] = sys.modules[module].__doc__ or ""
    texts |= {one.name: one.model.__doc__ or "" for one in blueprints.RESOURCES}
    for name in sorted(
        texts, key=lambda one: (one == DOCUMENTS, one not in FIRST, one)
    ):
        text = " ".join(texts[name].partition("\n\n")[0].split())
        yield {"name": name, "description": text}
