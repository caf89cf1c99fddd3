"""Which cut-outs cannot be made; the pages are tested with the same cases."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import texts
from glassflow.domain.panes import cut_outs

CASES = json.loads(Path(__file__).with_name("cut_outs.json").read_text())
SIDES = {"width": 1200, "height": 850}
MESSAGES = {"outside": texts.CUT_OUT_OUTSIDE, "atEdge": texts.HOLE_AT_EDGE}


def pane_of(case, **sides):
    cut = {"id": "c", "type": "circle"}
    lists = {"holes": case.get("hole"), "notches": case.get("notch")}
    shape = {name: [cut | one] for name, one in lists.items() if one}
    return {"dimensions": SIDES | sides, **shape}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_cut_out_is_judged_by_where_it_lies(case):
    found = list(cut_outs.faults(pane_of(case)))
    expected = []
    if case["fault"]:
        kind, axis = case["fault"]
        name = "holes" if "hole" in case else "notches"
        message = MESSAGES[kind].format(**SIDES)
        expected = [{"field": f"{name}.0.{axis}", "message": message}]
    assert found == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_cut_out_lacks_the_sizes_that_its_type_is_measured_by(case):
    name = "holes" if "hole" in case else "notches"
    found = [one["field"] for one in cut_outs.size_faults(pane_of(case))]
    assert found == [f"{name}.0.{field}" for field in case.get("lacks", ())]


@pytest.mark.parametrize("unmeasured", [{"width": 0}, {"height": None}])
def test_pane_that_is_not_measured_is_not_judged(unmeasured):
    assert not list(cut_outs.faults(pane_of(CASES[1], **unmeasured)))


LENGTHS = st.integers(1, 5000)


@given(width=LENGTHS, height=LENGTHS, x=LENGTHS, y=LENGTHS, diameter=LENGTHS)
def test_hole_has_no_fault_exactly_if_there_is_glass_around_it(
    width, height, x, y, diameter
):
    hole = {"type": "circle", "x": x, "y": y, "diameter": diameter}
    sides = {"width": width, "height": height}
    faults = list(cut_outs.faults({"dimensions": sides, "holes": [hole]}))
    least = min(x, y, width - x, height - y)
    assert bool(faults) == (least <= diameter / 2)


SIZES = st.dictionaries(
    st.sampled_from(["diameter", "width", "height", "length"]),
    st.none() | st.sampled_from([0, 0.5, 20, 3000]),
)


@given(kind=st.sampled_from([*cut_outs.MEASURES, None]), sizes=SIZES)
def test_cut_out_lacks_nothing_exactly_if_it_has_an_extent(kind, sizes):
    cut = {"type": kind, "x": 100, "y": 100, **sizes}
    assert bool(cut_outs.lacking(cut)) == (min(cut_outs.size(cut)) == 0)
