"""Sticker templates of both dialects, and what cannot be drawn."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassflow.domain.errors import Invalid
from glassflow.host.data_files import SEEDS
from glassflow.labels.dialects import in_both_forms, in_first_dialect
from glassflow.labels.layout import lay_out
from glassflow.labels.template import MAX_ELEMENTS, read_template
from label_pictures import PANE, codes_of_warnings, make, template

NEW_STORE = json.loads(
    (SEEDS / "new_store" / "sticker_templates.json").read_text("utf-8")
)
SEEDED = json.loads((SEEDS / "demo" / "sticker_templates.json").read_text("utf-8"))
MM = 25.4 / 96


def faults(*elements, **size):
    with pytest.raises(Invalid) as refused:
        template(*elements, **size)
    return {one["field"]: one["message"] for one in refused.value.faults}


@pytest.mark.parametrize("stored", SEEDED + NEW_STORE, ids=lambda one: one["name"])
def test_seeded_templates_are_read_without_a_warning_and_have_both_forms(stored):
    found = read_template(**stored)
    assert len(found.elements) == len(stored["elements"])
    assert stored["elements"] == in_both_forms(stored["elements"])
    assert found.warnings == ()
    assert found.elements[0].content == "{{qrCode}}"


def test_pixels_of_the_other_dialect_are_read_as_mm():
    text = {"type": "text", "x": 96, "y": 48, "width": 192, "fontSize": 16}
    found = template({**text, "text": "ก", "fontWeight": "700", "textAlign": "center"})
    (element,) = found.elements
    assert (element.x, element.y) == (pytest.approx(25.4), pytest.approx(12.7))
    assert (element.width, element.font_size) == (pytest.approx(50.8), 12)
    assert (element.bold, element.align, element.content) == (True, "center", "ก")


@pytest.mark.parametrize(
    "variable",
    [
        {"text": "{{orderCode}}"},
        {"value": "{{ orderNumber }}"},
        {"dynamic": "orderNumber"},
        {"dynamic": True, "value": "orderNumber"},
        {"dynamic": True, "field": "orderCode", "text": "ORD-0000"},
    ],
)
def test_variables_of_both_dialects_are_filled_in(variable):
    found = template({"type": "text", "fontSize": 12, "x": 0, "y": 0, **variable})
    (run,) = lay_out(found, {"orderNumber": "ORD-0010"}).items
    assert run.text == "ORD-0010"


def test_elements_of_a_group_are_placed_by_its_corner():
    inner = {"type": "rect", "x": 10, "y": 20, "width": 30, "height": 40}
    group = {"type": "group", "x": 5, "y": 5, "children": [inner]}
    outer = {"type": "Group", "x": 100, "y": 100, "children": [group]}
    (element,) = template(outer, {"type": "text", "text": ""}).elements[:1]
    assert element.type == "rect"
    assert element.x == pytest.approx(115 * MM)
    assert element.y == pytest.approx(125 * MM)


def test_lines_have_points_from_their_corner():
    line = {"type": "line", "x": 10, "y": 0, "points": [0, 0, 96, 96], "strokeWidth": 4}
    (element,) = template(line).elements
    assert element.points[0] == (pytest.approx(10 * MM), 0)
    assert element.points[1] == (pytest.approx(106 * MM), pytest.approx(25.4))
    assert element.thickness == pytest.approx(4 * MM)


def test_group_turns_its_elements_about_its_corner():
    line = {"type": "line", "x": 96, "y": 0, "points": [0, 0, 96, 0], "rotation": 15}
    group = {"type": "group", "x": 192, "y": 96, "angle": 90, "children": [line]}
    (element,) = template(group).elements
    assert (element.x, element.y) == (pytest.approx(50.8), pytest.approx(50.8))
    assert element.rotation == 105
    assert element.points[0] == pytest.approx((50.8, 50.8))
    assert element.points[1] == pytest.approx((76.2, 50.8))  # turned when it is drawn


def test_web_fonts_become_sarabun_and_unknown_elements_are_left_out():
    made = make(
        {"type": "text", "text": "ก", "fontFamily": "Kanit"},
        {"type": "text", "text": "ก", "fontFamily": "Sarabun"},
        {"type": "video", "src": "x"},
        {"type": "text", "text": "ก", "rotation": "90°"},
        format="json",
    )
    warned = ["FONT_REPLACED", "ELEMENT_LEFT_OUT", "ROTATION_IGNORED"]
    assert codes_of_warnings(made) == warned


def test_every_fault_of_a_template_is_named_by_its_place():
    bad = {
        "type": "text",
        "content": 5j,
        "x": "left",
        "width": -1,
        "fontSize": math.inf,
    }
    found = faults("text", None, bad, {"type": "line", "points": [1, 2]}, width=4)
    assert set(found) == {
        "width",
        "elements.0",
        "elements.1",
        "elements.2.content",
        "elements.2.x",
        "elements.2.width",
        "elements.2.fontSize",
        "elements.3.points",
    }
    assert found["width"] == "Must be a number from 5 to 450"


def test_templates_have_limits():
    line = {"type": "line"}
    assert "elements" in faults(*[line] * (MAX_ELEMENTS + 1))
    assert "elements.0.content" in faults({"type": "text", "content": "x" * 2001})
    assert "height" in faults(height=1000)
    deep = {"type": "text", "text": "x"}
    for _ in range(100):
        deep = {"type": "group", "children": [deep]}
    assert template(deep).warnings[0].code == "ELEMENT_LEFT_OUT"


@pytest.mark.parametrize(
    "source",
    [
        "http://127.0.0.1:1/a.png",
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,*",
        "data:image/png,",
    ],
)
def test_pictures_are_not_fetched_and_bad_ones_are_left_out(source):
    picture = {"type": "image", "width": 90, "height": 90, "src": source}
    assert codes_of_warnings(make(picture, format="pdf")) == ["PICTURE_LEFT_OUT"]


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = [
    "id",
    "type",
    "x",
    "y",
    "width",
    "height",
    "content",
    "fontSize",
    "bold",
    "align",
    "wrap",
    "thickness",
    "points",
    "color",
    "fill",
    "text",
    "value",
    "dynamic",
    "children",
    "fontFamily",
    "fontWeight",
    "textAlign",
    "strokeWidth",
    "src",
    "scaleX",
    "rotation",
    "size",
    "stroke",
]
TYPES = ["text", "qr", "line", "rect", "image", "group", "TEXTBOX"]
NUMBERS = st.floats(0, 300) | st.integers(-5, 300)
ELEMENTS = st.dictionaries(st.sampled_from(KEYS), VALUES | NUMBERS, max_size=8)
TYPED = st.builds(
    lambda element, kind, text: {**element, "type": kind, "content": text},
    ELEMENTS,
    st.sampled_from(TYPES),
    st.sampled_from(
        ["{{paneNumber}}", "{{nothing}} ก", "น้ำ ผึ้ง" * 9, "漢<b>&amp;😀\x00"]
    ),
)


@settings(max_examples=150)
@given(st.lists(ELEMENTS | TYPED | VALUES, max_size=5))
def test_any_stored_elements_are_drawn_or_refused(elements):
    try:
        made = make(*elements, values=PANE)
    except Invalid:
        return
    assert made.content.startswith(b"%PDF")


BOTH = {
    "text": {"type": "text", "content": "A", "text": "A"},
    "qr": {"type": "qr", "content": "A", "value": "A"},
    "barcode": {"type": "barcode", "content": "A", "value": "A"},
}


@pytest.mark.parametrize("kind", BOTH)
def test_what_another_designer_has_changed_is_printed(kind):
    """It changes `text` or `value` and keeps `content`, ours writes both."""
    element = BOTH[kind]
    (plain,) = in_first_dialect([element])
    assert plain == {"type": kind, "content": "A"}
    assert in_both_forms([plain]) == [element]
    changed = {**element, ("text" if kind == "text" else "value"): "B"}
    assert template(changed).elements[0].content == "B"
    added = {"type": "dynamic", "dynamic": "paneNumber"}
    assert template(element, added).elements[1].content == "{{paneNumber}}"


def test_line_of_both_forms_is_drawn_by_its_sides_until_another_designer_moves_it():
    across = {"type": "line", "x": 2, "y": 26, "width": 56, "height": 0.3}
    down = {"type": "line", "x": 2, "y": 2, "width": 0.3, "height": 30}
    free = {"type": "line", "x": 5, "y": 5, "points": [[5, 5], [10, 4]]}
    plain = [{**one, "content": ""} for one in (across, down, free)]
    stored = in_both_forms(plain)
    assert [one["points"] for one in stored] == [
        [0, 0.15, 56, 0.15], [0.15, 0, 0.15, 30], [0, 0, 5, -1],
    ]  # fmt: skip
    assert in_first_dialect(stored) == plain
    (moved,) = template({**stored[0], "points": [0, 0, 20, 5]}).elements
    assert (moved.points, moved.thickness) == (((2, 26), (22, 31)), 0.3)
