"""Notifications: a recipient reads and changes theirs, but does not pass it on to others."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.notification import Notification
from glassflow.services import records

READ_AT_ONCE = 500  # in one transaction


@unit_of_work
def update(
    *,
    model: type[Notification],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Notification:
    """Change a notification.

    Raises `NotFound`, and `Forbidden` for another recipient without the key
    `notifications:manage`.
    """
    found = records.load(Notification, record_id)
    if values.get("recipient", found.recipient) != found.recipient:
        actor.require("notifications:manage")
    return records.update(
        model=Notification, record_id=record_id, values=values, actor=actor
    )


def read_all(*, actor: Identity) -> int:
    """Mark the actor's notifications as read, and return how many were unread."""
    count = 0
    while True:
        read = _read_some(actor)
        count += read
        if read < READ_AT_ONCE:
            return count


@unit_of_work
def _read_some(actor: Identity) -> int:
    unread = Notification.objects(recipient=actor.worker_id, read_status__ne=True)
    found = list(unread.limit(READ_AT_ONCE))
    for one in found:
        one.read_status = True
    records.write(*found)  # reading a notification is no event
    return len(found)
