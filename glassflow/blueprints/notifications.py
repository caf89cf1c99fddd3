"""Notifications, private to their recipients."""

from typing import Any

from flask import Response

from glassflow.core.identity import Identity
from glassflow.models.notification import Notification
from glassflow.schemas.answers.reports import READ_COUNT
from glassflow.schemas.notification import NotificationSchema
from glassflow.services.events.event_route import EventRoute
from glassflow.services.notices import notifications
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource


def own_only(identity: Identity) -> dict[str, Any]:
    """Return the filter for one's own notifications; none with `notifications:manage`."""
    return (
        {}
        if identity.may("notifications:manage")
        else {"recipient": identity.worker_id}
    )


resource = Resource(
    name="notifications",
    model=Notification,
    schema=NotificationSchema(),
    keys=Keys.of("notifications"),
    events=EventRoute("notification"),
    update_with=notifications.update,
    owners=("recipient",),
    scope=own_only,
)
blueprint = resource.blueprint()


@blueprint.post("/read")
@require("notifications:view")
@describe("read_notifications", answer=READ_COUNT)
def read_all() -> Response:
    """Mark all notifications of one's own as read."""
    count = notifications.read_all(actor=current_identity())
    return reply({"updatedCount": count}, f"{count} read")
