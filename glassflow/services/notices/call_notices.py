"""Notifications of calls: to all who may answer, until somebody comes."""

from glassflow.domain import texts
from glassflow.domain.notifications import NotificationPriority, NotificationType
from glassflow.models.call import Call
from glassflow.models.notification import Notification
from glassflow.models.station import Station
from glassflow.services import records


def send(call: Call) -> None:
    """Notify the workers who are `notified` of a call; inside the unit of work."""
    station = Station.find_one({"_id": call.station})
    kind = texts.CALL_KINDS[call.kind]
    what = texts.MACHINE_STANDS if call.machine_stands else kind
    text = texts.CALL_MESSAGE_WITH_REASON if call.reason else texts.CALL_MESSAGE
    notices = [
        Notification(
            recipient=recipient,
            type=NotificationType.STATION_CALL,
            title=texts.CALL_AT_STATION.format(station=station.name if station else ""),
            message=text.format(
                what=what, name=call.called_by_name, reason=call.reason
            ),
            reference_id=str(call.pk),
            reference_type=Call.label,
            priority=NotificationPriority.HIGH,
        )
        for recipient in call.notified
    ]
    records.store(*notices)


def read(call: Call) -> None:
    """Mark the notifications of a call as read: somebody comes, or it has ended."""
    query = {
        "recipient": {"$in": call.notified},
        "readStatus": False,
        "referenceId": str(call.pk),
    }
    unread = Notification.find_many(query) if call.notified else []
    for one in unread:
        one.read_status = True
    records.write(*unread)
