"""Amounts of money, in baht."""

from decimal import Decimal


def as_decimal(number: Decimal | float | None) -> Decimal:
    """Return the decimal that a number is written as; 0 for None."""
    return Decimal(str(number or 0))


def as_text(amount: Decimal | float) -> str:
    """Return an amount in baht as the API has it, with two decimal places."""
    return f"{amount:.2f}"
