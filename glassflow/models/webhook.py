"""Webhooks: where events are sent as HTTP requests."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, Ref


class Webhook(Record):
    """An address that gets the events of these names; `*` are all.

    `owner` is who created or last enabled it: it delivers only while they may do
    everything. `disabled_reason` is why the service has disabled it, if it has. `secrets`
    are `{secret, until}`, the newest first; an older one signs too until it ends.
    """

    meta = {"collection": "webhooks", "indexes": ["owner"]}
    label = Bilingual("Webhook", th="เว็บฮุก")
    hidden = secret = ("secrets",)

    url = StringField(required=True)
    events = ListField(StringField())
    is_active = BooleanField(default=True)
    owner = Ref("Worker")
    disabled_reason = StringField()
    secrets = ListField(JSONField())
