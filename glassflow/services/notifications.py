"""Notifications: their recipients may mark them, and not send them on to others."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.notification import Notification
from glassflow.services import records
from glassflow.services.identity import Identity


@unit_of_work
def update(
    *,
    model: type[Notification],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Notification:
    """Change a notification. Another recipient needs `notifications:manage`."""
    found = records.get(Notification, record_id)
    if values.get("recipient", found.recipient) != found.recipient:
        actor.demand("notifications:manage")
    return records.update(
        model=Notification, record_id=record_id, values=values, actor=actor
    )
