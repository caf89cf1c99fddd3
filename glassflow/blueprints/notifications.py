"""Notifications: private to the worker whom they are for."""

from typing import Any

from glassflow.core.channel import Channel
from glassflow.models.notification import Notification
from glassflow.schemas.notification import NotificationSchema
from glassflow.services import notifications
from glassflow.services.identity import Identity
from glassflow.web.resource import Keys, Resource


def own(who: Identity) -> dict[str, Any]:
    """Let a worker see only their own, unless they manage all notifications."""
    return {} if who.may("notifications:manage") else {"recipient": who.worker_id}


resource = Resource(
    name="notifications",
    model=Notification,
    schema=NotificationSchema(),
    keys=Keys.of("notifications"),
    channel=Channel("notification"),
    update_with=notifications.update,
    owners=("recipient",),
    scope=own,
)
blueprint = resource.blueprint()
