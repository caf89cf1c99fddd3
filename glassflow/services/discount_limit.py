"""How far a price may be below that of the list without the key to change prices.

One rule for the discount of a quote and of a customer, and for the agreed price of a row
and of a request: a worker may give the customer's own discount, or the `maximumDiscount`
of the workshop where that is more.
"""

from collections.abc import Iterator
from decimal import Decimal

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault
from glassflow.domain.money import as_decimal, as_text, rounded
from glassflow.models.workshop import Workshop
from glassflow.services.records import singleton

KEY = "pricing:manage"


def most_percent(of_customer: float = 0) -> float:
    """Return the largest discount in percent for a customer with a discount of their own."""
    stored = singleton.find(Workshop)
    return max(of_customer, float(stored.maximum_discount or 0) if stored else 0)


def faults_of_discount(
    field: str, percent: float, *, most: float
) -> Iterator[FieldFault]:
    """Yield a fault for a discount in percent of more than `most`."""
    if percent > most:
        message = texts.DISCOUNT_TOO_LARGE.format(maximum=most)
        yield {"field": field, "message": message}


def lowest(listed: Decimal, most: float) -> Decimal:
    """Return the lowest price in baht for one that the list has at `listed`."""
    return rounded(listed * (1 - as_decimal(most) / 100))


def faults_of_price(field: str, price: Decimal, least: Decimal) -> Iterator[FieldFault]:
    """Yield a fault for a price in baht below the least one."""
    if rounded(price) < least:
        message = texts.PRICE_TOO_LOW.format(amount=as_text(least))
        yield {"field": field, "message": message}
