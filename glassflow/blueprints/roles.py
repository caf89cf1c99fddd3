"""Roles, and the catalogue of permission keys."""

from flask import Response

from glassflow.domain import error_codes, permissions
from glassflow.models.role import Role
from glassflow.schemas.answers.reports import PERMISSION_KEYS
from glassflow.schemas.role import RoleSchema
from glassflow.services.auth import roles
from glassflow.services.events.event_route import EventRoute
from glassflow.web.auth import any_worker
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="roles",
    model=Role,
    schema=RoleSchema(),
    keys=Keys.of("roles"),
    events=EventRoute("role:updated", rooms=("dashboard",)),
    create_with=roles.create,
    update_with=roles.update,
    codes=tuple(error_codes.ACCOUNTS),
)
blueprint = resource.blueprint()


@blueprint.get("/permissions")
@any_worker
@describe("list_permission_keys", answer=PERMISSION_KEYS)
def catalogue() -> Response:
    """List every permission key."""
    return reply(list(permissions.ALL_KEYS), "Permission keys")
