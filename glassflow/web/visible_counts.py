"""Answers of counts about one record, by resource."""

from collections.abc import Callable

from bson import ObjectId
from flask import Response

from glassflow.domain.permissions import view_key
from glassflow.web.auth import current_identity
from glassflow.web.envelope import reply
from glassflow.web.resource import Resource


def respond(
    resource: Resource,
    record_id: str,
    count: Callable[[ObjectId], dict[str, int]],
    message: str,
) -> Response:
    """Build the answer from what `count` returns by the names of resources.

    A count is null without the view key of its resource. Raises `NotFound`.
    """
    raw = resource.read_visible(record_id)
    may = current_identity().may
    counted = count(raw["_id"])
    shown = {name: n if may(view_key(name)) else None for name, n in counted.items()}
    return reply(shown, message)
