"""Answers about the deliveries of webhooks."""

from glassflow.domain.webhooks import DeliveryStatus
from glassflow.schemas.shapes import (
    COUNT,
    ID,
    INTEGER,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

DELIVERY = members(
    {
        "_id": ID,
        "status": choice(DeliveryStatus),
        "event": nullable(TEXT),
        "eventId": described(
            nullable(TEXT), "The `webhook-id`, the same however often it is sent."
        ),
        "seq": COUNT,
        "upto": described(COUNT, "As `seq`; of lost events the last one's."),
        "at": nullable(TIME),
        "attempts": COUNT,
        "triedAt": TIME,
        "deliveredAt": nullable(TIME),
        "answered": described(nullable(INTEGER), "The HTTP status of the last answer."),
        "fault": described(nullable(TEXT), "Why the last attempt failed."),
    },
    title="WebhookDelivery",
)
PROGRESS = members(
    {
        "position": described(
            COUNT, "The number of the last event that is dealt with."
        ),
        "end": described(COUNT, "The number of the newest event."),
        "failures": COUNT,
        "failingSince": nullable(TIME),
        "nextAt": nullable(TIME),
        "lastFault": nullable(TEXT),
        "deliveredAt": nullable(TIME),
        "parked": COUNT,
    },
    title="WebhookProgress",
)
DELIVERIES = members(
    {
        "progress": PROGRESS,
        "deliveries": array(DELIVERY),
        "next": described(nullable(COUNT), "The `before` of the next page, if any."),
    },
    title="WebhookDeliveries",
)
