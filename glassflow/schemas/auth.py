"""The bodies of login, of identifying on a device, and of changes to one's own record."""

from marshmallow import fields

from glassflow.schemas.base import RecordSchema, Reference, Text, UTCDateTime
from glassflow.schemas.library_messages import Length
from glassflow.schemas.worker import NotificationPreferences, Password, Username

MAX_SCOPES = 100


class LoginSchema(RecordSchema):
    """A username and a password; no length limits, so login reveals no password rules."""

    username = Username(required=True)
    password = Password(required=True)


class MeSchema(RecordSchema):
    """What workers may change of their own record; a new password needs the current."""

    name = Text(required=True, minimum=1)
    username = Username(required=True, minimum=1, maximum=64)
    password = Password(required=True, new=True)
    current_password = Password()
    notification_preferences = fields.Nested(NotificationPreferences)


class BadgeSchema(RecordSchema):
    """The code of a badge, as it was scanned."""

    code = Text(required=True, minimum=1, maximum=100)


class DevicePinSchema(RecordSchema):
    """A worker, who was chosen by name, and the PIN."""

    worker = Reference(required=True)
    pin = Password(required=True)


class PinSchema(RecordSchema):
    """A new PIN of a worker."""

    pin = Password(required=True)


class OwnPinSchema(PinSchema):
    """A new PIN of one's own, and the current password."""

    current_password = Password(required=True)


class ClearPinSchema(RecordSchema):
    """The current password, which is needed on a shared device."""

    current_password = Password()


class ApiKeySchema(RecordSchema):
    """A new API key: what it is for, what it may do, and when it ends."""

    name = Text(required=True, minimum=1, maximum=100)
    scopes = fields.List(
        Text(required=True, minimum=1, maximum=100),
        required=True,
        validate=Length(min=1, max=MAX_SCOPES),
    )
    expires_at = UTCDateTime()


class OwnApiKeySchema(ApiKeySchema):
    """A new API key of one's own, and the current password."""

    current_password = Password(required=True)


class BadgeHoldersSchema(RecordSchema):
    """The workers who get a badge if they have none; without `ids` all who may get one."""

    ids = fields.List(Reference(), validate=Length(min=1))
