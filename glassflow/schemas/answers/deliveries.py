"""Answers about deliveries."""

from glassflow.domain.deliveries import DeliveryStatus, PaneState
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    NUMBER,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

_PANE = members(
    {
        "_id": ID,
        "paneNumber": TEXT,
        "state": choice(PaneState),
        "isLoaded": BOOLEAN,
        "station": nullable(ID),
        "order": nullable(ID),
        "orderNumber": nullable(TEXT),
        "referenceId": nullable(described(TEXT, "The customer's own order number.")),
        "width": nullable(described(NUMBER, "In mm.")),
        "height": nullable(described(NUMBER, "In mm.")),
        "thickness": nullable(described(NUMBER, "In mm.")),
        "glass": TEXT,
    },
    title="PaneOfDelivery",
)
CHECKLIST = members(
    {
        "_id": ID,
        "deliveryNumber": TEXT,
        "status": choice(DeliveryStatus),
        "plannedFor": TIME,
        "recipient": TEXT,
        "address": TEXT,
        "contact": TEXT,
        "phone": TEXT,
        "vehicle": TEXT,
        "driver": nullable(ID),
        "notes": TEXT,
        "deliveredAt": nullable(TIME),
        "deliveredBy": nullable(ID),
        "undoableUntil": nullable(TIME),
        "receivedBy": TEXT,
        "version": COUNT,
        "panes": array(_PANE),
        "missingPanes": described(
            array(_PANE), "What was planned and not handed over."
        ),
    },
    optional=("recipient", "address", "contact", "phone", "receivedBy"),
    title="Checklist",
    description="A delivery and what has to be known of its panes to load it and to hand "
    "them over. Its names and addresses are for callers who may see customers, or manage "
    "orders, and for drivers while it is open.",
)
CHECKLISTS = array(CHECKLIST)
UNDONE_HAND_OVER = members(
    {
        "deliveredAt": TIME,
        "deliveredBy": described(TEXT, "The name of the worker."),
        "receivedBy": TEXT,
        "remark": TEXT,
        "signature": nullable(TEXT),
        "photos": array(TEXT),
        "undoneAt": TIME,
        "undoneBy": described(TEXT, "The name of the worker."),
        "reason": TEXT,
    },
    title="UndoneHandOver",
)
