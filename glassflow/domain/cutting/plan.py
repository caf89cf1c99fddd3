"""The form of a cutting plan: sheets are cut into strips, strips into levels, levels into panes.

Each cut goes from one edge of what is cut to the other, as glass breaks (guillotine, three
stages); a fourth cut trims a pane that is lower than its level. Lengths are whole tenths of
a mm, so that sums are exact. x is counted from the left edge of a sheet, y from the lower.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Self

from glassflow.domain.cutting.rules import CuttingRules

PER_MM = 10


class Axis(StrEnum):
    """The direction in which the strips of a sheet follow each other."""

    X = "x"
    Y = "y"


class Box(NamedTuple):
    """A rectangle on a sheet, from its lower left corner."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        """The area in hundredths of a mm²."""
        return self.width * self.height

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two have more than an edge in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


class Piece(NamedTuple):
    """A pane as it is cut, with its allowances; patterned glass may not turn."""

    width: int
    height: int
    may_turn: bool = True


class Stock(NamedTuple):
    """A lot: so many equal `sheets`, of which `trim` is cut off each edge.

    No pane may cover one of the `defects`. A remnant is used before a whole sheet is.
    """

    width: int
    height: int
    sheets: int = 1
    trim: int = 0
    defects: Sequence[Box] = ()
    is_remnant: bool = False

    @property
    def area(self) -> int:
        """The area of one sheet, with its trims."""
        return self.width * self.height

    @property
    def usable(self) -> Box:
        """What is left inside the trims."""
        trim = self.trim
        return Box(trim, trim, self.width - 2 * trim, self.height - 2 * trim)

    def has_room(self, piece: Piece) -> bool:
        """Return whether a sheet without defects is large enough for a piece."""
        wide, high = self.usable[2:]
        if piece.width <= wide and piece.height <= high:
            return True
        return piece.may_turn and piece.height <= wide and piece.width <= high


class Measures(NamedTuple):
    """What the rules of cutting say of one thickness, in tenths of a mm.

    `least_use` is a share of the area.
    """

    distance: int
    kerf: int = 0
    remnant_short: int = 3000
    remnant_long: int = 6000
    least_use: float = 0.5

    @classmethod
    def of(cls, rules: CuttingRules) -> Self:
        """Return the measures of rules for one thickness."""
        return cls(
            tenths(rules.least_distance or 0),
            tenths(rules.kerf),
            tenths(rules.remnant_short),
            tenths(rules.remnant_long),
            rules.least_use_percent / 100,
        )

    def is_kept(self, box: Box) -> bool:
        """Return whether a rest is a remnant, and no waste."""
        short, long = sorted((box.width, box.height))
        return short >= self.remnant_short and long >= self.remnant_long


class Cell(NamedTuple):
    """A pane in its level: `length` goes along the strips, `breadth` across."""

    at: int
    length: int
    breadth: int
    piece: int


class Level(NamedTuple):
    """A part of a strip, from edge to edge of it."""

    at: int
    breadth: int
    cells: Sequence[Cell]


class Strip(NamedTuple):
    """A part of a sheet, from edge to edge of what is usable."""

    at: int
    breadth: int
    levels: Sequence[Level]


class Sheet(NamedTuple):
    """One sheet of the lot with the index `stock`, and how it is cut."""

    stock: int
    axis: Axis
    strips: Sequence[Strip]


class Plan(NamedTuple):
    """The sheets in the order of cutting; `left_out` are pieces that no sheet is left for."""

    sheets: Sequence[Sheet]
    left_out: Sequence[int] = ()


def tenths(mm: float) -> int:
    """Return a length in tenths of a mm; less than a tenth is not cut off."""
    return -int(-round(mm * PER_MM, 3) // 1)


def box_of(axis: Axis, along: int, across: int, length: int, breadth: int) -> Box:
    """Return a rectangle that is given along and across the order of the strips."""
    if axis == Axis.X:
        return Box(along, across, length, breadth)
    return Box(across, along, breadth, length)


def panes_of(sheet: Sheet) -> Iterator[tuple[int, Box]]:
    """Yield the pieces of a sheet with their places, in the order in which they break out."""
    for strip in sheet.strips:
        for level in strip.levels:
            for cell in level.cells:
                yield (
                    cell.piece,
                    box_of(sheet.axis, cell.at, level.at, cell.length, cell.breadth),
                )


def rests_of(sheet: Sheet, stock: Stock, kerf: int = 0) -> Iterator[Box]:
    """Yield the rectangles that are left of what is usable: remnants and waste."""
    usable, axis = stock.usable, sheet.axis
    along, across, length, breadth = box_of(axis, *usable)
    for start, end in gaps(
        [(one.at, one.breadth) for one in sheet.strips], along, length, kerf
    ):
        yield box_of(axis, start, across, end - start, breadth)
    for strip in sheet.strips:
        rows = [(one.at, one.breadth) for one in strip.levels]
        for start, end in gaps(rows, across, breadth, kerf):
            yield box_of(axis, strip.at, start, strip.breadth, end - start)
        for level in strip.levels:
            cells = [(one.at, one.length) for one in level.cells]
            for start, end in gaps(cells, strip.at, strip.breadth, kerf):
                yield box_of(axis, start, level.at, end - start, level.breadth)
            for cell in level.cells:
                trimmed = level.breadth - cell.breadth - kerf
                if trimmed > 0:
                    at = level.at + cell.breadth + kerf
                    yield box_of(axis, cell.at, at, cell.length, trimmed)


def kept_rests(sheet: Sheet, stock: Stock, measures: Measures) -> list[Box]:
    """Return the rests of a sheet that are remnants, with or without a defect.

    Rests that lie side by side stay apart, since cuts between them are made before. Of a
    sheet without pieces everything inside the trims is one rest.
    """
    rests = rests_of(sheet, stock, measures.kerf)
    return [box for box in rests if measures.is_kept(box)]


def gaps(
    parts: Sequence[tuple[int, int]], start: int, length: int, kerf: int
) -> Iterator[tuple[int, int]]:
    """Yield start and end of what lies between parts and beside them.

    Each part has its start and its length; they follow each other from `start` on.
    """
    end, is_cut = start, False
    for at, size in parts:
        free = end + (kerf if is_cut else 0)
        if at - kerf > free:
            yield free, at - kerf
        end, is_cut = at + size, True
    free = end + (kerf if is_cut else 0)
    if start + length > free:
        yield free, start + length


def cuts_of(sheet: Sheet, stock: Stock, kerf: int = 0) -> int:
    """Return how many cuts a sheet needs inside its trims."""
    along, across, length, breadth = box_of(sheet.axis, *stock.usable)
    strips = [(one.at, one.breadth) for one in sheet.strips]
    count = _cuts(strips, along, length, kerf)
    for strip in sheet.strips:
        levels = [(one.at, one.breadth) for one in strip.levels]
        count += _cuts(levels, across, breadth, kerf)
        for level in strip.levels:
            cells = [(one.at, one.length) for one in level.cells]
            count += _cuts(cells, strip.at, strip.breadth, kerf)
            count += sum(one.breadth < level.breadth for one in level.cells)
    return count


def _cuts(parts: Sequence[tuple[int, int]], start: int, length: int, kerf: int) -> int:
    """Return how many cuts separate parts from each other and from the rests."""
    if not parts:
        return 0
    at, size = parts[-1]
    is_flush = at + size == start + length
    before = sum(end < at + size for _, end in gaps(parts, start, length, kerf))
    return len(parts) - is_flush + before
