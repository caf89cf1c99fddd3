"""The request body schema of a role."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Text


class RoleSchema(RecordSchema):
    """The fields that a client writes; that the keys are known ones is checked by the service."""

    server_owned = frozenset({"isSystem"})

    name = Text(required=True, minimum=1)
    slug = Text(maximum=64)
    description = Text()
    permissions = fields.List(Text(minimum=1, maximum=100))
