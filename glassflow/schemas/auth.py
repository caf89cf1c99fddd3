"""The wire shapes of logging in and of one's own record."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Text
from glassflow.schemas.worker import NotificationPreferences, Password, Username


class LoginSchema(RecordSchema):
    """A username and its password; how long either is, is not for login to tell."""

    username = Username(required=True)
    password = Password(required=True)


class MeSchema(RecordSchema):
    """What workers change about themselves; a new password needs the current one."""

    server_owned = frozenset({"role", "position", "isActive"})

    name = Text(required=True, minimum=1)
    username = Username(required=True, minimum=1, maximum=64)
    password = Password(required=True, new=True)
    current_password = Password()
    notification_preferences = fields.Nested(NotificationPreferences)
