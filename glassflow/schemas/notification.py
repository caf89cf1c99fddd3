"""The wire shape of a notification."""

from glassflow.models.notification import PRIORITIES
from glassflow.schemas.base import Choice, Flag, RecordSchema, Reference, Text


class NotificationSchema(RecordSchema):
    """What a client writes; `type` is a word of the sender's choice."""

    recipient = Reference(required=True)
    type = Text(required=True, minimum=1)
    title = Text(required=True, minimum=1)
    message = Text()
    reference_id = Text(minimum=1)
    reference_type = Text(minimum=1)
    priority = Choice(*PRIORITIES)
    read_status = Flag()
