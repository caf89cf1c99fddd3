"""What can be made: both sides of each limit, and what holds for any pane."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.makeability import (
    MOST_JUDGED,
    RULES,
    Finding,
    Limits,
    findings,
)

LIMITS = Limits()
TEMPERED = {"jobType": "TEMPERED"}


def circle(x, y, diameter):
    return {"type": "circle", "x": x, "y": y, "diameter": diameter}


def rectangle(x, y, width, height):
    return {"type": "rectangle", "x": x, "y": y, "width": width, "height": height}


def pane(width=1000, height=800, thickness=10, **fields):
    sides = {"width": width, "height": height, "thickness": thickness}
    return {"dimensions": sides, **fields}


def judged(one, limits=LIMITS):
    return list(findings(one, limits, ["tempered"]))


def levels(one, code):
    """The level of the findings with a code for a tempered pane, and for another one."""
    return tuple(
        min((found.level for found in judged(each) if found.code == code), default=None)
        for each in ({**one, **TEMPERED}, one)
    )


def one_hole(*hole, **sides):
    return pane(**sides, holes=[circle(*hole)])


def two_holes(gap):
    return pane(holes=[circle(400, 400, 20), circle(420 + gap, 400, 20)])


def notched(notch, **sides):
    return pane(**sides, notches=[notch])


REFUSED, DOUBTFUL, NOTHING = ("refusal",) * 2, ("warning",) * 2, (None, None)
TEMPERED_REFUSED, TEMPERED_DOUBTFUL = ("refusal", None), ("warning", None)
WORSE_TEMPERED = ("refusal", "warning")


@pytest.mark.parametrize(
    ("code", "within", "beyond", "expected"),
    [
        ("TEMPER_SIZE", pane(4200, 2440), pane(4200, 2441), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(2440, 4200), pane(2440, 4201), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(180, 180), pane(179, 180), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(thickness=4), pane(thickness=3.9), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(thickness=19), pane(thickness=20), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(2032, 1016, 5), pane(2033, 1016, 5), TEMPERED_REFUSED),
        ("TEMPER_SIZE", pane(2033, 1017, 5.1), pane(2032, 1017, 5), TEMPERED_REFUSED),
        ("TEMPER_DIAGONAL", pane(180, 180), pane(179, 180), TEMPERED_REFUSED),
        ("ASPECT_RATIO", pane(2000, 200), pane(2001, 200), TEMPERED_DOUBTFUL),
        ("HOLE_SIZE", one_hole(400, 400, 10), one_hole(400, 400, 9.9), WORSE_TEMPERED),
        ("HOLE_SIZE", one_hole(400, 400, 5, thickness=4),
         one_hole(400, 400, 4.9, thickness=4), WORSE_TEMPERED),
        ("HOLE_LARGE", one_hole(400, 400, 266), one_hole(400, 400, 267), DOUBTFUL),
        ("HOLE_EDGE", one_hole(30, 400, 20), one_hole(29.9, 400, 20), DOUBTFUL),
        ("HOLE_EDGE", one_hole(11, 400, 10, thickness=2),
         one_hole(10.9, 400, 10, thickness=2), DOUBTFUL),
        ("HOLE_EDGE", one_hole(400, 770, 20), one_hole(400, 780.1, 20), WORSE_TEMPERED),
        ("HOLE_CORNER", one_hole(42, 56, 20), one_hole(42, 55.8, 20), TEMPERED_DOUBTFUL),
        ("HOLE_GAP", two_holes(20), two_holes(19.9), DOUBTFUL),
        ("HOLE_GAP", two_holes(20), two_holes(0.1), DOUBTFUL),
        ("HOLE_GAP", two_holes(20), two_holes(0), REFUSED),
        ("HOLES_NARROW", one_hole(40, 400, 10, width=80),
         one_hole(40, 400, 10, width=79), TEMPERED_DOUBTFUL),
        ("HOLES_MANY", pane(holes=[circle(0, 0, 1)] * 10),
         pane(holes=[circle(0, 0, 1)] * 11), TEMPERED_DOUBTFUL),
        ("NOTCH_RADIUS", notched(circle(0, 400, 25.4)), notched(circle(0, 400, 25)),
         WORSE_TEMPERED),
        ("NOTCH_RADIUS", notched(circle(0, 400, 30), thickness=15),
         notched(circle(0, 400, 29), thickness=15), WORSE_TEMPERED),
        ("NOTCH_RADIUS", pane(), notched(rectangle(0, 400, 50, 50)), TEMPERED_DOUBTFUL),
        ("NOTCH_LARGE", notched(rectangle(0, 400, 333, 50)),
         notched(rectangle(0, 400, 334, 50)), DOUBTFUL),
        ("SHEET_FIT", pane(2440, 3660), pane(2441, 3660), REFUSED),
        ("SHEET_FIT", pane(3660, 2440), pane(3661, 2440), REFUSED),
        ("WEIGHT", pane(1000, 2000), pane(1000, 2001), DOUBTFUL),
        ("WEIGHT", pane(1000, 1000), pane(1000, 1001, rawGlass={"sheetsPerPane": 2}),
         DOUBTFUL),
    ],
)  # fmt: skip
def test_both_sides_of_each_limit(code, within, beyond, expected):
    assert levels(within, code) == NOTHING
    assert levels(beyond, code) == expected


def test_every_rule_has_an_example_and_texts():
    table = test_both_sides_of_each_limit.pytestmark[0].args[1]
    assert {row[0] for row in table} == {rule.code for rule in RULES}
    for _, _, beyond, _ in table:
        for found in judged({**beyond, **TEMPERED}):
            assert "{" not in found.message + found.message.in_language("th")


def test_finding_names_the_place_the_limit_and_the_value():
    (found,) = judged(one_hole(18, 400, 20))
    assert found == Finding("HOLE_EDGE", "warning", "holes.0.x", 20, None, 8)
    assert found.message == "Hole 1 to the edge: 8 mm, at least 20 mm"
    assert found.message.in_language("th") == (
        "รูที่ 1 ห่างจากขอบ 8 มม. ต้องไม่น้อยกว่า 20 มม."
    )
    (unknown,) = judged({**notched(rectangle(0, 400, 50, 50)), **TEMPERED})
    assert (unknown.at, unknown.least, unknown.actual) == ("notches.0", 12.7, None)
    assert unknown.message == (
        "Notch 1, corner radius: not given; tell the shop, at least 12.7 mm"
    )


def test_value_that_is_rounded_stays_beyond_its_limit():
    (found,) = judged(one_hole(29.96, 400, 20))
    assert (found.least, found.actual) == (20, 19.9)
    (large,) = judged(one_hole(400, 400, 266.68))
    assert (large.most, large.actual) == (266.6, 266.7)


def test_thickness_of_the_raw_glass_comes_first():
    raw = {"thickness": 3}
    (found,) = judged(pane(thickness=10, rawGlass=raw, jobType="TEMPERED"))[:1]
    assert (found.code, found.at) == ("TEMPER_SIZE", "rawGlass.thickness")


@pytest.mark.parametrize(
    ("sides", "left_out"),
    [
        ({"width": 0}, {"HOLE_LARGE", "HOLE_EDGE", "SHEET_FIT", "NOTCH_LARGE"}),
        ({"thickness": 0}, {"HOLE_SIZE", "HOLE_EDGE", "HOLE_GAP", "WEIGHT"}),
    ],
)
def test_rule_is_left_out_where_the_pane_lacks_what_it_needs(sides, left_out):
    holes = [circle(5, 5, 1), circle(5, 5, 1), circle(5, 5, 4000)]
    notches = [rectangle(0, 0, 5000, 5000)]
    shape = {"holes": holes, "notches": notches, **TEMPERED}
    every = {found.code for found in judged(pane(5000, 5000, **shape))}
    lacking = pane(**({"width": 5000, "height": 5000} | sides), **shape)
    assert left_out <= every
    assert not left_out & {found.code for found in judged(lacking)}
    assert judged({**TEMPERED, "dimensions": None, "rawGlass": None}) == []


def test_cut_out_that_is_not_measured_is_not_judged():
    unset = {"type": "circle", "x": None, "y": None, "vertices": []}
    assert judged(pane(holes=[unset], notches=[unset], **TEMPERED)) == []


def test_pane_with_more_cut_outs_than_anyone_makes_is_judged_by_the_first_ones():
    holes = [circle(400, 400, 20)] * (MOST_JUDGED + 50)
    found = judged(pane(holes=holes, **TEMPERED))
    assert len([one for one in found if one.code == "HOLE_GAP"]) == MOST_JUDGED
    (many,) = [one for one in found if one.code == "HOLES_MANY"]
    assert many.actual == MOST_JUDGED + 50


def test_limits_of_the_workshop_replace_the_usual_ones():
    limits = Limits(hole_edge_factor=1, hole_edge=0)
    assert judged(one_hole(20, 400, 20), limits) == []


lengths = st.integers(min_value=1, max_value=300)
holes = st.lists(
    st.builds(circle, lengths, lengths, st.integers(1, 60))
    | st.builds(rectangle, lengths, lengths, st.integers(1, 60), st.integers(1, 60)),
    max_size=3,
)


def distant(one):
    """The holes of a pane whose distances are too short, by the code of the rule."""
    codes = ("HOLE_EDGE", "HOLE_CORNER", "HOLE_GAP")
    return {(f.code, f.at.split(".")[1]) for f in judged(one) if f.code in codes}


@given(holes, st.integers(1, 20), st.integers(0, 200))
def test_larger_distances_give_no_new_finding(cuts, thickness, more):
    shifted = [{**cut, "x": cut["x"] + more, "y": cut["y"] + more} for cut in cuts]
    near = pane(400, 400, thickness, holes=cuts, **TEMPERED)
    wide = pane(400 + 2 * more, 400 + 2 * more, thickness, holes=shifted, **TEMPERED)
    assert distant(wide) <= distant(near)
    apart = [
        {**cut, "x": cut["x"] + (400 + more) * index} for index, cut in enumerate(cuts)
    ]
    spread = pane(3000, 400, thickness, holes=apart, **TEMPERED)
    gaps = {key for key in distant(spread) if key[0] == "HOLE_GAP"}
    assert gaps <= distant(near)


def mirrored(cut, width):
    wide = cut["width"] if cut["type"] == "rectangle" else 0
    return {**cut, "x": width - cut["x"] - wide}


@given(holes, st.integers(400, 2000), st.integers(1, 20), st.booleans())
def test_mirrored_pane_has_the_same_findings(cuts, width, thickness, is_tempered):
    job = TEMPERED if is_tempered else {}
    shape = {"holes": cuts, "notches": cuts[:1]}
    other = {name: [mirrored(c, width) for c in many] for name, many in shape.items()}
    one = judged(pane(width, 400, thickness, **shape, **job))
    assert judged(pane(width, 400, thickness, **other, **job)) == one
