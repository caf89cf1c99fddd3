"""The price of panes by the prices of a workshop; amounts are in baht, without VAT until the total.

One pane, all of it once for each sheet of a unit, because every sheet is cut and worked on
its own, but the processes:

- Glass: the area in ft² times the price of its glass type and thickness. A side is charged
  in steps of `sideStepInch`, the area in steps of `areaStep` and at least as `minimumArea`.
- Oversize: a percentage of the glass, from an area on.
- Tempering, and lamination by the sheet and by the film between two sheets: by the area,
  unless the name of the glass type says that its price has it.
- Processes, such as painting: by the area of the unit. One without a rate is in the price
  of the glass.
- Edges: each worked side, in metres, at least as `minimumEdge`. The profiles `rough` and
  `polished` are ground at the rate of the glass, all others, and those of glass without a
  rate, at that of the profile.
- Each hole and each notch has its price.
- Quantity: a percentage of all that, from a number of equal panes on.

All panes: the sum, a percentage if it is urgent, the discount of the customer, at least
`minimumCharge`, and VAT on that sum once. Amounts are rounded half up to the satang where a
line is calculated, and nowhere else. A pane that misses a size or a price has no price, and
says what is missing: it is never 0 in silence. A pane of a quote may have an agreed price
(`unitPrice`), which stands for all of its lines, but not for the size of a hole or a notch.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from typing import Any

from glassflow.domain.aliases import Raw
from glassflow.domain.money import as_decimal, rounded
from glassflow.domain.panes import cut_outs
from glassflow.domain.tempering import is_name_of_tempered, is_tempered

MM2_PER_FT2 = Decimal("92903.04")
MM_PER_INCH = Decimal("25.4")
INCH2_PER_FT2 = Decimal(144)
MM_PER_M = Decimal(1000)
GROUND = ("rough", "polished")
# In the name of a glass type whose price has the lamination, in any letter case.
LAMINATED = ("laminat", "ลามิเนต")
# The sides of a pane, by the dimension that is their length.
SIDE_LENGTHS = {"top": "width", "bottom": "width", "left": "height", "right": "height"}


class Missing(StrEnum):
    """Why a pane has no price."""

    SIZE = "size"  # its width or height is not known
    CUT_OUT = "cutOut"  # the size of a hole or a notch is not known
    GLASS = "glass"  # its glass type has no price
    THICKNESS = "thickness"  # nor is the thickness of the glass type
    TEMPERING = "tempering"  # the thickness has no rate among those of tempering
    EDGE = "edge"  # the profile of an edge has no rate, or its side is unknown


class Part(StrEnum):
    """What a line of a price charges."""

    GLASS = "glass"
    OVERSIZE = "oversize"
    TEMPERING = "tempering"
    LAMINATION = "lamination"
    FILM = "film"
    PROCESS = "process"
    EDGE = "edge"
    HOLES = "holes"
    NOTCHES = "notches"
    QUANTITY = "quantity"
    AGREED = "agreed"


class Unit(StrEnum):
    """What the rate of a line is for."""

    SQUARE_FOOT = "ft2"
    METRE = "m"
    PIECE = "piece"
    PERCENT = (
        "percent"  # the rate is a percentage, the quantity the amount it is taken of
    )


@dataclass(frozen=True, slots=True)
class Line:
    """How a part of the price of one pane comes about: quantity times rate is the amount."""

    part: Part
    name: str  # of the process, or the profile of the edge; else empty
    quantity: Decimal
    unit: Unit
    rate: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one pane with all its sheets."""

    lines: Sequence[Line]
    area: Decimal | None  # in ft², as charged, of one sheet; None without a size

    @property
    def total(self) -> Decimal:
        """The price of the pane."""
        return sum((line.amount for line in self.lines), Decimal(0))


@dataclass(frozen=True, slots=True)
class Total:
    """The price of several panes, from their sum to what the customer pays."""

    subtotal: Decimal
    rush: Decimal  # what is added because it is urgent
    discount: Decimal  # what is taken off
    minimum: Decimal  # what is added up to the minimum charge
    vat: Decimal

    @property
    def net(self) -> Decimal:
        """The price before VAT."""
        return self.subtotal + self.rush - self.discount + self.minimum

    @property
    def gross(self) -> Decimal:
        """The price with VAT."""
        return self.net + self.vat


class _NoPrice(Exception):
    def __init__(self, missing: Missing) -> None:
        self.missing = missing


def price_of(
    pane: Raw, prices: Raw, *, quantity: int = 1, tempered: Collection[str] = ()
) -> Price | Missing:
    """Return the price of one of `quantity` equal panes; it and `prices` are in wire form.

    `tempered` are the codes of the job types whose panes are tempered.
    """
    is_unsized = any(cut_outs.size_faults(pane))
    if pane.get("unitPrice") is not None:
        return Missing.CUT_OUT if is_unsized else _agreed(pane, prices)
    try:
        area = _charged_area(pane, prices)
        if is_unsized:
            return Missing.CUT_OUT
        lines = list(_lines(pane, prices, area, tempered))
    except _NoPrice as error:
        return error.missing
    percent = _percent_from(
        prices.get("quantityBreaks"), "fromQuantity", Decimal(quantity)
    )
    if percent:
        amount = sum((line.amount for line in lines), Decimal(0))
        lines.append(_percentage(Part.QUANTITY, amount, percent))
    return Price(lines, rounded(area))


def _agreed(pane: Raw, prices: Raw) -> Price:
    line = _line(Part.AGREED, Decimal(1), Unit.PIECE, pane["unitPrice"])
    try:
        area = rounded(_charged_area(pane, prices))
    except _NoPrice:
        area = None
    return Price([line], area)


def total_of(
    subtotal: Decimal, prices: Raw, *, discount: float = 0, is_rush: bool = False
) -> Total:
    """Return what panes cost whose prices add up to `subtotal`.

    `discount` is a percentage, 0 to 100. Nothing costs nothing: it has no minimum charge.
    """
    rush = (
        _share(subtotal, as_decimal(prices.get("rushPercent")))
        if is_rush
        else Decimal(0)
    )
    share = max(Decimal(0), min(as_decimal(discount), Decimal(100)))
    off = subtotal + rush - _share(subtotal + rush, 100 - share)
    net = subtotal + rush - off
    least = rounded(as_decimal(prices.get("minimumCharge"))) if subtotal else Decimal(0)
    minimum = max(least - net, Decimal(0))
    vat = _share(net + minimum, as_decimal(prices.get("vatPercent")))
    return Total(subtotal, rush, off, minimum, vat)


def _lines(
    pane: Raw, prices: Raw, area: Decimal, tempered: Collection[str]
) -> Iterator[Line]:
    rate = _glass_rate(pane, prices)
    sheets = int((pane.get("rawGlass") or {}).get("sheetsPerPane") or 1)
    glass = _line(Part.GLASS, sheets * area, Unit.SQUARE_FOOT, rate.get("pricePerSqFt"))
    yield glass
    if percent := _percent_from(prices.get("oversize"), "fromSqFt", area):
        yield _percentage(Part.OVERSIZE, glass.amount, percent)
    yield from _tempering(pane, prices, sheets * area, tempered)
    yield from _lamination(pane, prices, sheets, area)
    yield from _processes(pane, prices, area)
    yield from _edges(pane, prices, sheets, rate)
    for part, field, name in (
        (Part.HOLES, "holes", "holePriceEach"),
        (Part.NOTCHES, "notches", "notchPrice"),
    ):
        if count := len(pane.get(field) or ()):
            yield _line(part, Decimal(sheets * count), Unit.PIECE, prices.get(name))


def _charged_area(pane: Raw, prices: Raw) -> Decimal:
    """Return the area of one sheet that is charged, in ft²."""
    width, height = _sides(pane).values()
    area = width * height / MM2_PER_FT2
    if step := as_decimal(prices.get("sideStepInch")):
        wide, high = (_stepped(side / MM_PER_INCH, step) for side in (width, height))
        area = wide * high / INCH2_PER_FT2
    area = _stepped(area, as_decimal(prices.get("areaStep")))
    return max(area, as_decimal(prices.get("minimumArea")))


def _sides(pane: Raw) -> dict[str, Decimal]:
    given = pane.get("dimensions") or {}
    sides = {name: as_decimal(given.get(name)) for name in ("width", "height")}
    if not all(sides.values()):
        raise _NoPrice(Missing.SIZE)
    return sides


def _glass_rate(pane: Raw, prices: Raw) -> Raw:
    """Return the row of the prices for the glass of a pane, in any letter case."""
    rows = _in_any_case(prices.get("glassPrices"), _glass_type(pane))
    if rows is None:
        raise _NoPrice(Missing.GLASS)
    found: Raw | None = _of_thickness(rows, pane)
    if found is None:
        raise _NoPrice(Missing.THICKNESS)
    return found


def _tempering(
    pane: Raw, prices: Raw, area: Decimal, tempered: Collection[str]
) -> Iterator[Line]:
    """Yield the tempering of glass that does not come tempered.

    Prices without a rate for any thickness have it in their prices of glass.
    """
    rates = prices.get("temperingRates")
    glass = _glass_type(pane)
    if not rates or is_name_of_tempered(glass) or not is_tempered(pane, tempered):
        return
    rate = _of_thickness(rates, pane)
    if rate is None:
        raise _NoPrice(Missing.TEMPERING)
    yield _line(Part.TEMPERING, area, Unit.SQUARE_FOOT, rate)


def _lamination(pane: Raw, prices: Raw, sheets: int, area: Decimal) -> Iterator[Line]:
    glass = _glass_type(pane).casefold()
    if sheets == 1 or any(word in glass for word in LAMINATED):
        return
    rates = prices.get("laminationRates") or {}
    for part, name, count in (
        (Part.LAMINATION, "perSheet", sheets),
        (Part.FILM, "perFilm", sheets - 1),
    ):
        if rates.get(name):
            yield _line(part, count * area, Unit.SQUARE_FOOT, rates[name])


def _processes(pane: Raw, prices: Raw, area: Decimal) -> Iterator[Line]:
    for name in pane.get("processes") or ():
        rate = _in_any_case(prices.get("processRates"), name.strip())
        if rate:
            yield _line(Part.PROCESS, area, Unit.SQUARE_FOOT, rate, name.strip())


def _edges(pane: Raw, prices: Raw, sheets: int, glass_rate: Raw) -> Iterator[Line]:
    """Yield a line for each profile."""
    sides, least = _sides(pane), as_decimal(prices.get("minimumEdge"))
    lengths: dict[str, Decimal] = {}
    for task in pane.get("edgeTasks") or ():
        if profile := task.get("edgeProfile") or "":
            length = sides.get(SIDE_LENGTHS.get((task.get("side") or "").lower(), ""))
            if length is None:
                raise _NoPrice(Missing.EDGE)
            before = lengths.get(profile, Decimal(0))
            lengths[profile] = before + max(length / MM_PER_M, least)
    for profile, length in lengths.items():
        rate = _grinding(glass_rate, profile)
        if rate is None:
            rate = (prices.get("edgeRates") or {}).get(profile)
        if rate is None:
            raise _NoPrice(Missing.EDGE)
        yield _line(Part.EDGE, sheets * length, Unit.METRE, rate, profile)


def _grinding(rate: Raw, profile: str) -> float | None:
    found = rate.get("grindingRate")
    if profile not in GROUND:
        return None
    return found.get(profile) if isinstance(found, Mapping) else found


def _glass_type(pane: Raw) -> str:
    raw = pane.get("rawGlass") or {}
    return (raw.get("glassType") or pane.get("glassType") or "").strip()


def _of_thickness(rows: Mapping[str, Any], pane: Raw) -> Any:
    """Return the value for the thickness of a pane, whose key is `6mm` or `6`, or None."""
    raw = pane.get("rawGlass") or {}
    thickness = raw.get("thickness") or (pane.get("dimensions") or {}).get("thickness")
    text = f"{thickness or 0:.10g}"
    return rows.get(f"{text}mm", rows.get(text))


def _in_any_case(table: Mapping[str, Any] | None, name: str) -> Any:
    """Return the value of a name, as it is or else in another letter case, or None."""
    table = table or {}
    if name in table:
        return table[name]
    other = (key for key in table if key.casefold() == name.casefold())
    return table.get(next(other, ""))


def _percent_from(
    rows: Sequence[Raw] | None, name: str, value: Decimal
) -> Decimal | None:
    """Return the percentage of the row with the largest limit that the value reaches."""
    reached = [row for row in rows or () if as_decimal(row[name]) <= value]
    if not reached:
        return None
    return as_decimal(max(reached, key=lambda row: as_decimal(row[name]))["percent"])


def _line(
    part: Part, quantity: Decimal, unit: Unit, rate: float | None, name: str = ""
) -> Line:
    each = as_decimal(rate)
    return Line(part, name, quantity, unit, each, rounded(quantity * each))


def _percentage(part: Part, amount: Decimal, percent: Decimal) -> Line:
    return Line(part, "", amount, Unit.PERCENT, percent, _share(amount, percent))


def _share(amount: Decimal, percent: Decimal) -> Decimal:
    return rounded(amount * percent / 100)


def _stepped(value: Decimal, step: Decimal) -> Decimal:
    """Return the least multiple of `step` that is not below the value; 0 has no steps."""
    if not step:
        return value
    return (value / step).to_integral_value(ROUND_CEILING) * step
