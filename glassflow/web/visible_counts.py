"""Answers of counts about one record, by resource."""

from collections.abc import Callable
from typing import Any

from bson import ObjectId
from flask import Response

from glassflow.domain.permissions import view_key
from glassflow.services.records.restricted_fields import may_read
from glassflow.web.auth import current_identity
from glassflow.web.envelope import reply
from glassflow.web.resource import Resource


def respond(
    resource: Resource,
    record_id: str,
    count: Callable[[ObjectId], dict[str, Any]],
    message: str,
) -> Response:
    """Build the answer from what `count` returns by the names of resources.

    A count is null without the view key of its resource, and `price`, which is that of
    panes, for a caller who is not shown prices. Raises `NotFound`.
    """
    raw = resource.read_visible(record_id)
    counted = count(raw["_id"])
    shown = {name: one if _may_see(name) else None for name, one in counted.items()}
    return reply(shown, message)


def _may_see(name: str) -> bool:
    may = current_identity().may
    return may_read("Pane", may) if name == "price" else may(view_key(name))
