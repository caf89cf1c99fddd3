"""Examples of bodies and answers, recorded from the tests by `make examples`."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).with_name("examples.json")


@cache
def read_examples() -> Mapping[str, Mapping[str, Any]]:
    """Return `bodies` and `answers`, each by the id of its operation."""
    found: dict[str, dict[str, Any]] = json.loads(EXAMPLES.read_text("utf-8"))
    return found


def content_of(shape: Any, kind: str, operation_id: str) -> dict[str, Any]:
    """Return the description of JSON with a shape, and its example if there is one.

    `kind` is `bodies` or `answers`.
    """
    example = read_examples()[kind].get(operation_id)
    return (
        {"schema": shape} if example is None else {"schema": shape, "example": example}
    )
