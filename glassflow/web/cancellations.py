"""The answer that says what the cancellation of an order or a request would change."""

from collections.abc import Callable

from bson import ObjectId
from flask import Response

from glassflow.domain.permissions import view_key
from glassflow.web.auth import current_identity
from glassflow.web.envelope import reply
from glassflow.web.resource import Resource


def respond(
    resource: Resource, record_id: str, count: Callable[[ObjectId], dict[str, int]]
) -> Response:
    """Build the answer from `count`, with the parts whose view keys the caller holds.

    Raises `NotFound`.
    """
    raw = resource.read_visible(record_id)
    may = current_identity().may
    counted = count(raw["_id"])
    shown = {name: n if may(view_key(name)) else None for name, n in counted.items()}
    return reply(shown, "What a cancellation would change")
