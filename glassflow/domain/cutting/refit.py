"""A sheet that changes after it was planned: panes leave it, and a remake comes to it.

Nothing that stays is moved, so what somebody has scored already remains right.
"""

from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from glassflow.domain.cutting.plan import (
    Box,
    Cell,
    Level,
    Measures,
    Piece,
    Sheet,
    Stock,
    Strip,
    box_of,
    gaps,
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
    sheet: Sheet,
    stock: Stock,
    piece: int,
    pieces: Sequence[Piece],
    measures: Measures,
) -> Sheet | None:
    """Return a sheet with one more piece in its rests, None if it fits nowhere.

    `piece` is the index of one of the `pieces` that is not on the sheet. It comes into the
    place that wastes least: a rest of its size, else the rest of a level, else a new level
    in the rest of a strip, else a new strip. Of places of one kind that one is taken that
    leaves most of the rests that are kept, then the one in the smallest rest.
    """
    fitting, best = _Fitting(sheet, stock, measures), None
    for room in fitting.rooms():
        for size in _sizes(pieces[piece], sheet):
            for place in fitting.places(room, *size):
                found = fitting.rank(room, place), place, room
                if best is None or found < best:
                    best = found
    if best is None:
        return None
    _, place, room = best
    return _with_cell(sheet, room, place, piece)


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


class _Kind(IntEnum):
    """What a rest lies in, and so what is put into it: the less it opens, the better."""

    CELL = 1
    LEVEL = 2
    STRIP = 3


class _Room(NamedTuple):
    """A rest of a sheet that a piece may be cut from.

    `box` is given along and across the strips. `strip` is the index of the strip that the
    rest is in, `level` that of the level in it.
    """

    kind: _Kind
    box: Box
    strip: int = 0
    level: int = 0


class _Rank(NamedTuple):
    """How good a place is: less is better, the most important first.

    `lost` is what the rests that are kept lose of their squared areas: they are worth more
    in one piece. `room` is the area of the rest that is cut, `rests` how many are left of it.
    """

    is_unequal: bool
    kind: _Kind
    lost: int
    room: int
    rests: int


def _sizes(piece: Piece, sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Yield how long and how broad a piece can lie, along and across the strips."""
    _, _, length, breadth = box_of(sheet.axis, 0, 0, piece.width, piece.height)
    yield length, breadth
    if piece.may_turn and length != breadth:
        yield breadth, length


class _Fitting:
    """The rests of a sheet, and the places in them, along and across its strips."""

    def __init__(self, sheet: Sheet, stock: Stock, measures: Measures) -> None:
        self._sheet, self._measures = sheet, measures
        self._kerf = measures.kerf
        self._least = measures.distance + measures.kerf
        self._usable = box_of(sheet.axis, *stock.usable)
        self._defects = [box_of(sheet.axis, *one) for one in stock.defects]

    def rooms(self) -> Iterator[_Room]:
        """Yield the rests of the levels, of the strips and of the sheet.

        What is above a pane in its level is none: a piece of it would need one cut more
        than the form of a plan has.
        """
        kerf = self._kerf
        along, across, length, breadth = self._usable
        strips = self._sheet.strips
        for n, strip in enumerate(strips):
            for m, level in enumerate(strip.levels):
                cells = [(one.at, one.length) for one in level.cells]
                for start, end in gaps(cells, strip.at, strip.breadth, kerf):
                    box = Box(start, level.at, end - start, level.breadth)
                    yield _Room(_Kind.CELL, box, n, m)
            levels = [(one.at, one.breadth) for one in strip.levels]
            for start, end in gaps(levels, across, breadth, kerf):
                box = Box(strip.at, start, strip.breadth, end - start)
                yield _Room(_Kind.LEVEL, box, n)
        parts = [(one.at, one.breadth) for one in strips]
        for start, end in gaps(parts, along, length, kerf):
            yield _Room(_Kind.STRIP, Box(start, across, end - start, breadth))

    def places(self, room: _Room, length: int, breadth: int) -> Iterator[Box]:
        """Yield places in a rest, far enough from its edges and on no defect.

        One is found if there is any: a pane that is moved to the left and down as far as it
        goes comes to the edge, or as near to it as cuts may be, or to a defect.
        """
        box = room.box
        defects = [one for one in self._defects if one.overlaps(box)]
        columns = self._starts(
            box.x, box.width, length, [(one.x, one.width) for one in defects]
        )
        rows = self._starts(
            box.y, box.height, breadth, [(one.y, one.height) for one in defects]
        )
        if room.kind == _Kind.CELL:
            rows = [
                at for at in rows if at == box.y
            ]  # all cells of a level begin there
        for x in columns:
            for y in rows:
                place = Box(x, y, length, breadth)
                if not any(place.overlaps(one) for one in defects):
                    yield place

    def _starts(
        self, start: int, room: int, size: int, defects: Sequence[tuple[int, int]]
    ) -> list[int]:
        """Return where a part can begin: at an edge, near it, and beside defects."""
        last, least = start + room - size, self._least
        found = {start, start + least, last - least, last}
        for at, extent in defects:
            found |= {at - size, at + extent}
        return [
            at
            for at in sorted(found)
            if (at == start or at >= start + least)
            and (at == last or at <= last - least)
        ]

    def rank(self, room: _Room, place: Box) -> _Rank:
        """Return how good a place is."""
        box, kerf = room.box, self._kerf
        beside = gaps([(place.x, place.width)], box.x, box.width, kerf)
        above = gaps([(place.y, place.height)], box.y, box.height, kerf)
        # The cut that goes through the whole rest is made first.
        if room.kind == _Kind.LEVEL:
            rests = [Box(s, place.y, e - s, place.height) for s, e in beside]
            rests += [Box(box.x, s, box.width, e - s) for s, e in above]
        else:
            rests = [Box(s, box.y, e - s, box.height) for s, e in beside]
            rests += [Box(place.x, s, place.width, e - s) for s, e in above]
        lost = self._worth([box]) - self._worth(rests)
        is_unequal = place != box
        return _Rank(is_unequal, room.kind, lost, box.area, len(rests))

    def _worth(self, rests: Sequence[Box]) -> int:
        return sum(one.area**2 for one in rests if self._measures.is_kept(one))


def _with_cell(sheet: Sheet, room: _Room, place: Box, piece: int) -> Sheet:
    """Return a sheet with a piece at a place in one of its rests, the parts in order."""
    strips, cell = list(sheet.strips), Cell(place.x, place.width, place.height, piece)
    level = Level(place.y, place.height, [cell])
    if room.kind == _Kind.STRIP:
        strips.append(Strip(place.x, place.width, [level]))
    else:
        strip = strips[room.strip]
        levels = list(strip.levels)
        if room.kind == _Kind.LEVEL:
            levels.append(level)
        else:
            old = levels[room.level]
            levels[room.level] = old._replace(cells=sorted([*old.cells, cell]))
        strips[room.strip] = strip._replace(levels=sorted(levels))
    return sheet._replace(strips=sorted(strips))  # by their places, which all differ
