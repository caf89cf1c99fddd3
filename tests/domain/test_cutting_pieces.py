"""What is cut for a pane, and which rules are in force for a thickness."""

from typing import Any

import pytest

from glassflow.domain.cutting.pieces import Unplanned, piece_of
from glassflow.domain.cutting.plan import Box, Measures, Piece
from glassflow.domain.cutting.rules import CuttingRules

RULES = CuttingRules(allowance=2.5)
MATERIAL = {"isPatterned": False}


def pane(
    *sides: str, width: float = 400, height: float = 800, profile: str = "polished"
) -> Any:
    """Return a pane in wire form whose sides are worked."""
    tasks = [{"side": side, "edgeProfile": profile} for side in sides]
    return {"dimensions": {"width": width, "height": height}, "edgeTasks": tasks}


def test_a_pane_that_is_not_worked_is_cut_as_large_as_it_is() -> None:
    """In tenths of a mm, and it may be turned."""
    assert piece_of(pane(), MATERIAL, RULES) == Piece(4000, 8000)


def test_each_worked_side_adds_its_allowance() -> None:
    """Upper and lower edge to the height, the others to the width; a side counts once."""
    assert piece_of(pane("top"), MATERIAL, RULES) == Piece(4000, 8025)
    assert piece_of(pane("Left", "right"), MATERIAL, RULES) == Piece(4050, 8000)
    assert piece_of(pane("top", "top", "bottom", "left"), MATERIAL, RULES) == Piece(
        4025, 8050
    )
    assert piece_of(pane("top", profile=""), MATERIAL, RULES) == Piece(4000, 8000)


def test_patterned_glass_is_not_turned() -> None:
    """The pattern runs along the height of the pane and of the sheet."""
    assert piece_of(pane(), {"isPatterned": True}, RULES) == Piece(4000, 8000, False)


@pytest.mark.parametrize(
    ("values", "material", "reason"),
    [
        (pane(), None, Unplanned.NO_MATERIAL),
        (pane(width=0), MATERIAL, Unplanned.NO_SIZE),
        ({}, MATERIAL, Unplanned.NO_SIZE),
        (pane("all around"), MATERIAL, Unplanned.UNKNOWN_SIDE),
        (pane(""), MATERIAL, Unplanned.UNKNOWN_SIDE),
    ],
)
def test_a_pane_that_cannot_be_planned_says_why(
    values: Any, material: Any, reason: Unplanned
) -> None:
    """It is listed beside the plan with the reason."""
    assert piece_of(values, material, RULES) == reason


def test_a_thickness_has_its_own_rules_and_else_the_common_ones() -> None:
    """None of a row stands for the common rule."""
    common = {"edge_trim": 10, "least_distance": None, "allowance": 2, "kerf": 0}
    row = {"edge_trim": None, "least_distance": 30, "allowance": 3, "kerf": 0}
    rules = CuttingRules.of(common, row, 10)
    assert (rules.edge_trim, rules.least_distance, rules.allowance) == (10, 30, 3)


@pytest.mark.parametrize(
    ("thickness", "distance"), [(3, 15), (7.5, 15), (10, 20), (19, 38)]
)
def test_thick_glass_breaks_further_from_a_cut(
    thickness: float, distance: float
) -> None:
    """The least distance is the larger of 15 mm and twice the thickness unless it is given."""
    rules = CuttingRules.of({"least_distance": None}, {}, thickness)
    assert rules.least_distance == distance


def test_a_rest_is_kept_from_its_least_size_on() -> None:
    """Whichever of its sides is the longer one."""
    measures = Measures.of(CuttingRules.of({"remnant_short": 300, "remnant_long": 600,
        "least_distance": 15, "kerf": 0, "least_use_percent": 50}, {}, 6))  # fmt: skip
    assert measures == Measures(150, 0, 3000, 6000, 0.5)
    assert measures.is_kept(Box(0, 0, 6000, 3000))
    assert measures.is_kept(Box(0, 0, 3000, 6000))
    assert not measures.is_kept(Box(0, 0, 5999, 5999))
    assert not measures.is_kept(Box(0, 0, 2999, 9000))
