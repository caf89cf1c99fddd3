"""The people of the workshop, who log in, scan and are notified."""

from typing import Any

from mongoengine import BooleanField, DateTimeField, ListField, StringField

from glassflow.models.base import JSONField, ObjectField, Record, Ref


def usual_preferences() -> dict[str, Any]:
    """How a worker is notified until they say otherwise; `volume` is 0 to 1."""
    return {
        "enabled": True,
        "volume": 0.6,
        "sounds": {
            "low": "soft_pop",
            "medium": "ding",
            "high": "alert",
            "urgent": "alert",
        },
    }


class Worker(Record):
    """Somebody who may log in. The username is kept in lower case.

    `tokens_valid_from` ends all tokens given before, but the one named `kept_token`;
    `revoked_tokens` are `{digest, expiresAt}` of those that were logged out.
    """

    meta = {
        "collection": "workers",
        "indexes": [{"fields": ["username"], "unique": True}, "role"],
    }
    label = "Worker"
    hidden = ("passwordHash", "tokensValidFrom", "keptToken", "revokedTokens")

    name = StringField(required=True)
    username = StringField(required=True)
    position = StringField(default="")
    role = Ref("Role", required=True)
    is_active = BooleanField(default=True)
    notification_preferences = ObjectField(default=usual_preferences)

    password_hash = StringField()
    tokens_valid_from = DateTimeField()
    kept_token = StringField()
    revoked_tokens = ListField(JSONField())
