"""The one place where a Python name becomes a wire name."""

from functools import cache


@cache
def camel(name: str) -> str:
    """Give the camelCase form of a snake_case name: `order_number` → `orderNumber`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
