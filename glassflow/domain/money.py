"""Amounts of money, in baht."""

from decimal import ROUND_HALF_UP, Context, Decimal

MOST_OF_ROW = 1_000_000_000  # baht
MOST_OF_PAPER = 10_000_000_000  # baht; a float has the satang of this amount exactly
SATANG = Decimal("0.01")
EXACT = Context(prec=200)  # digits: sizes and rates may have 19 each


def as_decimal(number: Decimal | float | None) -> Decimal:
    """Return the decimal that a number is written as; 0 for None."""
    return Decimal(str(number or 0))


def rounded(amount: Decimal) -> Decimal:
    """Return an amount in baht, rounded half up to the satang."""
    return amount.quantize(SATANG, ROUND_HALF_UP, EXACT)


def part_of(amount: Decimal, percent: Decimal) -> Decimal:
    """Return a percentage of an amount in baht, rounded to the satang."""
    return rounded(amount * percent / 100)


def as_text(amount: Decimal | float) -> str:
    """Return an amount in baht as the API has it, with two decimal places."""
    return f"{amount:.2f}"
