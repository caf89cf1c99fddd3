"""docs/openapi.json: the description of all requests, in a form that shows its changes."""

import json
from collections.abc import Iterator
from typing import Any

WIDTH = 120  # of what stands on one line


def openapi_file(document: Any) -> str:
    """Return the file: JSON with a line for each part that is short enough."""
    return "".join(_lines(document, "")) + "\n"


def _lines(value: Any, indent: str) -> Iterator[str]:
    """Yield the parts of a value, which begins where the line before it has ended."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= WIDTH or not isinstance(value, (dict, list, tuple)):
        yield short
        return
    is_object = isinstance(value, dict)
    inner = indent + " "
    yield "{" if is_object else "["
    for number, part in enumerate(value):
        yield f",\n{inner}" if number else f"\n{inner}"
        if is_object:
            yield f"{json.dumps(part, ensure_ascii=False)}: "
        yield from _lines(value[part] if is_object else part, inner)
    yield f"\n{indent}{'}' if is_object else ']'}"
