"""Sends a delivery again that somebody has asked for."""

from collections.abc import Mapping
from typing import Any

from glassflow.core.events import event_log, webhook_log
from glassflow.core.events.event_log import Event
from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.jobs.webhooks import messages
from glassflow.jobs.webhooks.sender import Outcome
from glassflow.jobs.webhooks.state import in_time

Row = Mapping[str, Any]


def send(webhook: Row, found: Row, owner: Identity) -> None:
    """Send the event of a queued delivery as it was sent, or as the log has it."""
    event = Event(
        found["event"], b"", (), found["at"], id=found["eventId"], seq=found["seq"]
    )
    payload = found["payload"] and bytes(found["payload"])
    payload = payload or _message_of_log(event.id, owner)
    if payload is None:
        outcome = Outcome(None, texts.DELIVERY_EVENT_EXPIRED)
    else:
        outcome = messages.send(webhook, event.id, payload)
    delivered = outcome.is_delivered
    in_time(
        webhook_log.note_attempt,
        webhook["_id"],
        event,
        DeliveryStatus.DELIVERED if delivered else DeliveryStatus.PARKED,
        answered=outcome.answered,
        fault=outcome.fault,
        payload=None if delivered else payload,
        is_repeated=True,
    )


def _message_of_log(event_id: str, owner: Identity) -> bytes | None:
    event = in_time(event_log.find, event_id)
    return messages.body_of(event, owner) if event else None
