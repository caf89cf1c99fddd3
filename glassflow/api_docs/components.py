"""Components of a document: what is written once and referred to by name."""

import json
import re
from collections.abc import Mapping
from typing import Any

from glassflow.schemas.answers.tables import ROW_FAULT
from glassflow.schemas.shapes import (
    BOOLEAN,
    COMPONENTS,
    COUNT,
    FREE_OBJECT,
    LOCAL,
    MESSAGE,
    TEXT,
    Shape,
    any_of,
    array,
    described,
    mapping,
    members,
    nullable,
)

_FAULT = members({"field": TEXT, **MESSAGE}, optional=LOCAL, title="Fault")
_REFERENCE = re.compile(f'"{COMPONENTS}' + r'(\w+)"')
# Shapes to which others refer by name only.
BASIC: Mapping[str, Shape] = {
    "Id": {"type": "string", "pattern": "^[0-9a-fA-F]{24}$"},
    "Time": {
        "type": "string",
        "format": "date-time",
        "description": "ISO 8601; the service answers in UTC with milliseconds and `Z`. "
        "A request may have a date (`2026-11-26`): the start of that day in the "
        "setting `TIMEZONE`, in a filter the whole day.",
    },
}
PAGINATION = members(
    {
        "page": described(COUNT, "The number of the page; not with `cursor`."),
        "limit": COUNT,
        "total": COUNT,
        "totalPages": COUNT,
        "next": described(
            nullable(TEXT), "The cursor of the next page; only with `cursor`."
        ),
        "more": described(
            BOOLEAN, "There may be more than `total`, which was not counted whole."
        ),
        "counts": described(
            mapping(COUNT), "How many of each kind; of due orders only."
        ),
    },
    optional=("page", "next", "more", "counts"),
    title="Pagination",
)
WARNINGS = described(array(_FAULT), "Fields of the body that were ignored.")
_CODED = members(
    {"code": TEXT},
    is_open=True,
    title="CodedError",
    description="A code with its facts.",
)
PROBLEM = members(
    {
        "success": {"const": False},
        **MESSAGE,
        "errors": any_of(array(_FAULT), array(ROW_FAULT), _CODED, FREE_OBJECT),
    },
    optional=("errors", *LOCAL),
    title="Problem",
    description="A request that was refused or failed; nothing has been changed.",
)


class Components:
    """Collects the shapes with titles, and replaces them by references."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        """Begin with shapes that others refer to by name."""
        self._shapes: dict[str, Any] = {}
        for name, shape in shapes.items():
            self._shapes[name] = self._inside(shape)

    def refer(self, shape: Shape) -> dict[str, Any]:
        """Return the shape with references in place of objects with titles.

        Raises `ValueError` for two different shapes with one title.
        """
        inner = self._inside(shape)
        title = inner.get("title")
        if title is None or inner.get("type") != "object":
            return inner
        if self._shapes.setdefault(title, inner) != inner:
            raise ValueError(f"two shapes are called {title}")
        return {"$ref": f"{COMPONENTS}{title}"}

    def used_by(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the components to which a document refers, directly or not, sorted."""
        used: dict[str, Any] = {}
        pending = _REFERENCE.findall(json.dumps(document))
        while pending:
            name = pending.pop()
            if name not in used:
                used[name] = self._shapes[name]
                pending += _REFERENCE.findall(json.dumps(used[name]))
        return dict(sorted(used.items()))

    def _inside(self, shape: Shape) -> dict[str, Any]:
        return {
            name: value if name == "example" else self._value(value)
            for name, value in shape.items()
        }

    def _value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.refer(value)
        if isinstance(value, (list, tuple)):
            return [self._value(one) for one in value]
        return value
