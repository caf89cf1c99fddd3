"""Answers about deliveries."""

from glassflow.domain.deliveries import DeliveryStatus, LeftReason, PaneState
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

_LEFT = members(
    {
        "pane": ID,
        "paneNumber": TEXT,
        "reason": nullable(choice(LeftReason)),
        "note": TEXT,
        "photos": array(TEXT),
        "claim": nullable(ID),
        "claimNumber": TEXT,
    },
    title="LeftPane",
)
HAND_OVER = members(
    {
        "number": COUNT,
        "at": described(TIME, "The time of the device."),
        "recordedAt": TIME,
        "worker": nullable(ID),
        "deliveredBy": described(TEXT, "The name of the worker."),
        "receivedBy": TEXT,
        "remark": TEXT,
        "panes": array(ID),
        "repeated": described(
            array(ID),
            "Panes that an earlier hand-over of the delivery had handed over.",
        ),
        "left": described(array(_LEFT), "What came back."),
        "signature": nullable(TEXT),
        "photos": array(TEXT),
        "undoableUntil": TIME,
        "isEarly": described(
            BOOLEAN,
            "Whether `at` lies before the delivery was planned or a pane was finished.",
        ),
        "undone": nullable(
            members({"at": TIME, "by": TEXT, "reason": TEXT}, title="Undone")
        ),
    },
    title="HandOver",
)
_PANE = members(
    {
        "_id": ID,
        "paneNumber": TEXT,
        "state": choice(PaneState),
        "isLoaded": BOOLEAN,
        "reason": described(
            nullable(choice(LeftReason)), "Why it came back, as it was said last."
        ),
        "station": nullable(ID),
        "rack": described(
            nullable(
                members(
                    {
                        "_id": ID,
                        "rackNumber": nullable(TEXT),
                        "name": TEXT,
                        "place": TEXT,
                    },
                    title="RackOfPane",
                )
            ),
            "Where it stands; null without `panes:view`.",
        ),
        "order": nullable(ID),
        "orderNumber": nullable(TEXT),
        "referenceId": nullable(described(TEXT, "The customer's own order number.")),
        "width": nullable(described(NUMBER, "In mm.")),
        "height": nullable(described(NUMBER, "In mm.")),
        "thickness": nullable(described(NUMBER, "In mm.")),
        "mark": TEXT,
        "glass": TEXT,
    },
    title="PaneOfDelivery",
)
_CHANGED_PLACE = members(
    {"requestNumber": nullable(TEXT), "before": TEXT, "now": TEXT},
    title="ChangedPlace",
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
        "undoableUntil": nullable(TIME),
        "handOvers": array(HAND_OVER),
        "version": COUNT,
        "changedPlaces": described(
            array(_CHANGED_PLACE),
            "Requests that name another place than when the delivery was planned.",
        ),
        "unpaid": described(
            nullable(
                members(
                    {"missing": nullable(described(TEXT, "In baht, with VAT."))},
                    title="UnpaidDelivery",
                )
            ),
            "That the customer pays cash and has not paid; the amount is for callers who "
            "may see prices.",
        ),
        "panes": array(_PANE),
        "missingPanes": described(
            array(_PANE), "What came back, and is on no other delivery since."
        ),
    },
    optional=("recipient", "address", "contact", "phone", "handOvers"),
    title="Checklist",
    description="A delivery and what has to be known of its panes to load it and to hand "
    "them over. Its names and addresses are for callers who may see customers, or manage "
    "orders, and for drivers while it is open.",
)
CHECKLISTS = array(CHECKLIST)
