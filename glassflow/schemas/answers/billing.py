"""Answers about billing."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    NUMBER,
    TEXT,
    TIME,
    array,
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
