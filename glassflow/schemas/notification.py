"""The request body schema of a notification."""

from glassflow.domain.notifications import NotificationPriority
from glassflow.schemas.base import (
    Choice,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)


class NotificationSchema(RecordSchema):
    """The fields that a client writes; `type` is free text."""

    recipient = Reference(required=True)
    type = Text(required=True, minimum=1)
    title = Text(required=True, minimum=1)
    message = Text()
    reference_id = Text(minimum=1)
    reference_type = Text(minimum=1)
    priority = Choice(*NotificationPriority)
    read_status = StrictBoolean()
