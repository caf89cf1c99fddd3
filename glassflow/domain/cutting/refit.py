"""A sheet that changes after it was planned: panes leave it, and a remake comes to it.

Nothing that stays is moved, so what somebody has scored already remains right.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from glassflow.domain.cutting.check import FaultKind, faults
from glassflow.domain.cutting.plan import (
    Box,
    Cell,
    Level,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    Strip,
    box_of,
    gaps,
    rests_of,
)


def without(sheet: Sheet, pieces: Collection[int]) -> Sheet:
    """Return a sheet without some of its pieces, by their indexes.

    Levels and strips without panes disappear; all others stay where they are.
    """
    gone = set(pieces)
    strips = []
    for strip in sheet.strips:
        levels = []
        for level in strip.levels:
            cells = [cell for cell in level.cells if cell.piece not in gone]
            if cells:
                levels.append(level._replace(cells=cells))
        if levels:
            strips.append(strip._replace(levels=levels))
    return sheet._replace(strips=strips)


def fitted(
    sheet: Sheet, stock: Stock, piece: int, pieces: Sequence[Piece], measures: Measures
) -> Sheet | None:
    """Return a sheet with one more piece, by its index; None where it has no room.

    Beside panes in a level first, then in a new level of a strip, then in a new strip. Of
    several places of one kind it is the smallest one.
    """
    for place in _places(sheet, stock, pieces[piece], measures):
        more = place.with_piece(sheet, piece)
        if not _wrong(more, stock, pieces, measures):
            return more
    return None


def kept_rests(sheet: Sheet, stock: Stock, measures: Measures) -> list[Box]:
    """Return the rests of a sheet that are remnants."""
    rests = rests_of(sheet, stock, measures.kerf)
    return [box for box in rests if measures.is_kept(box)]


def remnant_defects(rest: Box, stock: Stock) -> list[Box]:
    """Return the parts of defects that lie on a rest, from its corner."""
    found = []
    for one in stock.defects:
        left, low = max(one.x, rest.x), max(one.y, rest.y)
        right = min(one.x + one.width, rest.x + rest.width)
        high = min(one.y + one.height, rest.y + rest.height)
        if left < right and low < high:
            found.append(Box(left - rest.x, low - rest.y, right - left, high - low))
    return found


class _Place(NamedTuple):
    """A gap that a piece fits into; `strip` and `level` are None for a new one.

    `at` is the beginning of the gap in each direction, `length` and `breadth` the size of
    the piece as it lies, and `room` the area of the gap.
    """

    strip: int | None
    level: int | None
    along: int
    across: int
    length: int
    breadth: int
    room: int

    def with_piece(self, sheet: Sheet, piece: int) -> Sheet:
        """Return the sheet with the piece in this place."""
        cell = Cell(self.along, self.length, self.breadth, piece)
        strips = list(sheet.strips)
        if self.strip is None:
            level = Level(self.across, self.breadth, [cell])
            strips.append(Strip(self.along, self.length, [level]))
        else:
            strip = strips[self.strip]
            levels = list(strip.levels)
            if self.level is None:
                levels.append(Level(self.across, self.breadth, [cell]))
            else:
                level = levels[self.level]
                cells = sorted([*level.cells, cell], key=lambda one: one.at)
                levels[self.level] = level._replace(cells=cells)
            levels.sort(key=lambda one: one.at)
            strips[self.strip] = strip._replace(levels=levels)
        strips.sort(key=lambda one: one.at)
        return sheet._replace(strips=strips)


def _places(
    sheet: Sheet, stock: Stock, piece: Piece, measures: Measures
) -> Iterator[_Place]:
    along, across, length, breadth = box_of(sheet.axis, *stock.usable)
    sizes = {(piece.width, piece.height)}
    if piece.may_turn:
        sizes.add((piece.height, piece.width))
    lying = [box_of(sheet.axis, 0, 0, *one)[2:] for one in sorted(sizes)]
    kerf = measures.kerf
    in_levels, in_strips, in_sheet = list[_Place](), list[_Place](), list[_Place]()
    for s, strip in enumerate(sheet.strips):
        for n, level in enumerate(strip.levels):
            cells = [(one.at, one.length) for one in level.cells]
            for start, end in gaps(cells, strip.at, strip.breadth, kerf):
                for long, broad in lying:
                    if long <= end - start and broad <= level.breadth:
                        room = (end - start) * level.breadth
                        in_levels.append(
                            _Place(s, n, start, level.at, long, broad, room)
                        )
        levels = [(one.at, one.breadth) for one in strip.levels]
        for start, end in gaps(levels, across, breadth, kerf):
            for long, broad in lying:
                if long <= strip.breadth and broad <= end - start:
                    room = (end - start) * strip.breadth
                    in_strips.append(
                        _Place(s, None, strip.at, start, long, broad, room)
                    )
    strips = [(one.at, one.breadth) for one in sheet.strips]
    for start, end in gaps(strips, along, length, kerf):
        for long, broad in lying:
            if long <= end - start and broad <= breadth:
                room = (end - start) * breadth
                in_sheet.append(_Place(None, None, start, across, long, broad, room))
    for places in (in_levels, in_strips, in_sheet):
        yield from sorted(places, key=lambda one: one.room)


def _wrong(
    sheet: Sheet, stock: Stock, pieces: Sequence[Piece], measures: Measures
) -> bool:
    """Return whether a sheet cannot be cut; pieces of other sheets do not count."""
    plan = Plan([sheet._replace(stock=0)])
    found = faults(plan, pieces, [stock], measures)
    return any(one.kind != FaultKind.MISSING for one in found)
