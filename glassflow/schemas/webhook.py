"""The request body schemas of a webhook."""

from marshmallow import fields

from glassflow.domain.webhooks import MAX_URL
from glassflow.schemas.base import RecordSchema, StrictBoolean, Text
from glassflow.schemas.library_messages import Length

MAX_EVENTS, MAX_EVENT_NAME, MAX_SECRET = 100, 100, 200


class WebhookSchema(RecordSchema):
    """The fields that a client writes; `events` are names of events, or `*` for all."""

    server_owned = frozenset({"owner", "disabledReason"})

    url = Text(required=True, minimum=1, maximum=MAX_URL)
    events = fields.List(
        Text(required=True, minimum=1, maximum=MAX_EVENT_NAME),
        required=True,
        validate=Length(min=1, max=MAX_EVENTS),
    )
    is_active = StrictBoolean()


class NewWebhookSchema(WebhookSchema):
    """A webhook and its secret, which is generated if there is none in the body."""

    secret = Text(minimum=1, maximum=MAX_SECRET, load_only=True)


class SecretSchema(RecordSchema):
    """The secret that replaces that of a webhook; generated if there is none."""

    secret = Text(minimum=1, maximum=MAX_SECRET, load_only=True)
