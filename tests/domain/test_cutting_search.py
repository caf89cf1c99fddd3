"""Cutting plans: the search finds plans that can be cut, and the proof finds what is wrong."""

from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutting_instances import LOTS, PIECES, RULES
from glassflow.domain.cutting.check import FaultKind, faults
from glassflow.domain.cutting.heuristic import Found, plans
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
    cuts_of,
    panes_of,
    rests_of,
    tenths,
)

SHEET = Stock(24380, 36580, sheets=1000)
MEASURES = Measures(distance=200)


def best_after(
    steps: int,
    pieces: Sequence[Piece],
    lots: Sequence[Stock],
    rules: Measures = MEASURES,
) -> Found:
    """Return the plan after so many steps of the search."""
    return list(islice(plans(pieces, lots, rules), steps))[-1]


def of_workshop(number: int, seed: int) -> list[Piece]:
    """Return panes as a workshop gets them: windows, doors and shelves, some of them often."""
    chance, pieces = Random(seed), list[Piece]()
    while len(pieces) < number:
        low, high = chance.choice(((400, 1200), (700, 1000), (150, 400)))
        size = chance.randint(low, high) * 10, chance.randint(400, 2000) * 10
        pieces += [Piece(*size)] * chance.choice((1, 1, 2, 4))
    return pieces[:number]


@settings(deadline=None, max_examples=120)
@given(PIECES, LOTS, RULES)
def test_every_plan_passes_the_proof(
    pieces: list[Piece], lots: list[Stock], rules: Measures
) -> None:
    """Whatever lots, defects, trims and rules there are."""
    found = list(islice(plans(pieces, lots, rules), 8))
    assert [list(faults(one.plan, pieces, lots, rules)) for one in found] == [[]] * 8
    for earlier, later in pairwise(found):
        assert later.aims[:2] <= earlier.aims[:2]


@settings(deadline=None, max_examples=60)
@given(PIECES, LOTS, RULES)
def test_panes_and_rests_cover_a_sheet_and_saws_can_part_them(
    pieces: list[Piece], lots: list[Stock], rules: Measures
) -> None:
    """No part lies on another one; without a kerf nothing of the glass is missing."""
    for sheet in best_after(4, pieces, lots, rules).plan.sheets:
        stock = lots[sheet.stock]
        panes = [box for _, box in panes_of(sheet)]
        parts = [*panes, *rests_of(sheet, stock, rules.kerf)]
        assert not any(
            one.overlaps(other) for n, one in enumerate(parts) for other in parts[:n]
        )
        covered = sum(one.area for one in parts)
        assert covered <= stock.usable.area
        if not rules.kerf:
            assert covered == stock.usable.area
        assert can_be_parted(panes)
        assert cuts_of(sheet, stock, rules.kerf) >= len(panes) - 1


def can_be_parted(boxes: Sequence[Box]) -> bool:
    """Return whether cuts from edge to edge part all boxes, however many stages they take."""
    if len(boxes) < 2:
        return True
    for low, high in (
        (lambda box: box.x, lambda box: box.x + box.width),
        (lambda box: box.y, lambda box: box.y + box.height),
    ):
        for at in {high(box) for box in boxes}:
            before = [box for box in boxes if high(box) <= at]
            behind = [box for box in boxes if low(box) >= at]
            if behind and len(before) + len(behind) == len(boxes):
                return can_be_parted(before) and can_be_parted(behind)
    return False


def right_plan() -> tuple[Plan, list[Piece], list[Stock]]:
    """Return a plan without a fault: two levels, a trim, a rest beside them, a second sheet."""
    pieces = [
        Piece(5000, 8000),
        Piece(6000, 8000),
        Piece(5000, 6000, False),
        Piece(9000, 9000),
    ]
    lots = [Stock(20000, 20000, 2, trim=100, defects=[Box(15000, 15000, 100, 100)])]
    cells = [Cell(100, 5000, 8000, 0), Cell(5100, 6000, 8000, 1)]
    levels = [Level(100, 8000, cells), Level(8100, 7000, [Cell(100, 5000, 6000, 2)])]
    first = Sheet(0, Axis.X, [Strip(100, 11000, levels)])
    second = Sheet(
        0, Axis.Y, [Strip(100, 9000, [Level(100, 9000, [Cell(100, 9000, 9000, 3)])])]
    )
    return Plan([first, second]), pieces, lots


def with_cell(plan: Plan, level: int, cell: int, **changes: Any) -> Plan:
    """Return the plan with other values of a cell on the first sheet."""
    [strip], levels = plan.sheets[0].strips, list(plan.sheets[0].strips[0].levels)
    cells = list(levels[level].cells)
    cells[cell] = cells[cell]._replace(**changes)
    levels[level] = levels[level]._replace(cells=cells)
    first = plan.sheets[0]._replace(strips=[strip._replace(levels=levels)])
    return plan._replace(sheets=[first, *plan.sheets[1:]])


def with_strip(plan: Plan, **changes: Any) -> Plan:
    """Return the plan with other values of the strip on the first sheet."""
    [strip] = plan.sheets[0].strips
    first = plan.sheets[0]._replace(strips=[strip._replace(**changes)])
    return plan._replace(sheets=[first, *plan.sheets[1:]])


def moved_level(plan: Plan, at: int) -> Plan:
    """Return the plan with the second level of the first sheet elsewhere."""
    low, high = plan.sheets[0].strips[0].levels
    return with_strip(plan, levels=[low, high._replace(at=at)])


SPOILED: list[tuple[str, Callable[[Plan], Plan], FaultKind]] = [
    (
        "a pane is missing",
        lambda plan: plan._replace(sheets=plan.sheets[:1]),
        FaultKind.MISSING,
    ),
    (
        "a pane is there twice",
        lambda plan: plan._replace(left_out=[3]),
        FaultKind.TWICE,
    ),
    (
        "a pane is not known",
        lambda plan: plan._replace(left_out=[4]),
        FaultKind.UNKNOWN_PIECE,
    ),
    (
        "a lot has no more sheets",
        lambda plan: plan._replace(sheets=[*plan.sheets, Sheet(0, Axis.X, [])]),
        FaultKind.TOO_MANY_SHEETS,
    ),
    (
        "a lot is not known",
        lambda plan: plan._replace(sheets=[*plan.sheets, Sheet(1, Axis.X, [])]),
        FaultKind.UNKNOWN_LOT,
    ),
    (
        "a pane is too small",
        lambda plan: with_cell(plan, 0, 1, length=5900),
        FaultKind.WRONG_SIZE,
    ),
    (
        "patterned glass is turned",
        lambda plan: with_cell(plan, 1, 0, length=6000, breadth=5000),
        FaultKind.TURNED,
    ),
    (
        "panes lie on each other",
        lambda plan: with_cell(plan, 0, 1, at=5000),
        FaultKind.OVERLAP,
    ),
    (
        "cuts are too near",
        lambda plan: with_cell(plan, 0, 1, at=5150),
        FaultKind.TOO_NEAR,
    ),
    ("a trim is too narrow", lambda plan: moved_level(plan, 8200), FaultKind.TOO_NEAR),
    ("a pane is on a trim", lambda plan: with_strip(plan, at=0), FaultKind.OUTSIDE),
    (
        "a strip is too wide",
        lambda plan: with_strip(plan, breadth=19900),
        FaultKind.OUTSIDE,
    ),
    ("a level is outside", lambda plan: moved_level(plan, 13000), FaultKind.OUTSIDE),
    (
        "a pane is higher than its level",
        lambda plan: with_cell(plan, 0, 0, length=8000, breadth=8100),
        FaultKind.OUTSIDE,
    ),
]


@pytest.mark.parametrize(
    ("spoil", "kind"), [one[1:] for one in SPOILED], ids=[one[0] for one in SPOILED]
)
def test_the_proof_names_each_fault(
    spoil: Callable[[Plan], Plan], kind: FaultKind
) -> None:
    """A right plan has none; with one change it has this one."""
    plan, pieces, lots = right_plan()
    assert not list(faults(plan, pieces, lots, MEASURES))
    assert kind in {one.kind for one in faults(spoil(plan), pieces, lots, MEASURES)}


def test_no_pane_covers_a_defect() -> None:
    """The proof refuses it, and the search cuts around it."""
    plan, pieces, [lot] = right_plan()
    spoiled = [lot._replace(defects=[Box(7000, 3000, 10, 10)])]
    assert [one.kind for one in faults(plan, pieces, spoiled, MEASURES)] == [
        FaultKind.ON_DEFECT
    ] * 2
    middle = Stock(20000, 20000, 1, defects=[Box(9000, 0, 500, 20000)])
    found = best_after(3, [Piece(8000, 18000)] * 2, [middle])
    assert not found.plan.left_out


@settings(deadline=None, max_examples=30)
@given(PIECES, LOTS, RULES, st.randoms(use_true_random=False))
def test_a_plan_with_a_pane_moved_at_random_fails_the_proof(
    pieces: list[Piece], lots: list[Stock], rules: Measures, chance: Any
) -> None:
    """By less than what two cuts need, so that it cannot be right elsewhere."""
    plan = best_after(2, pieces, lots, rules).plan
    places = [
        (n, a, b, c)
        for n, sheet in enumerate(plan.sheets)
        for a, strip in enumerate(sheet.strips)
        for b, level in enumerate(strip.levels)
        for c, _ in enumerate(level.cells)
    ]
    if not places:
        return
    n, a, b, c = chance.choice(places)
    sheets = [*plan.sheets]
    strips = [*sheets[n].strips]
    levels = [*strips[a].levels]
    cells = [*levels[b].cells]
    cells[c] = cells[c]._replace(length=cells[c].length + 1)
    levels[b] = levels[b]._replace(cells=cells)
    strips[a] = strips[a]._replace(levels=levels)
    sheets[n] = sheets[n]._replace(strips=strips)
    assert list(faults(plan._replace(sheets=sheets), pieces, lots, rules))


def test_what_no_sheet_is_left_for_is_left_out() -> None:
    """The largest panes are placed first; a pane that is too large is no obstacle."""
    pieces = [Piece(9000, 9000)] * 5 + [Piece(30000, 9000)]
    found = best_after(20, pieces, [Stock(20000, 20000, 1)])
    assert len(found.plan.left_out) == 2
    assert 5 in found.plan.left_out
    assert not best_after(20, pieces[:5], [Stock(20000, 20000, 2)]).plan.left_out


def test_the_first_panes_are_on_the_first_sheets() -> None:
    """Of equal panes those that come first, such as those that are due first."""
    found = best_after(1, [Piece(9000, 9000)] * 6, [Stock(20000, 20000, 2)])
    first, second = ([piece for piece, _ in panes_of(one)] for one in found.plan.sheets)
    assert (sorted(first), sorted(second)) == ([0, 1, 2, 3], [4, 5])


def used_lots(found: Found) -> list[int]:
    """Return the lots of a plan, each as often as it is used."""
    return [one.stock for one in found.plan.sheets]


def test_a_remnant_is_used_where_it_saves_a_sheet() -> None:
    """Even one of which less is used than the rules ask for."""
    remnant = Stock(12000, 12000, is_remnant=True)
    for size in (11000, 3000):
        found = best_after(5, [Piece(size, size)], [SHEET, remnant])
        assert used_lots(found) == [1]


def test_a_remnant_stays_where_the_plan_makes_more_than_it_uses() -> None:
    """The sheet has to be begun in any case, and its rest only becomes larger."""
    pieces = [Piece(24380, 12000), Piece(9000, 9000)]
    remnant = Stock(10000, 10000, is_remnant=True)
    assert used_lots(best_after(10, pieces, [SHEET, remnant])) == [0]


def test_a_remnant_is_used_where_less_is_left_than_it_was() -> None:
    """The sheet has no room for a rest that is worth keeping."""
    pieces = [Piece(24380, 35000), Piece(9000, 9000)]
    remnant = Stock(10000, 10000, is_remnant=True)
    assert used_lots(best_after(10, pieces, [SHEET, remnant])) == [1, 0]


def test_a_remnant_is_not_begun_for_little() -> None:
    """Less than half of it would be covered, and nothing of it kept; two sheets are begun anyway."""
    pieces = [Piece(24380, 35000), Piece(24380, 20000), Piece(2000, 8000)]
    remnant = Stock(4000, 11000, is_remnant=True)
    measures = MEASURES._replace(remnant_short=10000, remnant_long=30000)
    assert used_lots(best_after(10, pieces, [SHEET, remnant], measures)) == [0, 0]
    eager = measures._replace(least_use=0.3)
    assert used_lots(best_after(10, pieces, [SHEET, remnant], eager)) == [1, 0, 0]


def test_the_rest_of_the_last_sheet_is_in_one_piece() -> None:
    """Of plans with as many sheets that one is taken whose rest is worth more."""
    found = best_after(40, [Piece(12000, 9000)] * 2, [SHEET])
    [sheet] = found.plan.sheets
    kept = [box for box in rests_of(sheet, SHEET) if MEASURES.is_kept(box)]
    assert max(box.area for box in kept) >= 24380 * (36580 - 9000)


@pytest.mark.parametrize(
    ("number", "seed", "steps"), [(20, 1, 60), (100, 1, 60), (100, 2, 60)]
)
def test_plans_of_a_workshop_come_near_the_area(
    number: int, seed: int, steps: int
) -> None:
    """At most one sheet more than the area needs, and fewer than the first plan has, or as many."""
    pieces = of_workshop(number, seed)
    area = sum(one.width * one.height for one in pieces)
    found = list(islice(plans(pieces, [SHEET], MEASURES), steps))
    assert found[-1].aims.whole <= (area // SHEET.area + 2) * SHEET.area
    assert found[-1].aims <= found[0].aims
    assert not list(faults(found[-1].plan, pieces, [SHEET], MEASURES))


def test_the_same_seed_gives_the_same_plan() -> None:
    """So that a plan can be found again from what it was made of."""
    pieces = of_workshop(30, 3)
    assert best_after(10, pieces, [SHEET]) == best_after(10, pieces, [SHEET])


def test_lengths_are_rounded_up_to_a_tenth() -> None:
    """A pane is never smaller than it was asked for; binary fractions do not add a tenth."""
    assert [tenths(one) for one in (412.5, 0.1 + 0.2, 412.51, 1000)] == [
        4125,
        3,
        4126,
        10000,
    ]
