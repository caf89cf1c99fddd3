"""Notifications: their types and priorities."""

from enum import StrEnum


class NotificationType(StrEnum):
    """What the service notifies of; clients may send notifications of other types."""

    PANE_ARRIVED = "pane_arrived"
    PANE_COMPLETED = "pane_completed"
    ORDER_ARRIVED = "order_arrived"
    ORDER_ASSIGNED = "order_assigned"
    REQUEST_ASSIGNED = "request_assigned"
    QC_REMAKE = "qc_remake"
    CLAIM_APPROVED = "claim_approved"
    QUOTE_ACCEPTED = "quote_accepted"
    QUOTE_DECLINED = "quote_declined"
    QUOTE_CHANGE_ASKED = "quote_change_asked"
    ACCEPTANCE_REFUSED = "acceptance_refused"
    DELIVERY_INCOMPLETE = "delivery_incomplete"
    STATION_CALL = "station_call"
    LOW_STOCK = "low_stock"
    WEBHOOK_DISABLED = "webhook_disabled"
    WEBHOOK_LOST = "webhook_lost"
    PIN_LOCKED = "pin_locked"


class NotificationPriority(StrEnum):
    """How urgent a notification is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    URGENT = "urgent"
