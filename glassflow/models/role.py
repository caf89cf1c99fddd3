"""Roles: what the workers who have them may do."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.models.base import Record


class Role(Record):
    """A named bundle of permission keys; `*` among them means every key."""

    meta = {
        "collection": "roles",
        "indexes": [{"fields": ["slug"], "unique": True}, "permissions"],
    }
    label = "Role"

    name = StringField(required=True)
    slug = StringField(required=True)
    description = StringField(default="")
    permissions = ListField(StringField())
    is_system = BooleanField(default=False)
