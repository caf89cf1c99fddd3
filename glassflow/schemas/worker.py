"""The wire shapes of a worker and of what a worker logs in with."""

from typing import Any

from marshmallow import fields, validate

from glassflow.models.worker import usual_preferences
from glassflow.schemas.base import Flag, Number, RecordSchema, Reference, Text
from glassflow.schemas.shapes import Filled

USUAL = usual_preferences()


class Password(fields.String):
    """A password, exactly as it is typed; a new one has 6 to 128 characters."""

    def __init__(self, *, new: bool = False, **options: Any):
        super().__init__(load_only=True, **options)
        if new:
            self.validators.append(validate.Length(min=6, max=128))


class Username(Text):
    """A name to log in with; capitals make no difference."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        return super()._deserialize(value, *args, **kwargs).lower()


class Sounds(Filled):
    """The name of a sound for each priority."""

    low = Text(load_default=USUAL["sounds"]["low"])
    medium = Text(load_default=USUAL["sounds"]["medium"])
    high = Text(load_default=USUAL["sounds"]["high"])
    urgent = Text(load_default=USUAL["sounds"]["urgent"])


class NotificationPreferences(Filled):
    """How a worker is notified; `volume` is 0 to 1."""

    enabled = Flag(load_default=USUAL["enabled"])
    volume = Number(minimum=0, maximum=1, load_default=USUAL["volume"])
    sounds = fields.Nested(Sounds, load_default=lambda: usual_preferences()["sounds"])


class WorkerSchema(RecordSchema):
    """What a client writes; the password is never read back."""

    name = Text(required=True, minimum=1)
    username = Username(required=True, minimum=1, maximum=64)
    password = Password(required=True, new=True)
    position = Text(required=True, minimum=1)
    role = Reference(required=True)
    is_active = Flag()
    notification_preferences = fields.Nested(NotificationPreferences)
