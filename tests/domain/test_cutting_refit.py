"""Sheets that change after planning: what is taken off, what comes to the rests, what is kept."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glassflow.domain.cutting.check import Fault, FaultKind, faults
from glassflow.domain.cutting.plan import (
    Axis,
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
    kept_rests,
    panes_of,
    rests_of,
)
from glassflow.domain.cutting.refit import fitted, remnant_defects, without

SHEET = Stock(20000, 20000)
MEASURES = Measures(distance=200)
EVERYTHING_KEPT = {"remnant_short": 1, "remnant_long": 1}


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Sheet, Stock, list[Piece], Measures]:
    """Draw a sheet that pieces were put on one after the other, at any place that is right.

    Lengths are small, so that edges, defects and other panes are often near. No piece is
    narrower than the distance of cuts: its hole could not be broken out.
    """
    trim = draw(st.integers(0, 1))
    distance, kerf = draw(st.integers(0, 2)), draw(st.sampled_from((0, 0, 1)))
    measures = Measures(distance, kerf, remnant_short=3, remnant_long=4)
    width, height = draw(st.integers(5, 10)), draw(st.integers(5, 10))
    defects = draw(
        st.lists(
            st.builds(
                Box,
                st.integers(0, width - 1),
                st.integers(0, height - 1),
                st.integers(1, 3),
                st.integers(1, 3),
            ),
            max_size=2,
        )
    )
    stock = Stock(width, height, trim=trim, defects=defects)
    sides = st.integers(max(distance, 1), 6)
    wanted = st.builds(Piece, sides, sides, st.booleans())
    pieces = draw(st.lists(wanted, min_size=1, max_size=5))
    sheet = Sheet(0, draw(st.sampled_from(list(Axis))), [])
    for piece in range(len(pieces)):
        found = right_places(sheet, stock, piece, pieces, measures)
        sheet = draw(st.sampled_from(list(found) or [sheet]))
    return sheet, stock, pieces, measures


def right_places(
    sheet: Sheet, stock: Stock, piece: int, pieces: Sequence[Piece], measures: Measures
) -> Iterator[Sheet]:
    """Yield the sheet with one more piece at each place that passes the proof, by trying all."""
    wide, high, _ = pieces[piece]
    for length, breadth in {(wide, high), (high, wide)}:
        for at in range(max(stock.width, stock.height) - length + 1):
            for more in with_cell_at(sheet, stock, Cell(at, length, breadth, piece)):
                if not wrong(more, stock, pieces, measures):
                    yield more


def with_cell_at(sheet: Sheet, stock: Stock, cell: Cell) -> Iterator[Sheet]:
    """Yield the sheet with a cell in each level, in a level anywhere, in a strip anywhere."""
    strips = list(sheet.strips)
    new = [
        Level(across, cell.breadth, [cell])
        for across in range(max(stock.width, stock.height) - cell.breadth + 1)
    ]
    for level in new:
        strip = Strip(cell.at, cell.length, [level])
        yield sheet._replace(strips=sorted([*strips, strip]))
    for n, strip in enumerate(strips):
        levels = list(strip.levels)
        changed = [sorted([*levels, level]) for level in new]
        for m, level in enumerate(levels):
            more = level._replace(cells=sorted([*level.cells, cell]))
            changed.append([*levels[:m], more, *levels[m + 1 :]])
        for one in changed:
            before, behind = strips[:n], strips[n + 1 :]
            yield sheet._replace(strips=[*before, strip._replace(levels=one), *behind])


def wrong(
    sheet: Sheet, stock: Stock, pieces: Sequence[Piece], measures: Measures
) -> list[Fault]:
    """Return the faults of a sheet; pieces may be missing."""
    found = faults(Plan([sheet]), pieces, [stock], measures)
    return [one for one in found if one.kind != FaultKind.MISSING]


def placed(sheet: Sheet) -> list[int]:
    """Return the pieces of a sheet in the order in which they break out."""
    return [piece for piece, _ in panes_of(sheet)]


def in_order(sheet: Sheet) -> bool:
    """Return whether all parts follow each other from the lower left corner on."""
    levels = [level for strip in sheet.strips for level in strip.levels]
    rows = [[one.at for one in sheet.strips]]
    rows += [[one.at for one in strip.levels] for strip in sheet.strips]
    rows += [[one.at for one in level.cells] for level in levels]
    return all(row == sorted(row) for row in rows)


@settings(deadline=None, max_examples=60)
@given(sheets(), st.data())
def test_pieces_that_are_taken_off_leave_all_others_where_they_are(
    drawn: tuple[Sheet, Stock, list[Piece], Measures], data: st.DataObject
) -> None:
    """In their order; no strip and no level is empty, and the sheet can be cut."""
    sheet, stock, pieces, measures = drawn
    gone = data.draw(st.sets(st.sampled_from(range(len(pieces)))))
    fewer = without(sheet, gone)
    assert list(panes_of(fewer)) == [
        one for one in panes_of(sheet) if one[0] not in gone
    ]
    assert all(
        strip.levels and all(level.cells for level in strip.levels)
        for strip in fewer.strips
    )
    assert not wrong(fewer, stock, pieces, measures)


@settings(deadline=None, max_examples=60)
@given(sheets(), st.data())
def test_a_piece_that_is_taken_off_fits_again(
    drawn: tuple[Sheet, Stock, list[Piece], Measures], data: st.DataObject
) -> None:
    """Though others are taken off with it, and whatever it lay beside."""
    sheet, stock, pieces, measures = drawn
    assume(placed(sheet))
    gone = data.draw(st.sets(st.sampled_from(placed(sheet)), min_size=1))
    piece = data.draw(st.sampled_from(sorted(gone)))
    again = fitted(without(sheet, gone), stock, piece, pieces, measures)
    assert again is not None
    assert sorted(placed(again)) == sorted({*placed(sheet)} - gone | {piece})


@settings(deadline=None, max_examples=60)
@given(sheets(), st.builds(Piece, st.integers(1, 7), st.integers(1, 7), st.booleans()))
def test_a_piece_fits_where_any_place_passes_the_proof(
    drawn: tuple[Sheet, Stock, list[Piece], Measures], wanted: Piece
) -> None:
    """All places are tried by the test; what is found is right, and moves no other pane."""
    sheet, stock, pieces, measures = drawn
    piece, pieces = len(pieces), [*pieces, wanted]
    more = fitted(sheet, stock, piece, pieces, measures)
    possible = right_places(sheet, stock, piece, pieces, measures)
    assert (more is None) == (next(possible, None) is None)
    if more is not None:
        assert not wrong(more, stock, pieces, measures)
        assert in_order(more)
        assert without(more, {piece}) == sheet


@settings(deadline=None, max_examples=60)
@given(sheets(), st.data())
def test_panes_and_rests_cover_a_sheet_that_was_changed(
    drawn: tuple[Sheet, Stock, list[Piece], Measures], data: st.DataObject
) -> None:
    """No part lies on another one; without a kerf nothing of the glass is missing."""
    sheet, stock, pieces, measures = drawn
    gone = data.draw(st.sets(st.sampled_from(range(len(pieces)))))
    sheet = without(sheet, gone)
    for piece in gone:
        sheet = fitted(sheet, stock, piece, pieces, measures) or sheet
    parts = [box for _, box in panes_of(sheet)]
    parts += rests_of(sheet, stock, measures.kerf)
    assert not any(one.overlaps(other) for one, other in combinations(parts, 2))
    covered, usable = sum(one.area for one in parts), stock.usable
    if measures.kerf:
        assert covered <= usable.area
    else:
        assert covered == usable.area
    for one in parts:
        assert usable.x <= one.x
        assert usable.y <= one.y
        assert one.x + one.width <= usable.x + usable.width
        assert one.y + one.height <= usable.y + usable.height


@settings(deadline=None, max_examples=60)
@given(sheets(), st.data())
def test_rests_that_are_kept_have_the_defects_of_their_sheet(
    drawn: tuple[Sheet, Stock, list[Piece], Measures], data: st.DataObject
) -> None:
    """Each point of a rest has one there if and only if the sheet has one at its place."""
    sheet, stock, pieces, measures = drawn
    sheet = without(sheet, data.draw(st.sets(st.sampled_from(range(len(pieces))))))
    kept = kept_rests(sheet, stock, measures)
    assert kept == [
        one for one in rests_of(sheet, stock, measures.kerf) if measures.is_kept(one)
    ]
    for rest in kept:
        found = remnant_defects(rest, stock)
        assert all(one.x >= 0 and one.x + one.width <= rest.width for one in found)
        assert all(one.y >= 0 and one.y + one.height <= rest.height for one in found)
        for x in range(rest.width):
            for y in range(rest.height):
                here = Box(x, y, 1, 1)
                there = Box(rest.x + x, rest.y + y, 1, 1)
                assert any(one.overlaps(here) for one in found) == any(
                    one.overlaps(there) for one in stock.defects
                )


def sheet_of(axis: Axis, *strips: Strip) -> Sheet:
    """Return a sheet of the first lot."""
    return Sheet(0, axis, [*strips])


# A full strip, and one with a hole between two panes and a rest above them.
PANES = [Piece(8000, 20000), *[Piece(3000, 6000)] * 3]
FULL = sheet_of(
    Axis.X,
    Strip(0, 8000, [Level(0, 20000, [Cell(0, 8000, 20000, 0)])]),
    Strip(
        8000,
        9000,
        [
            Level(
                0,
                6000,
                [
                    Cell(8000, 3000, 6000, 1),
                    Cell(11000, 3000, 6000, 2),
                    Cell(14000, 3000, 6000, 3),
                ],
            )
        ],
    ),
)


def place_of(sheet: Sheet | None, piece: int) -> Box | None:
    """Return where a piece is on a sheet."""
    return dict(panes_of(sheet)).get(piece) if sheet else None


def test_the_hole_between_two_panes_is_filled_again() -> None:
    """Though the rest above them has room, too."""
    fewer = without(FULL, {2})
    assert place_of(fitted(fewer, SHEET, 2, PANES, MEASURES), 2) == Box(
        11000, 0, 3000, 6000
    )


@pytest.mark.parametrize(
    ("piece", "place"),
    [
        (Piece(2000, 6000), Box(11000, 0, 2000, 6000)),
        (Piece(6000, 2000), Box(11000, 0, 2000, 6000)),
        (Piece(6000, 2000, False), Box(8000, 6000, 6000, 2000)),
        (Piece(9000, 10000), Box(8000, 6000, 9000, 10000)),
        (Piece(2800, 15000), Box(17000, 0, 2800, 15000)),
        (Piece(2900, 15000), None),
        (Piece(2900, 6000), Box(8000, 6000, 6000, 2900)),
        (Piece(9500, 9500), None),
    ],
)
def test_a_piece_comes_into_a_level_then_into_a_strip_then_into_the_sheet(
    piece: Piece, place: Box | None
) -> None:
    """Turned where it may turn, and as far from cuts as glass breaks."""
    fewer = without(FULL, {2})
    pieces = [*PANES, piece]
    assert place_of(fitted(fewer, SHEET, 4, pieces, MEASURES), 4) == place


def test_a_hole_of_the_size_of_the_piece_comes_first() -> None:
    """Here that of a strip, though a level has room for the piece."""
    pieces = [*PANES, Piece(9000, 14000), Piece(2000, 14000), Piece(3000, 20000)]
    # what is left beside the pane 5 is larger than the hole above it
    high = Level(6000, 14000, [Cell(8000, 2000, 14000, 5)])
    full, strip = FULL.strips
    sheet = FULL._replace(strips=[full, strip._replace(levels=[*strip.levels, high])])
    assert place_of(fitted(sheet, SHEET, 6, pieces, MEASURES), 6) == Box(
        17000, 0, 3000, 20000
    )


def test_of_rests_of_a_kind_the_smallest_one_is_used() -> None:
    """So that the larger one stays for a larger piece, and a remnant stays a remnant."""
    cells = [Cell(0, 3000, 8000, 0)], [Cell(0, 5000, 9000, 1)]
    levels = [Level(0, 8000, cells[0]), Level(8000, 9000, cells[1])]
    sheet = sheet_of(Axis.X, Strip(0, 10000, levels))
    pieces = [Piece(3000, 8000), Piece(5000, 9000), Piece(2000, 8000)]
    for least, place in (
        (6500, Box(5000, 8000, 2000, 8000)),  # neither of them is kept
        (4000, Box(3000, 0, 2000, 8000)),  # and what is left of the first one, is
    ):
        measures = MEASURES._replace(remnant_short=least, remnant_long=8000)
        assert place_of(fitted(sheet, SHEET, 2, pieces, measures), 2) == place


@pytest.mark.parametrize("axis", list(Axis))
def test_a_piece_comes_beside_a_defect(axis: Axis) -> None:
    """Behind it if there is no room before it; without the defect it lies at the edge."""
    defect = box_of(axis, 3000, 3000, 1000, 1000)
    piece = Piece(*box_of(axis, 0, 0, 7000, 9000)[2:], may_turn=False)
    sheet = Sheet(0, axis, [])
    for defects, along in (((), 0), ([defect], 4000)):
        stock = Stock(*box_of(axis, 0, 0, 11000, 9000)[2:], defects=defects)
        found = fitted(sheet, stock, 0, [piece], MEASURES)
        assert place_of(found, 0) == box_of(axis, along, 0, 7000, 9000)


def test_a_sheet_that_a_defect_was_found_on_gets_its_panes_elsewhere() -> None:
    """A pane that is on the defect until then is no obstacle for another one."""
    stock = SHEET._replace(defects=[Box(9000, 1000, 10, 10), Box(15000, 1000, 10, 10)])
    fewer = without(FULL, {1})
    again = fitted(fewer, stock, 1, PANES, MEASURES)
    assert place_of(again, 1) == Box(8000, 6000, 6000, 3000)


def test_the_hole_between_levels_is_a_rest_with_its_kerf() -> None:
    """Two cuts were made for what is gone; both are lost, and no more."""
    kerf = MEASURES._replace(kerf=40, **EVERYTHING_KEPT)
    levels = [
        Level(at, 4000, [Cell(0, 9000, 4000, n)])
        for n, at in enumerate((0, 4040, 8080))
    ]
    sheet = sheet_of(Axis.X, Strip(0, 9000, levels))
    stock, pieces = Stock(9000, 12080), [Piece(9000, 4000)] * 3
    assert not kept_rests(sheet, stock, kerf)
    for n, at in enumerate((0, 4040, 8080)):
        fewer = without(sheet, {n})
        assert kept_rests(fewer, stock, kerf) == [Box(0, at, 9000, 4000)]
        assert fitted(fewer, stock, n, pieces, kerf) == sheet
    assert kept_rests(without(sheet, {0, 1}), stock, kerf) == [Box(0, 0, 9000, 8040)]
    assert kept_rests(without(sheet, {0, 1, 2}), stock, kerf) == [stock.usable]


def test_a_remnant_has_the_part_of_a_defect_that_lies_on_it() -> None:
    """Counted from its own corner; a defect that it only touches is none of it."""
    stock = SHEET._replace(
        defects=[
            Box(4000, 4000, 2000, 500),
            Box(9000, 9500, 3000, 3000),
            Box(0, 0, 5000, 4000),
        ]
    )
    assert remnant_defects(Box(5000, 4000, 5000, 6000), stock) == [
        Box(0, 0, 1000, 500),
        Box(4000, 5500, 1000, 500),
    ]
