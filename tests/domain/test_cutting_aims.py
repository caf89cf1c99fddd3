"""The aims of cutting plans: one value for each plan, and one order of several, for every maker."""

from collections.abc import Sequence
from itertools import islice, permutations

import pytest
from hypothesis import given, settings

from cutting_instances import LOTS, PIECES, RULES
from glassflow.domain.cutting.aims import Aims, Found, choose, evaluate
from glassflow.domain.cutting.heuristic import plans
from glassflow.domain.cutting.kinds import Kinds
from glassflow.domain.cutting.plan import (
    Axis,
    Cell,
    Level,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    Strip,
)

MEASURES = Measures(distance=200)
SHEET = Stock(20000, 30000, 9)
REMNANT = Stock(10000, 12000, 1, is_remnant=True)
NOTHING = Plan([])


def one_pane(stock: int, piece: int, width: int, height: int) -> Sheet:
    """Return a sheet with one pane in its lower left corner."""
    level = Level(0, height, [Cell(0, width, height, piece)])
    return Sheet(stock, Axis.X, [Strip(0, width, [level])])


@settings(deadline=None, max_examples=60)
@given(PIECES, LOTS, RULES)
def test_the_search_and_others_value_a_plan_alike(
    pieces: list[Piece], lots: list[Stock], rules: Measures
) -> None:
    """So that a plan of the search is compared with any other one."""
    has_remnants = any(one.is_remnant for one in lots)
    for found in islice(plans(pieces, lots, rules), 4):
        alone = evaluate(found.plan, pieces, lots, rules)
        assert alone == found._replace(without=alone.without)
        assert (found.without is not None) == has_remnants
        if found.without is not None and not found.used:
            assert found.without == found.aims


def test_a_plan_is_valued_by_what_it_needs_uses_and_leaves() -> None:
    """A pane on a remnant, one on a sheet, and one that is left out."""
    pieces = [Piece(9000, 9500), Piece(20000, 15000), Piece(7000, 8000)]
    plan = Plan([one_pane(1, 0, 9000, 9500), one_pane(0, 1, 20000, 15000)], [2])
    found = evaluate(plan, pieces, [SHEET, REMNANT], MEASURES)
    assert found.aims == Aims(56_000_000, 600_000_000, -9.0, 3)
    assert (found.used, found.made) == (120_000_000, 300_000_000)
    assert found.is_sparing
    assert found.without is None


@pytest.mark.parametrize(("least_use", "is_sparing"), [(0.71, True), (0.72, False)])
def test_a_remnant_is_spared_where_enough_of_it_is_used(
    least_use: float, is_sparing: bool
) -> None:
    """A pane of 85.5 dm² on a remnant of 120 dm², of which no rest is kept."""
    rules = MEASURES._replace(least_use=least_use)
    plan = Plan([one_pane(0, 0, 9000, 9500)])
    found = evaluate(plan, [Piece(9000, 9500)], [REMNANT], rules)
    assert found.is_sparing == is_sparing


def found(
    whole: int,
    *,
    used: int = 0,
    made: int = 0,
    is_sparing: bool = True,
    worth: float = 0.0,
) -> Found:
    """Return a plan with these aims; one without remnants says so."""
    aims = Aims(0, whole, worth, 1)
    return Found(NOTHING, aims, used, made, is_sparing, None if used else aims)


WITHOUT = found(3)
CHOICES: list[tuple[str, Sequence[Found], Found]] = [
    (
        "fewer sheets",
        [WITHOUT, found(2, used=5, made=9, is_sparing=False)],
        found(2, used=5, made=9, is_sparing=False),
    ),
    (
        "as many sheets, no more made than used",
        [WITHOUT, found(3, used=5, made=5)],
        found(3, used=5, made=5),
    ),
    (
        "as many sheets, more made than used",
        [WITHOUT, found(3, used=5, made=6, worth=-9.0)],
        WITHOUT,
    ),
    (
        "as many sheets, too little used of a remnant",
        [WITHOUT, found(3, used=5, is_sparing=False, worth=-9.0)],
        WITHOUT,
    ),
    (
        "enough used of each remnant, and as few sheets",
        [WITHOUT, found(2, used=5, is_sparing=False, worth=-9.0), found(2, used=5)],
        found(2, used=5),
    ),
    ("more sheets", [WITHOUT, found(4, used=5)], WITHOUT),
    ("a rest that is worth more", [WITHOUT, found(3, worth=-1.0)], found(3, worth=-1)),
]


@pytest.mark.parametrize(
    ("every", "best"),
    [one[1:] for one in CHOICES],
    ids=[one[0] for one in CHOICES],
)
def test_the_best_plan_is_chosen_in_any_order(
    every: Sequence[Found], best: Found
) -> None:
    """It knows the aims of the best plan without remnants."""
    without = min(one.aims for one in every if not one.used)
    for some in permutations(every):
        assert choose(some) == best._replace(without=without)


def test_a_plan_without_remnants_is_known_by_its_aims_alone() -> None:
    """The search yields only its best plan, with the aims of the one without remnants."""
    best = choose([WITHOUT, found(2, used=5, made=9)])
    later = found(2, used=5, made=9, worth=-1.0)
    assert choose([best, later]) == later._replace(without=WITHOUT.aims)
    as_few = found(2)
    assert choose([best, as_few]) == as_few


def test_pieces_of_a_kind_come_to_sheets_in_their_order() -> None:
    """Remnants first, then the fullest sheets; what is over is left out."""
    pieces = [Piece(9000, 9000), Piece(20000, 15000), *[Piece(9000, 9000)] * 2]
    kinds = Kinds.of(pieces)
    assert kinds.numbers() == [3, 1]
    whole, full = one_pane(0, 0, 9000, 9000), one_pane(0, 1, 20000, 15000)
    plan = kinds.plan([whole, full, whole._replace(stock=1)], [SHEET, REMNANT])
    assert [one.stock for one in plan.sheets] == [1, 0, 0]
    placed = [one.strips[0].levels[0].cells[0].piece for one in plan.sheets]
    assert (placed, plan.left_out) == ([0, 1, 2], [3])
