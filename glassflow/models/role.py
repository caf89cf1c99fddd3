"""Roles: the permission keys of their workers."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record


class Role(Record):
    """A named set of permission keys; `*` stands for every key."""

    meta = {
        "collection": "roles",
        "indexes": [{"fields": ["slug"], "unique": True}, "permissions"],
    }
    label = Bilingual("Role", th="บทบาท")

    name = StringField(required=True)
    slug = StringField(required=True)
    description = StringField(default="")
    permissions = ListField(StringField())
    is_system = BooleanField(default=False)
