"""The price of a pane by the price list; amounts are in baht.

- Glass: the area in ft², at least the minimum area, times the price of its glass type and
  thickness.
- Edges: each worked side, in metres. The profiles `rough` and `polished` are ground at the
  rate of the glass, all others, and those of glass without a rate, at that of the profile.
- Each hole and each notch has its price.

All of it once for each sheet of a unit: every sheet is cut and worked on its own. A pane
that misses a size or a price has no price, and says what is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from typing import Any

MM2_PER_FT2 = Decimal("92903.04")
MM_PER_M = Decimal(1000)
SATANG = Decimal("0.01")
EXACT = Context(prec=200)  # digits: sizes and rates may have 19 each
GROUND = ("rough", "polished")
# The sides of a pane, by the dimension that is their length.
SIDE_LENGTHS = {"top": "width", "bottom": "width", "left": "height", "right": "height"}

Raw = Mapping[str, Any]


class Missing(StrEnum):
    """Why a pane has no price."""

    SIZE = "size"  # its width or height is not known
    GLASS = "glass"  # its glass type is not in the price list
    THICKNESS = "thickness"  # nor is the thickness of the glass type
    EDGE = "edge"  # nor is the profile of an edge, or its side is unknown


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one pane, and its parts for all of its sheets."""

    glass: Decimal
    edges: Decimal
    holes: Decimal
    notches: Decimal
    area: Decimal  # in ft², as charged, of one sheet

    @property
    def total(self) -> Decimal:
        """The price of the pane."""
        return self.glass + self.edges + self.holes + self.notches


class _NoPrice(Exception):
    def __init__(self, missing: Missing) -> None:
        self.missing = missing


def price_of(pane: Raw, prices: Raw) -> Price | Missing:
    """Return the price of a pane by a price list, both in wire form."""
    try:
        return _price_of(pane, prices)
    except _NoPrice as error:
        return error.missing


def after_discount(amount: Decimal, percent: float) -> Decimal:
    """Return an amount without a discount of 0 to 100 percent."""
    share = max(Decimal(0), min(_number(percent), Decimal(100))) / 100
    return _rounded(amount * (1 - share))


def _price_of(pane: Raw, prices: Raw) -> Price:
    sides = _sides(pane)
    rate = _glass_rate(pane, prices)
    sheets = int((pane.get("rawGlass") or {}).get("sheetsPerPane") or 1)
    smallest = _number(prices.get("minimumArea"))
    area = max(sides["width"] * sides["height"] / MM2_PER_FT2, smallest)
    edges = sum(
        (_edge(task, sides, rate, prices) for task in pane.get("edgeTasks") or ()),
        Decimal(0),
    )
    holes = len(pane.get("holes") or ()) * _number(prices.get("holePriceEach"))
    notches = len(pane.get("notches") or ()) * _number(prices.get("notchPrice"))
    return Price(
        glass=_rounded(sheets * area * _number(rate.get("pricePerSqFt"))),
        edges=_rounded(sheets * edges),
        holes=_rounded(sheets * holes),
        notches=_rounded(sheets * notches),
        area=_rounded(area),
    )


def _sides(pane: Raw) -> dict[str, Decimal]:
    given = pane.get("dimensions") or {}
    sides = {name: _number(given.get(name)) for name in ("width", "height")}
    if not all(sides.values()):
        raise _NoPrice(Missing.SIZE)
    return sides


def _glass_rate(pane: Raw, prices: Raw) -> Raw:
    """Return the row of the price list for the glass of a pane, in any letter case."""
    raw = pane.get("rawGlass") or {}
    name = (raw.get("glassType") or pane.get("glassType") or "").strip()
    listed = prices.get("glassPrices") or {}
    other_case = (key for key in listed if key.casefold() == name.casefold())
    rows = listed.get(name if name in listed else next(other_case, None))
    if rows is None:
        raise _NoPrice(Missing.GLASS)
    thickness = raw.get("thickness") or (pane.get("dimensions") or {}).get("thickness")
    text = f"{thickness or 0:.10g}"
    found = rows.get(f"{text}mm", rows.get(text))
    if found is None:
        raise _NoPrice(Missing.THICKNESS)
    result: Raw = found
    return result


def _edge(task: Raw, sides: Mapping[str, Decimal], rate: Raw, prices: Raw) -> Decimal:
    profile = task.get("edgeProfile") or ""
    if not profile:
        return Decimal(0)
    length = sides.get(SIDE_LENGTHS.get((task.get("side") or "").lower(), ""))
    per_metre = _grinding(rate, profile)
    if per_metre is None:
        per_metre = (prices.get("edgeRates") or {}).get(profile)
    if length is None or per_metre is None:
        raise _NoPrice(Missing.EDGE)
    return length / MM_PER_M * _number(per_metre)


def _grinding(rate: Raw, profile: str) -> float | None:
    found = rate.get("grindingRate")
    if profile not in GROUND:
        return None
    return found.get(profile) if isinstance(found, Mapping) else found


def _number(value: float | None) -> Decimal:
    return Decimal(str(value or 0))


def _rounded(amount: Decimal) -> Decimal:
    return amount.quantize(SATANG, ROUND_HALF_UP, EXACT)
