"""The proof of a cutting plan, whatever made it: nothing here knows how plans are found.

A plan is right if every cut goes from edge to edge in three stages and a trim, cuts are far
enough apart to break, each piece is there once in its size, inside the trims of its sheet and
outside the defects, and no lot gives more sheets than it has.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from glassflow.domain.cutting.plan import (
    Box,
    Level,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    box_of,
    panes_of,
)


class FaultKind(StrEnum):
    """What can be wrong with a plan."""

    UNKNOWN_LOT = "unknown_lot"
    TOO_MANY_SHEETS = "too_many_sheets"
    UNKNOWN_PIECE = "unknown_piece"
    MISSING = "missing"
    TWICE = "twice"
    WRONG_SIZE = "wrong_size"
    TURNED = "turned"
    OUTSIDE = "outside"
    OVERLAP = "overlap"
    TOO_NEAR = "too_near"
    ON_DEFECT = "on_defect"


class Fault(NamedTuple):
    """One fault; `sheet` and `piece` are indexes, None where it is one of the whole plan."""

    kind: FaultKind
    sheet: int | None = None
    piece: int | None = None


def faults(
    plan: Plan, pieces: Sequence[Piece], stocks: Sequence[Stock], measures: Measures
) -> Iterator[Fault]:
    """Yield what is wrong with a plan; nothing for one that can be cut as it is."""
    taken = Counter(one.stock for one in plan.sheets)
    for n, sheet in enumerate(plan.sheets):
        if not 0 <= sheet.stock < len(stocks):
            yield Fault(FaultKind.UNKNOWN_LOT, n)
            continue
        stock = stocks[sheet.stock]
        for kind, piece in _faults_of_sheet(sheet, stock, pieces, measures):
            yield Fault(kind, n, piece)
    for lot, number in taken.items():
        if 0 <= lot < len(stocks) and number > stocks[lot].sheets:
            yield Fault(FaultKind.TOO_MANY_SHEETS)
    placed = Counter(
        piece for sheet in plan.sheets for piece, _ in panes_of(sheet)
    ) + Counter(plan.left_out)
    for piece in range(len(pieces)):
        if placed[piece] != 1:
            kind = FaultKind.TWICE if placed[piece] else FaultKind.MISSING
            yield Fault(kind, piece=piece)
    for piece in placed:
        if not 0 <= piece < len(pieces):
            yield Fault(FaultKind.UNKNOWN_PIECE, piece=piece)


Found = Iterator[tuple[FaultKind, int | None]]


def _faults_of_sheet(
    sheet: Sheet, stock: Stock, pieces: Sequence[Piece], measures: Measures
) -> Found:
    along, across, length, breadth = box_of(sheet.axis, *stock.usable)
    strips = [(one.at, one.breadth) for one in sheet.strips]
    yield from _faults_of_parts(strips, along, length, measures)
    for strip in sheet.strips:
        levels = [(one.at, one.breadth) for one in strip.levels]
        yield from _faults_of_parts(levels, across, breadth, measures)
        for level in strip.levels:
            cells = [(one.at, one.length) for one in level.cells]
            yield from _faults_of_parts(cells, strip.at, strip.breadth, measures)
            yield from _faults_of_trims(level, measures)
    for piece, place in panes_of(sheet):
        if 0 <= piece < len(pieces):
            yield from _faults_of_pane(piece, place, pieces[piece])
        if any(place.overlaps(defect) for defect in stock.defects):
            yield FaultKind.ON_DEFECT, piece


def _faults_of_parts(
    parts: Sequence[tuple[int, int]], start: int, length: int, measures: Measures
) -> Found:
    """Yield faults of parts that follow each other from edge to edge of a larger one.

    Neighbours have one cut between them, or a rest that two cuts separate.
    """
    kerf, end, one_cut = measures.kerf, start, 0
    for at, size in parts:
        gap = at - end
        if size <= 0 or at < start:
            yield FaultKind.OUTSIDE, None
        elif gap < one_cut:
            yield FaultKind.OVERLAP, None
        elif gap > one_cut and gap < measures.distance + kerf + one_cut:
            yield FaultKind.TOO_NEAR, None
        end, one_cut = at + size, kerf
    rest = start + length - end
    if rest < 0:
        yield FaultKind.OUTSIDE, None
    elif parts and 0 < rest < measures.distance + kerf:
        yield FaultKind.TOO_NEAR, None


def _faults_of_trims(level: Level, measures: Measures) -> Found:
    for cell in level.cells:
        trimmed = level.breadth - cell.breadth
        if trimmed < 0:
            yield FaultKind.OUTSIDE, cell.piece
        elif 0 < trimmed < measures.distance + measures.kerf:
            yield FaultKind.TOO_NEAR, cell.piece


def _faults_of_pane(number: int, place: Box, piece: Piece) -> Found:
    size = place.width, place.height
    if size == (piece.width, piece.height):
        return
    if size != (piece.height, piece.width):
        yield FaultKind.WRONG_SIZE, number
    elif not piece.may_turn:
        yield FaultKind.TURNED, number
