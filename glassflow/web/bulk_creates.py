"""Bulk creates: a POST of `{items: [...]}` makes many records, all or none."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glassflow.web.auth import current_identity
from glassflow.web.body import json_body, read_body

if TYPE_CHECKING:
    from glassflow.web.resource import Resource


def is_asked(resource: "Resource") -> bool:
    """Return whether the body of a POST is that of a bulk create."""
    return resource.items is not None and "items" in json_body()


def create(resource: "Resource") -> Sequence[Any]:
    """Create the items of the body; return what was made of each."""
    assert resource.items is not None
    assert resource.create_all_with is not None
    items = read_body(resource.items)["items"]
    return resource.create_all_with(
        model=resource.model, items=items, actor=current_identity()
    )
