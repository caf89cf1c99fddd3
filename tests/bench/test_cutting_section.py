"""The section on cutting plans: its panes, which plan counts when, its limits, ROADEF."""

import itertools

import pytest

from bench import cutting
from bench.cutting import Instance, Planned, read_roadef, workshop
from glassflow.domain.cutting.plan import Box, Piece, Plan, Stock

BATCH = """ITEM_ID;LENGTH_ITEM;WIDTH_ITEM;STACK;SEQUENCE
0;3000;3210;0;1
1;758;1578;0;2
"""
DEFECTS = """DEFECT_ID;PLATE_ID;X;Y;WIDTH;HEIGHT
0;1;2150.0;3034.0;2.0;1.0
1;1;4711.0;1319.0;2.0;1.0
"""


def test_panes_of_a_seed_are_the_same_each_time_and_come_in_order_lines():
    instance = workshop(100, 1)
    assert instance == workshop(100, 1) != workshop(100, 2)
    assert len(instance.pieces) == 100 > len(set(instance.pieces))
    assert all(max(one.width, one.height) <= 24000 for one in instance.pieces)


class Clock:
    """Stands still but for the steps of the search, which take a second each."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        """Return the seconds so far."""
        return self.now

    def searching(self, search):
        """Return a search that takes its time."""

        def plans(*given):
            for found in search(*given):
                self.now += 1
                yield found

        return plans


@pytest.fixture
def clock(monkeypatch):
    """The clock of the section."""
    clock = Clock()
    monkeypatch.setattr(cutting, "time", clock)
    monkeypatch.setattr(cutting, "plans", clock.searching(cutting.plans))
    return clock


def test_plans_that_count_are_the_ones_of_their_moments(clock, monkeypatch):
    instance = workshop(20, 1)
    real = next(cutting.plans(instance.pieces, instance.stocks, cutting.MEASURES))
    sheets = real.plan.sheets

    def search(*_):
        for number in itertools.count(1):
            yield real._replace(plan=Plan(sheets * (10 - number)))

    monkeypatch.setattr(cutting, "plans", clock.searching(search))
    planned = cutting.plan(instance, 6)
    at_second = [len(sheets) * (10 - second) for second in (1, 3, 6)]
    assert planned.first_s == 1
    assert [planned.first, planned.soon, planned.later] == at_second


def test_panes_that_are_left_out_are_a_fault():
    pieces = [Piece(5000, 6000), Piece(40000, 50000)]
    instance = Instance("x", pieces, [Stock(20000, 30000)])
    assert cutting.plan(instance, 0).wrong == [
        f"x, {name} plan: 1 panes left out" for name in ("first", "soon", "later")
    ]


def test_plan_that_cannot_be_cut_is_a_fault(monkeypatch):
    pieces, search = [Piece(19900, 30000)], cutting.plans
    flush = search(pieces, [Stock(19900, 30000)], cutting.MEASURES)
    monkeypatch.setattr(cutting, "plans", lambda *_: flush)
    wrong = cutting.plan(Instance("x", pieces, [Stock(20000, 30000)]), 0).wrong
    assert wrong[0] == "x, first plan: too_near (sheet 0, piece None)"


def planned(size, seed, times=1.0, first_s=0.5):
    """What was planned for an instance: so many times the bound."""
    instance = workshop(size, seed)
    sheets = int(instance.bound * times)
    return Planned(instance, first_s, sheets, sheets, sheets)


@pytest.mark.parametrize(
    ("rows", "broken"),
    [
        ([planned(20, 1, 2, 9), planned(100, 1, 1.2), planned(100, 2)], []),
        ([planned(100, 1, 1.3), planned(100, 2, 1.2)], ["100 panes, all seeds"]),
        ([planned(400, 1, 1.12), planned(400, 2, 1.15)], ["400 panes, seed 2"]),
        ([planned(100, 1, first_s=3.1)], ["100 panes, seed 1"]),
        ([planned(400, 1, first_s=5), planned(400, 2, 1, 5.1)], ["400 panes, seed 2"]),
    ],
)
def test_each_limit_that_is_not_kept_is_named(rows, broken):
    assert [one.split(":")[0] for one in cutting.faults(rows)] == broken


def test_the_better_plan_of_search_and_solver_has_a_limit():
    row = planned(400, 1, 1.1)
    bound = row.instance.bound
    few, many = cutting.Solved(30, bound), cutting.Solved(5, int(1.1 * bound))
    assert list(cutting.faults([row._replace(solved=[many, few])])) == []
    [fault] = cutting.faults([row._replace(solved=[many, cutting.Solved(30, 0)])])
    assert fault.startswith(f"400 panes, seed 1: {many.sheets} sheets with the solver")
    wrong = cutting.Solved(30, bound, ["solver: missing"])
    assert list(cutting.faults([row._replace(solved=[wrong])])) == ["solver: missing"]


def test_roadef_is_read_from_any_depth_with_the_defects_of_its_plates(tmp_path):
    for name in ("A10", "A2"):
        folder = tmp_path / "dataset_A" / name
        folder.mkdir(parents=True)
        (folder / f"{name}_batch.csv").write_text(BATCH)
        (folder / f"{name}_defects.csv").write_text(DEFECTS)
    second, tenth = read_roadef(tmp_path)
    assert (second.name, tenth.name) == ("A2, 2 panes", "A10, 2 panes")
    assert second.pieces == [Piece(30000, 32100), Piece(7580, 15780)]
    first, other, *_ = second.stocks
    assert first == Stock(60000, 32100)
    assert other.defects == [Box(21500, 30340, 20, 10), Box(47110, 13190, 20, 10)]
    assert cutting.plan(second, 0).wrong == []


def test_folder_without_roadef_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no A\*_batch.csv"):
        read_roadef(tmp_path)


def test_what_is_not_there_is_named_and_the_rest_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(cutting, "RECTPACK_ENVIRONMENT", tmp_path / "rectpack")
    monkeypatch.setattr(cutting, "RECTPACK", str(tmp_path / "missing.whl"))
    monkeypatch.setattr(cutting, "SOLVER_ENVIRONMENT", tmp_path)
    monkeypatch.setattr(cutting, "ROADEF", "")
    monkeypatch.setattr(cutting, "QUICK_SIZES", (20,))
    monkeypatch.setattr(cutting, "QUICK_LATER_S", 0)
    measured = cutting.section(True)
    assert measured.faults == []
    assert measured.lines[2].startswith("| 20 panes, seed 1 | 3 |")
    assert "| solver not installed |" in measured.lines[2]
    assert "rectpack: not available." in measured.lines
    assert "ROADEF 2018: not measured." in measured.lines
