"""Convert Python names to wire names."""

from functools import cache


@cache
def camel(name: str) -> str:
    """Return the camelCase form of a snake_case name: `order_number` → `orderNumber`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
