"""Request body schemas of a worker and of what a worker logs in with."""

from typing import Any

from marshmallow import fields

from glassflow.domain.unicode_text import as_username
from glassflow.models.worker import default_preferences
from glassflow.schemas.base import (
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)
from glassflow.schemas.embedded import DefaultedSchema
from glassflow.schemas.library_messages import Length

DEFAULTS = default_preferences()


class Password(fields.String):
    """A password, exactly as typed; a new one has 6 to 128 characters."""

    def __init__(self, *, new: bool = False, **options: Any):
        super().__init__(load_only=True, **options)
        if new:
            self.validators.append(Length(min=6, max=128))


class Username(Text):
    """A login name, converted to lower case."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        return as_username(super()._deserialize(value, *args, **kwargs))


class Sounds(DefaultedSchema):
    """The name of a sound for each priority."""

    low = Text(load_default=DEFAULTS["sounds"]["low"])
    medium = Text(load_default=DEFAULTS["sounds"]["medium"])
    high = Text(load_default=DEFAULTS["sounds"]["high"])
    urgent = Text(load_default=DEFAULTS["sounds"]["urgent"])


class NotificationPreferences(DefaultedSchema):
    """How a worker is notified; `volume` is 0 to 1."""

    enabled = StrictBoolean(load_default=DEFAULTS["enabled"])
    volume = Number(minimum=0, maximum=1, load_default=DEFAULTS["volume"])
    sounds = fields.Nested(Sounds, load_default=lambda: default_preferences()["sounds"])


class WorkerSchema(RecordSchema):
    """The fields that a client writes; the password is never read back."""

    server_owned = frozenset({"badgeIssuedAt", "pinSetAt"})

    name = Text(required=True, minimum=1)
    username = Username(required=True, minimum=1, maximum=64)
    password = Password(required=True, new=True)
    position = Text(required=True, minimum=1)
    role = Reference(required=True)
    is_active = StrictBoolean()
    station = Reference()
    notification_preferences = fields.Nested(NotificationPreferences)


class WorkerRowSchema(WorkerSchema):
    """A worker in a file, which has no password: who is new gets one later."""

    class Meta(WorkerSchema.Meta):
        exclude = ("password",)
