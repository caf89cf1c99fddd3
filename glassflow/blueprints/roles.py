"""Roles, and the catalogue of permission keys that they are made of."""

from flask import Response

from glassflow.domain import permissions
from glassflow.models.role import Role
from glassflow.schemas.role import RoleSchema
from glassflow.services import roles
from glassflow.web.auth import any_worker
from glassflow.web.envelope import reply
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="roles",
    model=Role,
    schema=RoleSchema(),
    keys=Keys.of("roles"),
    create_with=roles.create,
    update_with=roles.update,
    delete_with=roles.delete,
)
blueprint = resource.blueprint()


@blueprint.get("/permissions")
@any_worker
def catalogue() -> Response:
    """List every permission key."""
    return reply(list(permissions.ALL_KEYS), "Permission keys")
