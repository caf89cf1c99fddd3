"""Notifications: what one worker is told."""

from mongoengine import BooleanField, StringField

from glassflow.models.base import Choice, Record, Ref

PRIORITIES = ("low", "medium", "high", "urgent")


class Notification(Record):
    """A message to one worker, private to them; it may point at a record."""

    meta = {
        "collection": "notifications",
        "indexes": [("recipient", "created_at")],
    }
    label = "Notification"

    recipient = Ref("Worker", required=True)
    type = StringField(required=True)
    title = StringField(required=True)
    message = StringField()
    reference_id = StringField()
    reference_type = StringField()
    priority = Choice(*PRIORITIES, default="medium")
    read_status = BooleanField(default=False)
