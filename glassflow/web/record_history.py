"""The history of one record as a response."""

from typing import Any

from bson import ObjectId
from flask import Response, request

from glassflow.domain.errors import NotFound
from glassflow.schemas.shapes import COUNT
from glassflow.services import history
from glassflow.web.auth import current_identity
from glassflow.web.declaration import ResourceDeclaration
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter
from glassflow.web.query import read_number

DEFAULT_LIMIT, MAX_LIMIT = 50, 200  # changes in an answer
PAGE = (
    Parameter(
        name="before",
        description="Only the changes with smaller numbers.",
        shape=COUNT,
    ),
    Parameter(
        name="limit",
        description="Changes in an answer; clamped.",
        shape={"type": "integer", "default": DEFAULT_LIMIT},
    ),
)


def respond(resource: ResourceDeclaration, record_id: str, *, mode: str) -> Response:
    """Send the changes of a record, which may be deleted; raises as `read_visible`."""
    before = read_number(request.args, "before")
    wanted = read_number(request.args, "limit", DEFAULT_LIMIT) or 1
    history.update()
    caller, key = current_identity(), _key(resource, record_id)
    found = history.entries(
        resource.model,
        key,
        before=before,
        limit=min(wanted, MAX_LIMIT),
        mode=mode,
        may=caller.may,
        # the one's own record, or who may set what the names tell of
        names_hidden=caller.may(resource.keys.manage) or key == caller.worker_id,
    )
    return reply(found, "History")


def _key(resource: ResourceDeclaration, record_id: str) -> Any:
    try:
        return resource.read_visible(record_id)["_id"]
    except NotFound:
        is_id = ObjectId.is_valid(record_id)
        key = ObjectId(record_id) if is_id else None
        deleted = history.deleted_form(resource.model, key) if key else None
        if deleted is None:
            raise
        resource.require_in_scope(deleted)
        return key
