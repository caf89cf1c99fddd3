"""Building blocks of the JSON Schemas by which the API is described.

A shape is a JSON Schema (2020-12) as a dictionary that nobody changes. An object with a
`title` becomes a component of the document under this name, and is written once. `record`
refers to the wire form of a model, which `glassflow.api_docs.record_schemas` describes.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

Shape = Mapping[str, Any]

COMPONENTS = "#/components/schemas/"

ANYTHING: Shape = {}
NULL: Shape = {"type": "null"}
TEXT: Shape = {"type": "string"}
BYTES: Shape = {"type": "string", "format": "binary"}
BOOLEAN: Shape = {"type": "boolean"}
INTEGER: Shape = {"type": "integer"}
COUNT: Shape = {"type": "integer", "minimum": 0}
NUMBER: Shape = {"type": "number"}
ID: Shape = {"$ref": f"{COMPONENTS}Id"}
TIME: Shape = {"$ref": f"{COMPONENTS}Time"}
FREE_OBJECT: Shape = {"type": "object", "additionalProperties": True}
# The members of a refusal, fault or warning that say in words what it is.
MESSAGE: Mapping[str, Shape] = {
    "message": TEXT,
    "localMessage": {
        "type": "string",
        "description": "The message in Thai or English, for requests with "
        "`Accept-Language`.",
    },
}
LOCAL = ("localMessage",)  # the optional one of them


def record(model: str) -> Shape:
    """Return the shape of a record of a model, by the name of its class."""
    return {"$ref": f"{COMPONENTS}{model}"}


def file(media: str) -> Shape:
    """Return the shape of a body of a media type that is no JSON: a text, or bytes."""
    return TEXT if media.startswith("text/") else BYTES


def array(items: Shape) -> Shape:
    """Return the shape of a list of items of one shape."""
    return {"type": "array", "items": items}


def mapping(values: Shape) -> Shape:
    """Return the shape of an object with free keys, and with values of one shape."""
    return {"type": "object", "additionalProperties": values}


def members(
    properties: Mapping[str, Shape],
    *,
    optional: Iterable[str] = (),
    is_open: bool = False,
    title: str = "",
    description: str = "",
) -> Shape:
    """Return the shape of an object; all members but the `optional` ones are required.

    With `is_open` it may have other members too.
    """
    left_out = set(optional)
    shape: dict[str, Any] = {"title": title} if title else {}
    if description:
        shape["description"] = description
    shape |= {"type": "object", "properties": dict(properties)}
    required = [name for name in properties if name not in left_out]
    if required:
        shape["required"] = required
    if is_open:
        shape["additionalProperties"] = True
    return shape


def nullable(shape: Shape) -> Shape:
    """Return the shape that takes null too."""
    kind = shape.get("type")
    if isinstance(kind, str) and not {"enum", "const", "title"} & shape.keys():
        return {**shape, "type": [kind, "null"]}
    return any_of(shape, NULL) if shape and shape != NULL else shape


def any_of(*shapes: Shape) -> Shape:
    """Return the shape of what has one of several shapes."""
    flat = [inner for shape in shapes for inner in _alternatives(shape)]
    return {"anyOf": [one for n, one in enumerate(flat) if one not in flat[:n]]}


def _alternatives(shape: Shape) -> list[Shape]:
    return list(shape["anyOf"]) if shape.keys() == {"anyOf"} else [shape]


def choice(values: Iterable[str] | type[StrEnum]) -> Shape:
    """Return the shape of one text of a list."""
    return {"type": "string", "enum": [str(value) for value in values]}


def described(shape: Shape, description: str) -> Shape:
    """Return the shape with a description for its readers."""
    return {**shape, "description": description}
