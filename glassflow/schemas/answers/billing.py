"""Answers about billing."""

from glassflow.domain.billing import BillingStatus
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

_BAHT = described(TEXT, "In baht.")
_SUM = {"count": COUNT, "net": _BAHT, "vat": _BAHT, "gross": _BAHT}
FIGURES = members(
    {
        "groups": array(
            members(
                {
                    "customer": ID,
                    "customerName": nullable(TEXT),
                    "month": described(TEXT, "`2026-11`, in the workshop's time zone."),
                    **_SUM,
                },
                title="UnbilledMonth",
            )
        ),
        "total": members(_SUM, title="UnbilledTotal"),
    },
    title="UnbilledFigures",
    description="What was delivered and is not billed yet, by customer and month. The VAT is "
    "that of each sum.",
)
EXPORTED = members(
    {
        "at": TIME,
        "by": described(nullable(ID), "The worker."),
        "net": described(NUMBER, "What the export had, in baht before VAT."),
        "invoiceNumber": described(TEXT, "That of the export, empty without one."),
    },
    title="ExportedEntry",
)
ACCOUNTS_FIGURES = members(
    {
        "count": described(COUNT, "Entries that the export would have."),
        "changed": described(COUNT, "Those that changed since an earlier export."),
        "net": described(TEXT, "Their sum, in baht before VAT."),
    },
    title="AccountsFigures",
)
_OF_PANES = {"count": COUNT, "price": _BAHT}
AGREED_PRICE = members(
    {
        "total": described(TEXT, "`details.estimatedPrice`."),
        "charged": described(TEXT, "What the charges add up to."),
        "charges": array(
            members(
                {
                    "entry": ID,
                    "entryNumber": TEXT,
                    "at": TIME,
                    "status": choice(BillingStatus),
                    "reason": described(
                        TEXT,
                        "Why panes are charged that were not delivered, else empty.",
                    ),
                    "count": described(COUNT, "Panes of the request."),
                    "net": _BAHT,
                },
                title="ChargeOfRequest",
            )
        ),
        "open": described(
            members(_OF_PANES, title="OpenPanes"), "Panes that are not charged yet."
        ),
        "unpriced": described(COUNT, "Those of them for which nothing was agreed."),
        "lost": described(
            members({**_OF_PANES, "panes": array(ID)}, title="LostPanes"),
            "Panes that were cancelled, or lost without a remake, and are not charged.",
        ),
        "waiting": described(TEXT, "Agreed, and the price of no pane."),
    },
    title="AgreedPrice",
    description="Amounts in baht before VAT. What is charged, the open panes and what waits "
    "add up to the total.",
)
_SALES = {
    "deliveries": COUNT,
    "panes": COUNT,
    "net": _BAHT,
    "remakes": described(COUNT, "Panes that were made again in the month."),
    "remakeCost": described(
        TEXT, "What these would cost by the prices of today, in baht."
    ),
}
SALES = members(
    {
        "from": TIME,
        "rows": array(
            members(
                {
                    "customer": ID,
                    "customerName": nullable(TEXT),
                    "month": described(TEXT, "`2026-11`, in the workshop's time zone."),
                    **_SALES,
                },
                title="SalesOfMonth",
            )
        ),
        "total": members(_SALES, title="TotalSales"),
    },
    title="Sales",
    description="What was delivered, billed or not, by customer and month.",
)
ACCOUNT = members(
    {
        "quotes": nullable(
            members({"count": COUNT, "amount": _BAHT}, title="OpenQuotesOfCustomer")
        ),
        "orders": nullable(
            members(
                dict.fromkeys(
                    ("count", "paneCount", "panesCompleted", "panesDelivered"), COUNT
                ),
                title="OpenOrdersOfCustomer",
            )
        ),
        "deliveries": nullable(
            members(
                {"count": COUNT, "panes": COUNT, "next": nullable(TIME)},
                title="PlannedDeliveriesOfCustomer",
            )
        ),
        "unbilled": nullable(members(_SUM, title="UnbilledOfCustomer")),
        "balance": nullable(
            members(
                {
                    "billed": described(TEXT, "All invoices, in baht with VAT."),
                    "paid": described(TEXT, "All payments, in baht."),
                    "open": described(TEXT, "What is not paid of invoices, in baht."),
                    "inAdvance": described(
                        TEXT, "What is paid besides, for what is on no invoice yet."
                    ),
                    "invoices": array(
                        members(
                            {
                                "invoiceNumber": TEXT,
                                "billedAt": TIME,
                                **dict.fromkeys(("gross", "paid", "open"), _BAHT),
                            },
                            title="UnpaidInvoice",
                        )
                    ),
                    "unpaidInvoices": described(
                        COUNT, "Unpaid invoices; the 20 oldest are shown."
                    ),
                },
                title="BalanceOfCustomer",
            )
        ),
        "claims": nullable(
            members(
                dict.fromkeys(("pending", "approved", "count"), COUNT),
                title="ClaimsOfCustomer",
            )
        ),
        "prices": nullable(
            members(
                {
                    "discount": described(NUMBER, "In percent."),
                    "priceList": nullable(ID),
                    "priceListName": nullable(TEXT),
                    "isValid": described(BOOLEAN, "Whether the list is valid today."),
                },
                title="PricesOfCustomer",
            )
        ),
    },
    title="Account",
    description="Where a customer stands. Parts whose key the caller does not hold are null.",
)
