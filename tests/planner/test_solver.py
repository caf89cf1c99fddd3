"""Packingsolver's plans, found in an environment of its own, can be cut and are no worse.

The service may run on a Python that packingsolver does not have. So a small program
(`solver_program.py`) runs in the environment that `make setup-planner` makes.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from glassflow.domain.cutting import heuristic
from glassflow.domain.cutting.aims import Found, choose
from glassflow.domain.cutting.check import faults
from glassflow.domain.cutting.plan import Axis, Box, Measures, Piece, Stock, panes_of
from glassflow.planner import solver
from glassflow.planner.conversion import UnknownForm, sheets_of
from glassflow.planner.messages import Answer, Task
from optional_tools import NEEDS, require

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("solver_program.py")
ENVIRONMENT = ROOT / ".venv-planner" / "bin" / "python"
LIMIT_S = 120  # for the program, whatever else the machine does

MEASURES = Measures(distance=200)
SECONDS = 3.0  # milliseconds are enough where nothing else runs
SHEET = Stock(24380, 36580, 30)
IMPORT = "import packingsolver.rectangleguillotine"


@cache
def runs(python: str) -> bool:
    """Return whether a Python has packingsolver."""
    command = [python, "-c", IMPORT]
    return not subprocess.run(command, capture_output=True).returncode


@pytest.fixture(scope="module")
def python() -> str:
    """A Python with packingsolver; the test is skipped where there is none."""
    if runs(sys.executable):
        return sys.executable
    if not ENVIRONMENT.exists():
        # no failure anywhere: the distribution that the service runs on may have none
        pytest.skip(
            f"Python 3.12 or newer is not here (make setup-planner): {NEEDS}python3.12"
        )
    has_it = runs(str(ENVIRONMENT))
    require(has_it, "packingsolver (make setup-planner)", "packingsolver")
    return str(ENVIRONMENT)


def solved(
    python: str, tasks: Sequence[Task], *, later: int = 0
) -> list[Sequence[Found]]:
    """Return the plans of the solver for each task."""
    done = subprocess.run(
        [python, PROGRAM, str(later)],
        input=b"".join(task.encode() + b"\n" for task in tasks),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=LIMIT_S,
        check=True,
    )
    plans: list[list[Found]] = [[]]
    for line in done.stdout.splitlines():
        if line:
            plans[-1].append(Answer.decode(line).found)
        else:
            plans.append([])
    assert not plans.pop()
    return plans


def searched(task: Task, steps: int = 30) -> Found:
    """Return the plan of the search after some steps."""
    found = heuristic.plans(task.pieces, task.stocks, task.measures)
    return list(islice(found, steps))[-1]


def assert_right(found: Sequence[Found], task: Task) -> None:
    """Prove plans, as the planner does."""
    for one in found:
        assert not list(faults(one.plan, task.pieces, task.stocks, task.measures))


def assert_no_worse(found: Sequence[Found], task: Task) -> None:
    """Compare the solver's plans and the search's; one of the better kind is chosen."""
    ours = searched(task)
    best = choose([ours, *found])
    assert best.aims.need <= ours.aims.need
    if best.without is not None:
        assert best.aims.need <= best.without.need


def random_lot(chance: Random) -> Stock:
    """Return whole sheets with trims, or a remnant, some of them with defects."""
    width, height = chance.randint(4000, 24000), chance.randint(4000, 36000)
    is_remnant = chance.random() < 0.5
    defects = [
        Box(
            chance.randint(0, width - 100),
            chance.randint(0, height - 100),
            chance.randint(1, 1500),
            chance.randint(1, 1500),
        )
        for _ in range(chance.choice((0, 0, 1, 2)))
    ]
    number = 1 if is_remnant else chance.randint(1, 12)
    trim = 0 if is_remnant else chance.choice((0, 100, 250))
    return Stock(width, height, number, trim, defects, is_remnant)


def random_task(seed: int) -> Task:
    """Return a small task; some panes are patterned, some are too large for any lot."""
    chance = Random(seed)
    sizes = [(chance.randint(1500, 15000), chance.randint(1500, 15000)) for _ in "1234"]
    return Task(
        [
            Piece(*chance.choice(sizes), chance.random() < 0.5)
            for _ in range(chance.randint(1, 14))
        ],
        [random_lot(chance) for _ in range(chance.randint(1, 4))],
        Measures(
            distance=chance.choice((0, 150, 300)),
            kerf=chance.choice((0, 0, 20)),
            least_use=chance.choice((0.0, 0.5, 0.9)),
        ),
        seconds=1.5,
    )


def test_plans_of_random_tasks_pass_the_proof_and_need_no_more_glass(
    python: str,
) -> None:
    """With remnants, defects, kerf, trims and panes that may not turn."""
    tasks = [random_task(seed) for seed in range(24)]
    every = solved(python, tasks)
    for task, found in zip(tasks, every, strict=True):
        assert_right(found, task)
        assert_no_worse(found, task)
    assert sum(map(bool, every)) >= len(tasks) / 2


def test_each_of_many_panes_is_placed(python: str) -> None:
    """A sheet or more than their area needs, at most two."""
    sizes = [(4000 + 370 * n, 5000 + 610 * n) for n in range(12)]
    pieces = [Piece(*size) for size in sizes for _ in range(4)]
    task = Task(pieces, [SHEET._replace(trim=100)], MEASURES, SECONDS)
    [found] = solved(python, [task])
    assert_right(found, task)
    assert found
    best = choose(found)
    area = sum(one.width * one.height for one in pieces)
    assert not best.plan.left_out
    assert len(best.plan.sheets) <= area // SHEET.area + 2


def test_a_remnant_saves_a_sheet(python: str) -> None:
    """A plan without remnants is found, too, for the comparison."""
    remnant = Stock(12000, 15000, is_remnant=True)
    pieces = [Piece(24380, 36580), Piece(11000, 14000)]
    task = Task(pieces, [SHEET, remnant], MEASURES, SECONDS)
    [found] = solved(python, [task])
    best = choose(found)
    assert {one.stock for one in best.plan.sheets} == {0, 1}
    assert best.without is not None
    assert best.without.whole == 2 * SHEET.area == 2 * best.aims.whole


def test_of_too_little_glass_as_much_as_possible_is_cut(python: str) -> None:
    """A pane that no sheet is large enough for is no obstacle."""
    pieces = [*[Piece(9000, 9000)] * 6, Piece(40000, 9000)]
    task = Task(pieces, [Stock(20000, 20000, 1)], MEASURES, SECONDS)
    [found] = solved(python, [task])
    assert_right(found, task)
    assert len(choose(found).plan.left_out) == 3


def test_patterned_panes_lie_as_they_are_given(python: str) -> None:
    """Turned, all six would fit on a sheet."""
    pieces = [Piece(12000, 9000, may_turn=False)] * 6
    task = Task(pieces, [Stock(18000, 36000, 9)], MEASURES, SECONDS)
    [found] = solved(python, [task])
    assert_right(found, task)
    assert len(choose(found).plan.sheets) == 2


def test_panes_that_are_due_later_fill_the_sheets_of_a_plan(python: str) -> None:
    """Those that are due are all cut, and no other sheet is begun."""
    due, later = [Piece(12000, 9000)] * 3, [Piece(8000, 7000)] * 40
    task = Task([*due, *later], [SHEET], MEASURES, SECONDS)
    [found] = solved(python, [task], later=len(later))
    assert_right(found, task)
    best = choose(found)
    assert len(best.plan.sheets) == 1
    placed = Counter(
        piece < len(due) for sheet in best.plan.sheets for piece, _ in panes_of(sheet)
    )
    assert placed[True] == len(due)
    assert placed[False] >= 5


#: The planner, whose own search finds no place for any pane.
BLIND_PLANNER = """
from glassflow.domain.cutting import aims, heuristic
from glassflow.domain.cutting.plan import Plan
from glassflow.planner import __main__ as planner

def nothing(pieces, stocks, measures, seed):
    plan = Plan([], list(range(len(pieces))))
    yield aims.evaluate(plan, pieces, stocks, measures)

heuristic.plans = nothing
planner.FIRST_S = 0
planner.main()
"""


def test_the_planner_lets_the_solver_have_the_rest_of_the_time(python: str) -> None:
    """What its own search has found is written first, and what is better after it."""
    task = Task([Piece(9000, 9000)] * 6, [SHEET], MEASURES, SECONDS)
    done = subprocess.run(
        [python, "-c", BLIND_PLANNER],
        input=task.encode(),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=LIMIT_S,
        check=True,
    )
    first, *better = map(Answer.decode, done.stdout.splitlines())
    assert (first.maker, len(first.found.plan.left_out)) == ("search", 6)
    assert {one.maker for one in better} == {"packingsolver"}
    assert_right([one.found for one in better], task)
    assert not better[-1].found.plan.left_out


def test_without_packingsolver_the_service_knows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An import that fails is no error."""
    monkeypatch.setitem(sys.modules, "packingsolver", None)
    assert not solver.is_available()
    with pytest.raises(ImportError):
        next(solver.plans([Piece(1000, 1000)], [SHEET], MEASURES, seconds=1))


def node(
    left: int, right: int, low: int, high: int, item: int, depth: int, *children: int
) -> SimpleNamespace:
    """Return a rectangle of a solution as the solver has it."""
    return SimpleNamespace(
        l=left, r=right, b=low, t=high, item_type_id=item, d=depth, children=children
    )


def solution(cells: Sequence[tuple[int, int, int]]) -> SimpleNamespace:
    """Return a sheet with one level of 1000, whose panes have these lengths and edges."""
    nodes = [
        node(0, 5000, 0, 5000, 0, 0, 1),
        node(0, 3000, 0, 5000, -2, 1, 2),
        node(0, 3000, 0, 1000, -2, 2, *range(3, 3 + len(cells))),
    ]
    panes, at = [], 0
    for length, low, high in cells:
        child = 3 + len(cells) + len(panes)
        nodes.append(node(at, at + length, 0, 1000, -2, 3, child))
        panes.append(node(at, at + length, low, high, 0, 4))
        at += length
    solved_bin = SimpleNamespace(
        nodes=[*nodes, *panes],
        copies=2,
        bin_type_id=0,
        first_cut_orientation=SimpleNamespace(name="Vertical"),
    )
    return SimpleNamespace(number_of_different_bins=lambda: 1, bin=lambda _: solved_bin)


STOCK = Stock(5200, 5200, 2, trim=100)


def test_a_solution_becomes_sheets_inside_the_trims() -> None:
    """What the solver has twice is two sheets; a pane that is lower has a trim above it."""
    given = solution([(1000, 0, 1000), (2000, 0, 700)])
    first, second = sheets_of(given, [7], [4], [STOCK] * 8, MEASURES)
    assert first == second
    assert (first.stock, first.axis) == (7, Axis.X)
    assert list(panes_of(first)) == [
        (4, Box(100, 100, 1000, 1000)),
        (4, Box(1100, 100, 2000, 700)),
    ]


def test_panes_at_the_upper_edge_of_a_level_come_to_a_common_edge() -> None:
    """A plan has no other form: the lower one, or the upper one where a defect is below."""
    given = solution([(1000, 300, 1000), (2000, 0, 700)])
    [sheet, _] = sheets_of(given, [0], [0], [STOCK], MEASURES)
    assert {place.y for _, place in panes_of(sheet)} == {100}
    scratched = STOCK._replace(defects=[Box(500, 150, 10, 10)])
    [sheet, _] = sheets_of(given, [0], [0], [scratched], MEASURES)
    assert {place.y for _, place in panes_of(sheet)} == {400}


def test_panes_without_a_common_edge_are_no_plan() -> None:
    """One would cover a defect below, the other one a defect above."""
    defects = [Box(500, 150, 10, 10), Box(1500, 1050, 10, 10)]
    given = solution([(1000, 300, 1000), (2000, 0, 700)])
    with pytest.raises(UnknownForm):
        sheets_of(given, [0], [0], [STOCK._replace(defects=defects)], MEASURES)
