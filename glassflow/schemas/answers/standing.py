"""The answer about where work stands."""

from glassflow.domain.billing import BillingStatus
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.domain.payments import PaymentWay
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.schemas.shapes import (
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

_BAHT = described(TEXT, "In baht.")
_REQUEST = members(
    {
        "_id": ID,
        "requestNumber": nullable(TEXT),
        "status": choice(RequestStatus),
        "referenceId": nullable(TEXT),
        "createdAt": TIME,
    },
    title="RequestOfJob",
)
_QUOTE = members(
    {
        "_id": ID,
        "quoteNumber": nullable(TEXT),
        "revision": COUNT,
        "status": choice(QuoteStatus),
        "kind": choice(QuoteKind),
    },
    title="QuoteOfJob",
)
_ORDER = members(
    {
        "_id": ID,
        "orderNumber": nullable(TEXT),
        "status": choice(OrderStatus),
        **dict.fromkeys(("paneCount", "panesCompleted", "panesDelivered"), COUNT),
    },
    title="OrderOfJob",
)
_DELIVERY = members(
    {
        "_id": ID,
        "deliveryNumber": nullable(TEXT),
        "status": choice(DeliveryStatus),
        "plannedFor": nullable(TIME),
        "deliveredAt": nullable(TIME),
    },
    title="DeliveryOfJob",
)
_ENTRY = members(
    {
        "_id": ID,
        "entryNumber": nullable(TEXT),
        "status": choice(BillingStatus),
        "invoiceNumber": TEXT,
        "creditOf": nullable(ID),
        "net": described(TEXT, "What it charges of the job, in baht before VAT."),
    },
    title="EntryOfJob",
)
_PAYMENT = members(
    {
        "_id": ID,
        "paymentNumber": nullable(TEXT),
        "paidAt": TIME,
        "amount": NUMBER,
        "way": choice(PaymentWay),
        "quote": nullable(ID),
        "request": nullable(ID),
        "invoiceNumber": TEXT,
    },
    title="PaymentOfJob",
)
_DEPOSIT = members(
    {"percent": NUMBER, "asked": _BAHT, "paid": _BAHT, "open": _BAHT},
    title="DepositOfJob",
)
_MONEY = members(
    {
        "net": described(TEXT, "What is agreed or charged, in baht before VAT."),
        "gross": described(TEXT, "The same with VAT."),
        "charged": described(TEXT, "What billing entries charge, with VAT."),
        "billed": described(TEXT, "What is on invoices, with VAT."),
        "paid": described(
            TEXT,
            "Deposits, and what was paid of its share of invoices and of other charges.",
        ),
        "open": described(TEXT, "What is not paid yet, with VAT."),
        "deposit": nullable(_DEPOSIT),
    },
    title="MoneyOfJob",
)
STANDING = members(
    {
        "jobs": array(
            members(
                {
                    "request": nullable(_REQUEST),
                    "quotes": nullable(array(_QUOTE)),
                    "orders": nullable(array(_ORDER)),
                    "deliveries": nullable(array(_DELIVERY)),
                    "panes": nullable(
                        members(
                            dict.fromkeys(("count", "finished", "delivered"), COUNT),
                            title="PanesOfJob",
                        )
                    ),
                    "entries": nullable(array(_ENTRY)),
                    "payments": nullable(array(_PAYMENT)),
                    "money": nullable(_MONEY),
                },
                title="Job",
            )
        ),
        "more": described(COUNT, "Jobs that are not shown."),
    },
    title="Standing",
    description="The jobs that a record is part of, from the quote to the payment: requests, "
    "orders without one, or a quote that is not accepted. Parts whose key the caller does "
    "not hold are null.",
)
