"""Workers, who log in, scan and are notified."""

from typing import Any

from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    StringField,
)

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, ObjectField, Ref


def default_preferences() -> dict[str, Any]:
    """Return the default notification preferences; `volume` is 0 to 1."""
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
    """A worker with a login; the username is stored in lower case.

    Tokens issued before `tokens_valid_from` are invalid, except `kept_token`;
    `revoked_tokens` are `{digest, expiresAt}` of tokens that were logged out.

    `station` binds the account of a shared device to a station; null for all others.
    `badge_issued_at` and `pin_set_at` are null for a worker without a badge or a PIN. The
    code of a badge is made from `badge_nonce` (`services.auth.badges`); it is found by
    `badge_digest`. `pin_failures` counts the wrong PINs since the last right one.

    Who has to change the password (`password_change_required`) may do nothing else.
    `api_keys` are `{prefix, digest, name, scopes, createdAt, expiresAt}`; they are found by
    `api_key_prefixes` (`services.auth.api_keys`).
    """

    meta = {
        "collection": "workers",
        "indexes": [
            {"fields": ["username"], "unique": True},
            "role",
            {"fields": ["badge_digest"], "unique": True, "sparse": True},
            {"fields": ["station"], "sparse": True},
            "api_key_prefixes",
        ],
    }
    label = Bilingual("Worker", th="พนักงาน")
    hidden = (
        "passwordHash",
        "tokensValidFrom",
        "keptToken",
        "revokedTokens",
        "badgeNonce",
        "badgeDigest",
        "pinHash",
        "pinFailures",
        "passwordChangeRequired",
        "apiKeys",
        "apiKeyPrefixes",
    )
    secret = hidden

    name = StringField(required=True)
    username = StringField(required=True)
    position = StringField(default="")
    role = Ref("Role", required=True)
    is_active = BooleanField(default=True)
    notification_preferences = ObjectField(shape=default_preferences)
    station = Ref("Station")
    badge_issued_at = DateTimeField()
    pin_set_at = DateTimeField()

    password_hash = StringField()
    password_change_required = BooleanField()
    tokens_valid_from = DateTimeField()
    kept_token = StringField()
    revoked_tokens = ListField(JSONField())
    badge_nonce = StringField()
    badge_digest = StringField()
    pin_hash = StringField()
    pin_failures = IntField()
    api_keys = ListField(JSONField())
    api_key_prefixes = ListField(StringField())
