"""Bulk creates: a POST of `{items: [...]}` makes many records, all or none."""

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.web.auth import current_identity
from glassflow.web.body import json_body, read_body


def is_asked(items: RecordSchema | None) -> TypeGuard[RecordSchema]:
    """Return whether the body of a POST is that of a bulk create.

    `items` is the schema of such a body, None for a resource without bulk creates.
    """
    return items is not None and "items" in json_body()


def create(
    items: RecordSchema,
    model: type[Record],
    create_all_with: Callable[..., Sequence[Any]],
) -> Sequence[Any]:
    """Create the items of the body; return what was made of each."""
    values = read_body(items)["items"]
    return create_all_with(model=model, items=values, actor=current_identity())
