"""Descriptions of operations, from which the OpenAPI document is built.

`@describe` stands directly above a view, below its permission; the routes of a `Resource`
describe themselves. The summary is the view's docstring and the key its decorator's, so
that only what the code does not say otherwise is said here. A test finds a route without a
description, a body that is read with another schema, and an answer of another shape.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.shapes import TEXT, Shape

JSON = "application/json"
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of the query string, or a header."""

    name: str
    description: str
    shape: Shape = field(default_factory=lambda: TEXT)
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf:
    """A list with pages: the model of its rows, its default size and further filters.

    `resource` is its name in the setting DEFAULT_PAGE_SIZES; `aliases` are those of its
    filters. `has_cursors` tells whether `sort`, `cursor` and `count` are read; without
    `has_pages` all rows are sent, and only `sort` is read of them.
    """

    model: type[Record]
    resource: str
    aliases: Mapping[str, str] = field(default_factory=dict)
    has_cursors: bool = True
    has_pages: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBody:
    """A body that is a file: its media types, and the schemas that its rows are read with."""

    media: tuple[str, ...]
    rows: tuple[RecordSchema, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What clients need to know of one route besides its path, key and summary.

    `id` is the name of its function in generated clients. `answer` is the shape of the
    envelope's `data`, `extra` are further members of the envelope. With `is_document` the
    answer has no envelope. `body` is the schema of the body, `partial` if nothing in it is
    required; `items` that of the body of a bulk create, which may be sent instead. A `file`
    is a body that is no JSON. `query` is a schema, or single parameters; `headers` are those that the route reads. `populates`: it takes `populate`
    and `fields`. `tagged`: its answers have entity tags, and it compares those of the
    request. `compares`: it compares them although it creates something, or has no tag: it
    adds to a record, or takes from it. `media` are types that it may answer with besides JSON, or instead of it if
    `answer` is None. `errors` are statuses that do not follow from the rest, `codes` the
    error codes that it may answer with. `warns`: its answer may have warnings, although
    it reads no body.
    """

    id: str
    answer: Shape | None
    status: int = HTTPStatus.OK
    extra: Mapping[str, Shape] = field(default_factory=dict)
    is_document: bool = False
    body: RecordSchema | None = None
    partial: bool = False
    items: RecordSchema | None = None
    file: FileBody | None = None
    query: RecordSchema | tuple[Parameter, ...] = ()
    headers: tuple[Parameter, ...] = ()
    rows: ListOf | None = None
    populates: type[Record] | None = None
    tagged: bool = False
    compares: bool = False
    media: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()
    codes: tuple[str, ...] = ()
    warns: bool = False

    def compares_versions(self, method: str) -> bool:
        """Whether it changes one record, in the version of an If-Match if there is one."""
        return self.compares or self.may_demand_version(method)

    def may_demand_version(self, method: str) -> bool:
        """Whether the setting REQUIRE_IF_MATCH can let it refuse requests without If-Match.

        A POST that creates nothing changes a record.
        """
        creates = method == "post" and self.status == HTTPStatus.CREATED
        return self.tagged and method != "get" and not creates


def describe(operation_id: str, **description: Any) -> Callable[[View], View]:
    """Describe the view below; the arguments are the fields of `Operation`."""
    return attach(Operation(id=operation_id, **description))


def attach(operation: Operation) -> Callable[[View], View]:
    """Give a view its description."""

    def describing(view: View) -> View:
        view.operation = operation  # type: ignore[attr-defined]
        return view

    return describing


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """Return the description of a view; None if it has none."""
    return getattr(view, "operation", None)
