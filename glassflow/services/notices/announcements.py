"""Events and notifications when work is assigned, arrives, moves on or is finished.

Stations receive live events; a worker receives a stored notification.
"""

from collections.abc import Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.store import outbox
from glassflow.domain import texts
from glassflow.domain.bilingual import THAI, Bilingual, listed
from glassflow.domain.notifications import NotificationPriority, NotificationType
from glassflow.models.claim import Claim
from glassflow.models.delivery import Delivery
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.models.webhook import Webhook
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.notices.events import (
    OrderCheckedIn,
    PaneArrived,
    PanesLaminated,
    SheetsReady,
    SheetsWaiting,
    StationNotification,
)


def pane_arrived(
    pane: Pane,
    *,
    left: str | None,
    station: str,
    station_name: str,
    assigned_to: ObjectId | None = None,
    is_remake: bool = False,
) -> None:
    """Announce a pane to the station it has arrived at, and notify the order's worker.

    `left` is the id of the station that the pane comes from; a remake comes from the
    station where the pane that it replaces failed.
    """
    outbox.send(
        PaneArrived(
            pane_number=pane.pane_number,
            pane_id=str(pane.pk),
            from_station=left,
            to_station=station,
            order_id=str(pane.order) if pane.order else None,
            is_remake=is_remake,
            stations=(station,),
        )
    )
    message = texts.PANE_ARRIVED_MESSAGE.format(
        pane=pane.pane_number, station=station_name
    )
    outbox.send(
        StationNotification(
            type=NotificationType.PANE_ARRIVED,
            title=texts.PANE_ARRIVED,
            message=message,
            reference_id=str(pane.pk),
            reference_type="Pane",
            priority=NotificationPriority.MEDIUM,
            stations=(station,),
        )
    )
    if assigned_to:
        _notify(
            assigned_to,
            pane,
            type=NotificationType.PANE_ARRIVED,
            title=texts.PANE_ARRIVED,
            message=message,
            priority=NotificationPriority.MEDIUM,
        )


def pane_completed(pane: Pane, *, assigned_to: ObjectId | None) -> None:
    """Notify the worker assigned to the order, if any, that a pane is finished."""
    if assigned_to:
        _notify(
            assigned_to,
            pane,
            type=NotificationType.PANE_COMPLETED,
            title=texts.PANE_COMPLETED,
            message=texts.PANE_COMPLETED_MESSAGE.format(pane=pane.pane_number),
            priority=NotificationPriority.LOW,
        )


def remade(
    remakes: Sequence[tuple[Pane, Pane]], *, recipient: ObjectId, notice: str
) -> None:
    """Notify a worker once of all remakes of an act: pairs of the new and the old pane.

    `notice` is the type of the notification, which refers to the first remake.
    """
    first, replaced = remakes[0]
    if len(remakes) == 1:
        message = texts.PANE_REMADE_MESSAGE.format(
            remake=first.pane_number, replaced=replaced.pane_number
        )
    else:
        message = texts.PANES_REMADE_MESSAGE.format(
            count=len(remakes), first=first.pane_number, last=remakes[-1][0].pane_number
        )
    _notify(
        recipient,
        first,
        type=NotificationType(notice),
        title=texts.PANE_REMADE,
        message=message,
        priority=NotificationPriority.HIGH,
    )


def assigned(record: Order | Request, *, recipient: ObjectId) -> None:
    """Notify a worker that an order or a request has been assigned to them."""
    if isinstance(record, Order):
        kind, title = NotificationType.ORDER_ASSIGNED, texts.ORDER_ASSIGNED
        message = texts.ORDER_ASSIGNED_MESSAGE.format(order=record.order_number)
    else:
        kind, title = NotificationType.REQUEST_ASSIGNED, texts.REQUEST_ASSIGNED
        message = texts.REQUEST_ASSIGNED_MESSAGE.format(request=record.request_number)
    priority = NotificationPriority.MEDIUM
    _notify(
        recipient, record, type=kind, title=title, message=message, priority=priority
    )


def claim_approved(claim: Claim, *, recipient: ObjectId) -> None:
    """Notify a worker that a claim has been approved."""
    _notify(
        recipient,
        claim,
        type=NotificationType.CLAIM_APPROVED,
        title=texts.CLAIM_APPROVED,
        message=texts.CLAIM_APPROVED_MESSAGE.format(claim=claim.claim_number),
        priority=NotificationPriority.HIGH,
    )


def quote_accepted(
    quote: Quote, remarks: Sequence[str], *, recipient: ObjectId
) -> None:
    """Notify a worker that the customer has accepted a quote by its link.

    `remarks` are what people have to know of the request.
    """
    accepted = texts.QUOTE_ACCEPTED_MESSAGE.format(
        name=quote.accepted_name, quote=quote.quote_number
    )
    _notify(
        recipient,
        quote,
        type=NotificationType.QUOTE_ACCEPTED,
        title=texts.QUOTE_ACCEPTED,
        message=listed([accepted, *remarks]).in_language(THAI),
        priority=NotificationPriority.HIGH,
    )


def acceptance_refused(
    quote: Quote, name: str, reason: str, *, recipient: ObjectId
) -> None:
    """Notify a worker that a customer, by this name, could not accept a quote."""
    _notify(
        recipient,
        quote,
        type=NotificationType.ACCEPTANCE_REFUSED,
        title=texts.ACCEPTANCE_REFUSED,
        message=texts.ACCEPTANCE_REFUSED_MESSAGE.format(
            name=name, quote=quote.quote_number, reason=reason
        ).in_language(THAI),
        priority=NotificationPriority.HIGH,
    )


def quote_declined(quote: Quote, *, recipient: ObjectId) -> None:
    """Notify a worker that the customer has declined a quote by its link."""
    _notify(
        recipient,
        quote,
        type=NotificationType.QUOTE_DECLINED,
        title=texts.QUOTE_DECLINED,
        message=texts.QUOTE_DECLINED_MESSAGE.format(
            name=quote.declined_name, quote=quote.quote_number
        ),
        priority=NotificationPriority.HIGH,
    )


def quote_change_asked(
    quote: Quote, *, name: str, text: str, recipient: ObjectId
) -> None:
    """Notify a worker that the customer, by this name, would like a quote changed."""
    _notify(
        recipient,
        quote,
        type=NotificationType.QUOTE_CHANGE_ASKED,
        title=texts.QUOTE_CHANGE_ASKED,
        message=texts.QUOTE_CHANGE_ASKED_MESSAGE.format(
            name=name, quote=quote.quote_number, text=text
        ),
        priority=NotificationPriority.HIGH,
    )


def delivery_incomplete(
    delivery: Delivery, panes: Bilingual, *, recipient: ObjectId
) -> None:
    """Notify a worker that panes of a delivery came back; `panes` counts them by reason."""
    _notify(
        recipient,
        delivery,
        type=NotificationType.DELIVERY_INCOMPLETE,
        title=texts.DELIVERY_INCOMPLETE,
        message=texts.DELIVERY_INCOMPLETE_MESSAGE.format(
            delivery=delivery.delivery_number,
            recipient=delivery.recipient,
            panes=panes.in_language(THAI),
        ),
        priority=NotificationPriority.HIGH,
    )


def webhook_disabled(webhook: Webhook, *, reason: str) -> None:
    """Notify the owner of a webhook, if it has one, that the service has disabled it."""
    message = texts.WEBHOOK_DISABLED_MESSAGE.format(url=webhook.url, reason=reason)
    kind = NotificationType.WEBHOOK_DISABLED
    _notify_owner(webhook, kind, texts.WEBHOOK_DISABLED, message)


def webhook_lost(webhook: Webhook, *, first: int, last: int) -> None:
    """Notify the owner of a webhook, if it has one, of events that it will not get."""
    message = texts.WEBHOOK_LOST_MESSAGE.format(url=webhook.url, first=first, last=last)
    _notify_owner(webhook, NotificationType.WEBHOOK_LOST, texts.WEBHOOK_LOST, message)


def pin_locked(worker_id: ObjectId, *, until_set: bool) -> None:
    """Notify a worker that wrong PINs have locked theirs, until it is set or for a day."""
    lasting = texts.PIN_LOCKED_MESSAGE if until_set else texts.PIN_LOCKED_DAY_MESSAGE
    notice = Notification(
        recipient=worker_id,
        type=NotificationType.PIN_LOCKED,
        title=texts.PIN_LOCKED_TITLE,
        message=lasting,
        reference_id=str(worker_id),
        reference_type=Worker.label,
        priority=NotificationPriority.HIGH,
    )
    records.store(notice)


def _notify_owner(
    webhook: Webhook, kind: NotificationType, title: str, message: str
) -> None:
    if webhook.owner:
        _notify(
            webhook.owner,
            webhook,
            type=kind,
            title=title,
            message=message,
            priority=NotificationPriority.HIGH,
        )


def _notify(
    recipient: ObjectId,
    subject: Pane | Order | Request | Claim | Quote | Delivery | Webhook,
    *,
    type: NotificationType,
    title: str,
    message: str,
    priority: NotificationPriority,
) -> None:
    notice = Notification(
        recipient=recipient,
        type=type,
        title=title,
        message=message,
        reference_id=str(subject.pk),
        reference_type=subject.label,
        priority=priority,
    )
    records.store(notice)


def order_arrived(order: Order, station: ObjectId, *, new: bool) -> None:
    """Notify a station that an order has arrived, a new one or one that has moved."""
    outbox.send(
        StationNotification(
            type=NotificationType.ORDER_ARRIVED,
            title=texts.ORDER_ARRIVED_NEW if new else texts.ORDER_ARRIVED,
            message=texts.ORDER_ARRIVED_MESSAGE.format(order=order.order_number),
            reference_id=str(order.pk),
            reference_type="Order",
            priority=NotificationPriority.HIGH,
            read_status=False,
            stations=(str(station),),
        )
    )


def order_checked_in(order: Order, station: str, action: str) -> None:
    """Announce to a station that an order has `entered` or `exited` it."""
    outbox.send(
        OrderCheckedIn(
            order_id=str(order.pk),
            station_id=station,
            action=action,
            stations=(station,),
        )
    )


def sheets_present(parent: Pane, *, station: str, present: int, total: int) -> None:
    """Announce how many sheets of a unit are at the station that laminates them."""
    event = SheetsReady if present == total else SheetsWaiting
    outbox.send(
        event(
            parent_pane_number=parent.pane_number,
            parent_pane_id=str(parent.pk),
            sheets_present=present,
            sheets_total=total,
            stations=(station,),
        )
    )


def laminated(
    survivor: dict[str, Any], *, station: str, retired: list[str], sheets: list[str]
) -> None:
    """Announce that sheets have become one pane.

    `survivor` is that pane in stored form, `retired` the numbers of the sheets that
    were merged into it, `sheets` the ids of all sheets.
    """
    outbox.send(
        PanesLaminated(
            survivor=survivor,
            parent=survivor,
            retired_pane_numbers=retired,
            sheets=sheets,
            stations=(station,),
        )
    )
