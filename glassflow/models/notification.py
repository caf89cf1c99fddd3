"""Notifications: messages to single workers."""

from mongoengine import BooleanField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.notifications import NotificationPriority
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, Ref


class Notification(Record):
    """A message to one worker, private to them; it may refer to a record."""

    meta = {
        "collection": "notifications",
        "indexes": [for_lists("recipient"), for_lists("recipient", "read_status")],
    }
    label = Bilingual("Notification", th="การแจ้งเตือน")
    has_history = False  # to read one would cost another round trip

    recipient = Ref("Worker", required=True)
    type = StringField(required=True)
    title = StringField(required=True)
    message = StringField(default="")
    reference_id = StringField()
    reference_type = StringField()
    priority = Choice(*NotificationPriority, default=NotificationPriority.MEDIUM)
    read_status = BooleanField(default=False)
