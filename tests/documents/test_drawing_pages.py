"""The pages with dimensioned drawings: every size is found, and nothing is in another's place."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.laid_out import (
    assert_drawings_are_inside,
    assert_texts_are_apart,
    laid_out,
)
from documents.test_quote_pdf import FULL, HOLE, NOTCH, PANE
from glassflow.documents import drawing_pages, quote_pages
from glassflow.documents.pane_drawing import read_cut
from glassflow.documents.quote import PaneDrawing
from glassflow.drawing.items import Line, Run, Turned

SLOT = {"type": "slot", "x": 450, "y": 1000, "length": 120, "diameter": 20}
CORNER = {
    "type": "custom",
    "x": 0,
    "y": 0,
    "vertices": [{"x": 0, "y": 1900}, {"x": 100, "y": 2000}, {"x": 0, "y": 2000}],
}
CUTS = [read_cut(HOLE, is_notch=False)] + [
    read_cut(one, is_notch=True) for one in (NOTCH, SLOT, CORNER)
]
DRAWING = PaneDrawing(
    CUTS, {"top": "เจียรมัน", "left": "เจียรปรี 20 มม."}, "R20", "± 1", "เจาะรูตามแบบ"
)
WORKED = replace(PANE, drawing=DRAWING)


def pages_of(monkeypatch, *lines, **changes):
    quote = replace(FULL, lines=lines, **changes)
    return laid_out(monkeypatch, quote_pages.quote_pdf, quote)


def texts_on(page):
    runs = [
        *(one for one in page.items if isinstance(one, Run)),
        *(
            run
            for one in page.items
            if isinstance(one, Turned)
            for run in one.items
            if isinstance(run, Run)
        ),
    ]
    return [one.text.strip() for one in runs]


@pytest.mark.parametrize("language", ["th", "en"])
def test_worked_pane_has_a_page_with_all_its_sizes(monkeypatch, language):
    lines = (PANE, WORKED)
    pages = pages_of(monkeypatch, *lines, language=language, is_draft=True)
    assert len(pages) == 2
    page = pages[1]
    assert_texts_are_apart(page)
    assert_drawings_are_inside(page)
    found = texts_on(page)
    # the whole size, running dimensions, and the table of the cut-outs
    for text in ("900", "2000", "0", "100", "450", "860", "1000", "1900", "Ø 40", "40 × 150", "120 × 20"):  # fmt: skip
        assert text in found, text
    assert any("(0, 1900), (100, 2000), (0, 2000)" in one for one in found)
    assert any(one.startswith(f"2. {PANE.description}") for one in found)
    for text in ("R20", "± 1", "เจาะรูตามแบบ"):
        assert text in found
    edges = [
        one
        for one in page.items
        if isinstance(one, Line) and one.thickness == drawing_pages.EDGE_THICKNESS
    ]
    assert len(edges) == 2
    words = "ลูกค้ายืนยันแบบ" if language == "th" else "Drawing confirmed by the customer"
    assert words in found


@pytest.mark.parametrize("size", [(50, 3000), (3000, 40), (10, 10), (0.5, 6000)])
def test_pane_of_any_shape_fits_with_as_many_dimensions_as_have_room(monkeypatch, size):
    wide, high = size
    holes = [
        {"type": "circle", "x": wide * n / 61, "y": high * n / 61, "diameter": 1}
        for n in range(1, 61)
    ]
    drawing = PaneDrawing([read_cut(one, is_notch=False) for one in holes], {})
    line = replace(PANE, width=wide, height=high, drawing=drawing)
    pages = pages_of(monkeypatch, line)
    for page in pages:
        assert_drawings_are_inside(page)
    in_table = [text for page in pages[1:] for text in texts_on(page)]
    assert all(f"{one['x']:.10g}" in in_table for one in holes)


@given(
    st.lists(st.floats(0, 100), max_size=40).map(sorted),
    st.floats(-20, 0),
    st.floats(100, 130),
)
def test_dimensions_are_apart_in_their_order_and_their_room(places, least, most):
    spread = drawing_pages.spread(places, least, most)
    if not spread:
        assert (len(places) - 1) * drawing_pages.APART > most - least or not places
        return
    assert len(spread) == len(places)
    assert spread[0] >= least - 1e-6
    assert spread[-1] <= most + 1e-6
    for one, other in pairwise(spread):
        assert other - one >= drawing_pages.APART - 1e-6
