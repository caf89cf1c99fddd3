"""The prices of a customer: those of the workshop as a price list changes them.

A rate of the list replaces that of the workshop: a row of a glass type and thickness, an
edge profile, the tempering of a thickness, a process, a hole, a notch. A row without a grinding rate leaves that to the workshop's
row. The percent of the list changes all other rates. Both are in wire form.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from glassflow.domain.aliases import Raw
from glassflow.domain.money import EXACT

MOST_PERCENT = 1000
# The fields of the workshop's prices that are amounts, or tables of amounts: what a percent
# changes. Limits, shares and steps, such as `minimumArea`, are no amounts of this kind.
RATES = (
    "glassPrices",
    "edgeRates",
    "holePriceEach",
    "notchPrice",
    "temperingRates",
    "laminationRates",
    "processRates",
)


def _millimetres(thickness: str) -> str:
    return thickness.removesuffix("mm")


# The tables with one rate a row, and how their names are compared, as domain.pricing does.
PLAIN_NAMES: Mapping[str, Callable[[str], str]] = {
    "edgeRates": str,
    "temperingRates": _millimetres,
    "processRates": str.casefold,
}


def is_valid(price_list: Raw, at: datetime) -> bool:
    """Return whether a price list is valid at a time (UTC), its first and last included."""
    begin, end = price_list.get("validFrom"), price_list.get("validTo")
    return (begin is None or begin <= at) and (end is None or at <= end)


def prices_for(base: Raw, price_list: Raw | None, at: datetime) -> Raw:
    """Return the workshop's prices as a price list changes them at a time (UTC).

    Changed rates are exact decimals: a price is rounded once, when it is calculated. The
    prices are `base` itself without a list, or with one that is not valid.
    """
    if price_list is None or not is_valid(price_list, at):
        return base
    percent = EXACT.add(_decimal(price_list.get("percent") or 0), Decimal(100))
    factor = EXACT.scaleb(percent, -2)
    changed = {name: _times(base[name], factor) for name in RATES if name in base}
    prices = {**base, **changed}
    prices["glassPrices"] = _with_glass(
        prices.get("glassPrices") or {}, price_list.get("glassPrices") or {}
    )
    for name, plain in PLAIN_NAMES.items():
        prices[name] = _with_own(
            prices.get(name) or {}, price_list.get(name) or {}, plain
        )
    for name in ("holePriceEach", "notchPrice"):
        if price_list.get(name) is not None:
            prices[name] = price_list[name]
    return prices


def _times(rate: Any, factor: Decimal) -> Any:
    """Return a rate, or a table of rates, times a factor; other values as they are."""
    if isinstance(rate, Mapping):
        return {key: _times(inner, factor) for key, inner in rate.items()}
    if isinstance(rate, (int, float, Decimal)):
        return EXACT.multiply(_decimal(rate), factor)
    return rate


def _decimal(number: float | Decimal) -> Decimal:
    return Decimal(str(number))


def _with_own(rates: Raw, own: Raw, plain: Callable[[str], str]) -> dict[str, Any]:
    """Return a table of rates with those of a list in place of its own."""
    result = dict(rates)
    for name, rate in own.items():
        for known in _same(name, result, plain):
            result[known] = rate
    return result


def _with_glass(prices: Raw, own: Raw) -> dict[str, Any]:
    """Return glass prices with the rows of a list; `Clear` and `clear` are the same."""
    result = {name: dict(rows) for name, rows in prices.items()}
    for name, own_rows in own.items():
        for known in _same(name, result, str.casefold):
            result[known] = _with_rows(result.get(known, {}), own_rows)
    return result


def _with_rows(rows: Raw, own_rows: Raw) -> dict[str, Any]:
    """Return the rows of a glass type with those of a list; `6mm` and `6` are the same."""
    result = dict(rows)
    for thickness, own in own_rows.items():
        given = {name: rate for name, rate in own.items() if rate is not None}
        for known in _same(thickness, result, _millimetres):
            result[known] = {**result.get(known, {}), **given}
    return result


def _same(name: str, table: Raw, plain: Callable[[str], str]) -> list[str]:
    """Return the keys of a table that mean the same as a name; the name itself if none do."""
    return [one for one in table if plain(one) == plain(name)] or [name]
