"""Cutting plans on paper: every sheet and every pane, in the order in which they break out."""

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.laid_out import (
    assert_drawings_are_inside,
    assert_texts_are_apart,
    laid_out,
    squeezed,
    text_of,
)
from documents.test_quote_pdf import SELLER, THAI
from glassflow.documents import cutting_plan_drawing as drawing
from glassflow.documents.cutting_plan import (
    CuttingPlanOnPaper,
    Place,
    PlacedPane,
    Rest,
    SheetOnPaper,
)
from glassflow.documents.cutting_plan_pages import cutting_plan_pdf, sheet_svg
from glassflow.documents.document import Party
from glassflow.domain.bilingual import Language
from glassflow.domain.cutting.stages import LeftOut, PaneOnSheet, PlanStatus
from glassflow.drawing import qr
from glassflow.drawing.items import Box, Code, Line, Run, Turned

NOON = datetime(2026, 11, 28, 12, 5, tzinfo=timezone(timedelta(hours=7)))


def pane(place, number, **values):
    usual = {
        "order": "ORD-0012",
        "next_station": "เจียรขอบ (Edging)",
        "rack": "RCK-0003",
    }
    return PlacedPane(Place(*place), number, **{**usual, **values})


FIRST = SheetOnPaper(
    number=1,
    code="CUT-0007/1",
    width=2438,
    height=1829,
    lot="INV-0031",
    location="A-02",
    color="แดง",
    use_percent=91.4,
    panes=[
        pane((15, 15, 800, 1200.5), "PNE-0001", mark="W-1"),
        pane((815, 15, 800, 1200.5), "PNE-0002", mark="W-2", sheet_label="แผ่นใน"),
        pane((15, 1215.5, 900, 590), "PNE-0003"),
        pane((915, 1215.5, 300, 590), "PNE-0004"),
        pane((1215, 1215.5, 90, 590), "PNE-0005"),
    ],
    rests=[
        Rest(Place(1615, 15, 808, 1200.5), is_kept=True),
        Rest(Place(1305, 1215.5, 1118, 598.5), is_kept=False),
    ],
    defects=[Place(1700, 1400, 120, 60)],
)
SECOND = SheetOnPaper(
    number=2,
    code="CUT-0007/2",
    width=1100,
    height=1500,
    lot="INV-0018",
    location="เศษ-3",
    is_remnant=True,
    use_percent=80.2,
    panes=[
        pane((0, 0, 1000, 700), "PNE-0006", state=PaneOnSheet.CUT),
        pane((0, 700, 1000, 300), "PNE-0007", state=PaneOnSheet.BROKEN),
        pane(
            (0, 1000, 500, 300),
            "PNE-0008",
            state=PaneOnSheet.LEFT,
            reason=LeftOut.CANCELLED,
        ),
    ],
    rests=[Rest(Place(1000, 0, 100, 1500), is_kept=False)],
    remnants=["INV-0040"],
    cut_at=NOON,
    cut_by="นายมานะ ตั้งใจ",
)
PLAN = CuttingPlanOnPaper(
    number="CUT-0007",
    date=date(2026, 11, 28),
    seller=SELLER,
    material="กระจกใส 6 มม. (Clear)",
    thickness=6.0,
    printed_at=NOON,
    status=PlanStatus.CUTTING,
    notes="ตัดก่อนเที่ยง",
    sheets=[FIRST, SECOND],
    use_percent=88.3,
    unplanned=[
        (LeftOut.TOO_LARGE, ["PNE-0090"]),
        (LeftOut.NO_GLASS, [f"PNE-{number:04}" for number in range(91, 99)]),
    ],
)


def sheet_of(count, number=1, width=3210, height=2250):
    """A sheet of so many equal panes, ten in a row."""
    across, down = width / 10, height / -(-count // 10)
    panes = [
        pane((n % 10 * across, n // 10 * down, across, down), f"PNE-{number}-{n:03}")
        for n in range(count)
    ]
    return replace(
        FIRST,
        number=number,
        code=f"CUT-0007/{number}",
        width=width,
        height=height,
        panes=panes,
        rests=(),
        defects=(),
    )


CASES = {
    "usual": PLAN,
    "without sheets": replace(PLAN, sheets=[], use_percent=None, notes=""),
    "60 panes on a sheet": replace(
        PLAN, sheets=[sheet_of(60), sheet_of(60, 2, 2250, 3210)]
    ),
    "60 sheets": replace(PLAN, sheets=[sheet_of(8, n) for n in range(1, 61)]),
    "long texts": replace(
        PLAN,
        seller=replace(SELLER, name="A" * 150, address="ถนนที่ยาวมาก " * 80),
        material=THAI * 9,
        notes="หมายเหตุ " * 300,
        sheets=[
            replace(
                SECOND,
                lot="L" * 90,
                location=THAI * 5,
                color="C" * 200,
                cut_by=THAI * 9,
                remnants=[f"INV-{number:04}" for number in range(60)],
                panes=[
                    pane(
                        (0, at, 1000, 400),
                        "P" * 90,
                        mark=THAI * 4,
                        sheet_label="S" * 40,
                        order="O" * 90,
                        next_station=THAI * 5,
                        rack="R" * 80,
                    )
                    for at in (0, 400, 800)
                ],
            )
        ],
        unplanned=[
            (reason, [f"PNE-{n:04}-A" for n in range(300)]) for reason in LeftOut
        ],
    ),
    "narrow sheets": replace(
        PLAN,
        sheets=[
            sheet_of(20, width=6000, height=60),
            sheet_of(20, 2, width=60, height=6000),
        ],
    ),
}


@pytest.fixture
def pages_of(monkeypatch):
    """The laid out pages of a cutting plan."""
    return lambda plan: laid_out(monkeypatch, cutting_plan_pdf, plan)


def flat(items):
    """Items, and those inside of turned ones."""
    for one in items:
        yield from flat(one.items) if isinstance(one, Turned) else [one]


def words_of(page):
    return [one.text for one in flat(page.items) if isinstance(one, Run)]


def code_on(page):
    return next((one for one in page.items if isinstance(one, Code)), None)


@pytest.mark.parametrize("case", CASES)
def test_nothing_of_a_plan_leaves_its_page(case, pages_of):
    for language in Language:
        for page in pages_of(replace(CASES[case], language=language)):
            assert_texts_are_apart(page)
            assert_drawings_are_inside(page)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "th",
            (
                "แผนตัดกระจก", "กำลังตัด", "28 พฤศจิกายน 2569 เวลา 12:05 น.",
                "ใหญ่กว่าทุกแผ่นในสต็อก (1)", "PNE-0091 ถึง -0098", "ไม่ตัด: ยกเลิกแล้ว", "แตก",
                "แผ่นที่ 2 จาก 2", "ของกระจกที่ได้ใช้",
            ),
        ),
        (
            "en",
            (
                "Cutting plan", "being cut", "28 November 2026, 12:05",
                "larger than any sheet in stock (1)", "PNE-0091 to -0098",
                "not cut: cancelled", "broken", "Sheet 2 of 2", "of the glass is used",
            ),
        ),
    ],
)  # fmt: skip
def test_plan_is_printed_in_words_of_the_language(language, words):
    text = text_of(cutting_plan_pdf(replace(PLAN, language=Language(language))))
    for one in (
        *words, "CUT-0007", PLAN.material, PLAN.notes, SELLER.name, "88.3 %", "91.4 %",
        "2438 × 1829", "1100 × 1500", "INV-0031", "INV-0018", "INV-0040", "A-02", "เศษ-3",
        "นายมานะ ตั้งใจ", "800 × 1200.5", "W-2 · แผ่นใน", "ORD-0012", "เจียรขอบ (Edging)",
        "RCK-0003", *(one.number for one in (*FIRST.panes, *SECOND.panes)),
    ):  # fmt: skip
        assert squeezed(one) in text, one


def test_each_sheet_begins_a_page_with_its_code(pages_of):
    first, *pages = pages_of(PLAN)
    assert code_on(first) is None
    assert len(pages) == 2
    for sheet, page in zip(PLAN.sheets, pages, strict=True):
        assert sheet.code in words_of(page)
        assert code_on(page).rows == qr.modules(sheet.code)


def test_sheet_of_60_panes_goes_on_on_another_page(pages_of):
    _, *pages = pages_of(replace(PLAN, sheets=[sheet_of(60)]))
    assert len(pages) == 2
    assert [code_on(page) is not None for page in pages] == [True, False]
    for page in pages:
        assert "เลขแผ่น" in words_of(page)
        assert "แผนตัดกระจก CUT-0007/1" in words_of(page)
    words = [one for page in pages for one in words_of(page)]
    # in the drawing and in the table
    assert [words.count(f"PNE-1-{n:03}") for n in range(60)] == [2] * 60


def test_drawing_gives_way_to_a_table_that_fits_below_it(pages_of):
    tall = sheet_of(10, width=1600, height=2400)
    _, page = pages_of(replace(PLAN, sheets=[tall]))
    assert "PNE-1-009" in words_of(page)


def test_thickness_that_the_name_of_the_glass_has_is_not_repeated(pages_of):
    assert words_of(pages_of(PLAN)[0]).count(PLAN.material) == 1
    named = replace(PLAN, material="Clear")
    assert "Clear · 6 มม." in words_of(pages_of(named)[0])
    unknown = replace(PLAN, material="Clear", thickness=0.0)
    assert "Clear" in words_of(pages_of(unknown)[0])


def drawn(sheet, **values):
    usual = {"at": (10.0, 20.0), "room": (186.0, 150.0), "language": Language.ENGLISH}
    return list(flat(drawing.draw(sheet, **{**usual, **values}).items))


def test_place_of_a_pane_is_measured_from_the_left_lower_corner():
    sheet = replace(
        sheet_of(1, width=1800, height=1440),
        panes=[pane((0, 0, 900, 360), "PNE-0001")],
    )
    items = drawn(sheet)
    outline, placed = (one for one in items if isinstance(one, Box) and one.stroke)
    outline, placed = sorted((outline, placed), key=lambda one: -one.width)
    assert (outline.width, outline.height) == pytest.approx((180, 144))
    assert (placed.width, placed.height) == pytest.approx((90, 36))
    assert placed.x == pytest.approx(outline.x)
    assert placed.y + placed.height == pytest.approx(outline.y + outline.height)


def test_what_is_left_of_a_sheet_is_hatched_or_named_with_its_size():
    words = [one.text for one in drawn(FIRST) if isinstance(one, Run)]
    assert words.count("remnant") == 1
    assert "808 × 1200.5" in words
    assert "1118 × 598.5" not in words
    without = drawn(replace(FIRST, rests=FIRST.rests[:1], defects=()))
    assert not [one for one in without if isinstance(one, Line)]
    assert len([one for one in drawn(FIRST) if isinstance(one, Line)]) > 20


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (PaneOnSheet.PLANNED, 0),
        (PaneOnSheet.CUT, 0),
        (PaneOnSheet.LEFT, 1),
        (PaneOnSheet.BROKEN, 2),
    ],
)
def test_pane_that_the_sheet_does_not_become_is_crossed_out(state, lines):
    one = pane((0, 0, 900, 600), "PNE-0001", state=state)
    sheet = replace(FIRST, panes=[one], rests=(), defects=())
    assert len([one for one in drawn(sheet) if isinstance(one, Line)]) == lines


def test_narrow_pane_has_its_place_in_the_order_alone():
    narrow = replace(FIRST, panes=[pane((0, 0, 40, 60), "PNE-0001")], rests=())
    words = [one.text for one in drawn(narrow) if isinstance(one, Run)]
    assert set(words) == {"1", "2438", "1829"}


LENGTHS = st.floats(20, 6000)


@given(LENGTHS, LENGTHS, st.integers(1, 80), st.floats(60, 186), st.floats(60, 230))
def test_drawing_stays_in_its_room(width, height, count, wide, high):
    sheet = sheet_of(count, width=width, height=height)
    room = drawing.draw(
        sheet, at=(12.0, 30.0), room=(wide, high), language=Language.THAI
    )
    assert room.right <= 12 + wide + 0.01
    assert room.bottom <= 30 + high + 0.01
    boxes = [one for one in flat(room.items) if isinstance(one, Box)]
    for box in boxes:
        assert box.x >= 12
        assert box.y >= 30
        assert box.x + box.width <= room.right + 0.01
        assert box.y + box.height <= room.bottom + 0.01


@given(
    st.floats(0.5, 200), st.floats(0.5, 200), st.text(max_size=20), st.integers(1, 4)
)
def test_texts_of_a_pane_stay_inside_of_it(width, height, mark, always):
    sheet = replace(
        FIRST,
        width=200.0,
        height=200.0,
        panes=[pane((0, 0, width, height), "PNE-0001", mark=mark)],
        rests=(),
        defects=(),
    )
    made = drawing.draw(
        sheet, at=(0.0, 0.0), room=(206.0, 206.0), language=Language.THAI,
        always=always,
    )  # fmt: skip
    left, bottom = drawing.BESIDE, drawing.BESIDE + 200
    for one in made.items[2:]:  # after the trim and the pane
        if isinstance(one, Box):
            break
        is_turned = isinstance(one, Turned)
        for run in one.items if is_turned else [one]:
            x, y = run.x, run.y
            if is_turned:  # by 90° to the left
                x, y = one.x + run.y - one.y, one.y - run.x + one.x
            assert left - 0.01 <= x <= left + width + 0.01
            assert bottom - height - 0.01 <= y <= bottom + 0.01


def test_picture_of_a_sheet_is_xml_with_the_number_of_each_pane():
    for sheet in (FIRST, SECOND, sheet_of(60), sheet_of(90, width=6000, height=100)):
        root = ElementTree.fromstring(sheet_svg(sheet, Language.THAI))
        words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {one.number for one in sheet.panes} <= set(words)
        assert root.find("{http://www.w3.org/2000/svg}title").text == sheet.code


@given(st.text(max_size=30))
def test_picture_of_a_sheet_is_xml_whatever_a_mark_is(mark):
    one = pane((0, 0, 900, 600), "PNE-0001", mark=f'<&">{mark}')
    content = sheet_svg(replace(FIRST, panes=[one]), Language.THAI)
    root = ElementTree.fromstring(content)
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(one.startswith('<&">') for one in words)


def test_plan_is_of_the_workshop_alone(pages_of):
    assert PLAN.buyer == Party("")
    assert "ลูกค้า" not in words_of(pages_of(PLAN)[0])
