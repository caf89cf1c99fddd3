"""Delivery notes on paper: what is handed over and what is not, and who signed for it."""

import io
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from PIL import Image, ImageDraw

from documents.laid_out import (
    BROKEN_PICTURES,
    assert_drawings_are_inside,
    assert_texts_are_apart,
    first_page,
    laid_out,
    logo,
    squeezed,
    text_of,
)
from documents.test_quote_pdf import BUYER, HOLE, NOTCH, SELLER, THAI
from glassflow.documents.delivery_note import DeliveryNote, NoteLine
from glassflow.documents.delivery_note_pages import delivery_note_pdf
from glassflow.documents.document import Party
from glassflow.drawing.items import Line, Picture, Run
from glassflow.drawing.paper import BOTTOM


def signature():
    """A transparent picture of strokes, as a finger draws them."""
    picture = Image.new("RGBA", (600, 220))
    strokes = [(40, 150), (90, 60), (140, 170), (190, 80), (300, 100), (560, 70)]
    ImageDraw.Draw(picture).line(strokes, fill=(10, 20, 90, 255), width=9)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


DOOR = NoteLine(
    "กระจกนิรภัยเทมเปอร์ใส 10 มม. เจียรขอบขัดมันรอบ 4 ด้าน",
    quantity=5,
    width=900,
    height=2000,
    area=Decimal("19.38"),
    weight=Decimal("45.04"),
    order="ORD-0012",
    reference="PO-7781/2569",
    pane_numbers=[f"PNE-{number:04}" for number in (1, 2, 3, 4, 7)],
    cut_outs=[HOLE, NOTCH],
    remark="ระวังมุม",
)
WINDOW = NoteLine(
    "กระจกใส 6 มม.",
    quantity=1040,
    width=650,
    height=1200.5,
    area=Decimal("8.40"),
    weight=Decimal("11.7"),
    order="ORD-0013",
    pane_numbers=[f"PNE-{number:04}" for number in range(100, 1140)],
)
PLANNED = DeliveryNote(
    number="DLV-0003",
    date=date(2026, 11, 28),
    seller=SELLER,
    buyer=BUYER,
    lines=[DOOR, WINDOW],
    recipient="อาคารน้ำใส ทาวเวอร์ ชั้น 12",
    address="99 ถนนพระราม 4 แขวงคลองเตย กรุงเทพมหานคร 10110",
    contact="คุณสมหญิง",
    phone="089-111-2222",
    vehicle="6 ล้อ 80-1234",
    driver="นายบุญมี มากโชค",
    remarks="โทรแจ้งก่อนเข้าไซต์งาน",
)
DELIVERED = replace(
    PLANNED,
    delivered_at=datetime(2026, 11, 29, 9, 5, tzinfo=timezone(timedelta(hours=7))),
    received_by="คุณสมหญิง รักไทย",
    handed_over_by="นายมานะ ตั้งใจ",
    signature=signature(),
    missing=[replace(DOOR, quantity=1, pane_numbers=["PNE-0009"])],
)
BARE = DeliveryNote(
    number="DLV-0004",
    date=date(2026, 1, 2),
    seller=Party("ร้านกระจก"),
    buyer=Party("คุณก้อย"),
    lines=[NoteLine("กระจก", 1)],
)
CASES = {
    "planned": PLANNED,
    "delivered": DELIVERED,
    "bare": BARE,
    "nothing handed over": replace(DELIVERED, lines=[], missing=[DOOR, WINDOW]),
    "300 lines": replace(
        DELIVERED, lines=[DOOR, WINDOW] * 150, missing=[DOOR, WINDOW] * 30
    ),
    "long texts": replace(
        DELIVERED,
        seller=replace(SELLER, name="A" * 150, address="ถนนที่ยาวมาก " * 80),
        buyer=replace(BUYER, name=THAI * 15, address="B" * 900),
        lines=[
            replace(DOOR, description=THAI * 12, order="O" * 90, reference="P" * 200),
            replace(DOOR, pane_numbers=[f"PNE-{n:04}-A" for n in range(1000)]),
            replace(WINDOW, remark=THAI * 60, order=THAI * 3, reference=THAI * 9),
        ],
        recipient="R" * 300,
        address=THAI * 40,
        contact=THAI * 9,
        phone="0" * 200,
        vehicle="V" * 90,
        driver=THAI * 4,
        remarks="หมายเหตุ " * 300,
        received_by=THAI * 5,
        handed_over_by="H" * 99,
        signature=logo(3000, 60),
    ),
    "large numbers": replace(
        DELIVERED,
        lines=[
            replace(
                DOOR, quantity=10**6, width=123456.78, height=9e4,
                area=Decimal(10**7), weight=Decimal(10**7),
            ),
            replace(DOOR, area=None, weight=None),
        ],
        signature=logo(20, 2000),
    ),
}  # fmt: skip


@pytest.fixture
def pages_of(monkeypatch):
    """The laid out pages of a delivery note."""
    return lambda note: laid_out(monkeypatch, delivery_note_pdf, note)


def words_of(page):
    return [one.text for one in page.items if isinstance(one, Run)]


@pytest.mark.parametrize("case", CASES)
def test_nothing_leaves_the_page_and_no_text_overlaps_another_one(case, pages_of):
    for language in ("th", "en"):
        for page in pages_of(replace(CASES[case], language=language)):
            assert_texts_are_apart(page)
            assert_drawings_are_inside(page)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "th",
            (
                "28 พฤศจิกายน 2569", "29 พฤศจิกายน 2569 เวลา 09:05 น.", "ค้างส่ง",
                "สำนักงานใหญ่", "สาขา 00001", "PNE-0001 ถึง -0004, -0007",
                "ผู้ติดต่อ คุณสมหญิง", "โทร. 089-111-2222", "หน้า 1 จาก 1",
            ),
        ),
        (
            "en",
            (
                "28 November 2026", "29 November 2026, 09:05", "Not handed over",
                "Head office", "Branch 00001", "PNE-0001 to -0004, -0007",
                "Contact: คุณสมหญิง", "Tel. 089-111-2222", "Page 1 of 1",
            ),
        ),
    ],
)  # fmt: skip
def test_every_text_is_found_in_words_of_the_language(language, words):
    text = text_of(delivery_note_pdf(replace(DELIVERED, language=language)))
    for one in (
        *words, "ใบส่งของ", "Delivery note", DELIVERED.number, SELLER.name, BUYER.name,
        BUYER.tax_id, DELIVERED.recipient, DELIVERED.address, DELIVERED.vehicle,
        DELIVERED.driver, DELIVERED.remarks, DELIVERED.received_by,
        DELIVERED.handed_over_by, WINDOW.description, DOOR.remark, DOOR.order,
        DOOR.reference, "900 × 2000", "650 × 1200.5", "PNE-0009",
    ):  # fmt: skip
        assert squeezed(one) in text, one


def test_lines_and_their_sums_are_beside_each_other(pages_of):
    words = words_of(pages_of(PLANNED)[0])
    for name, figures in (
        ("900 × 2000", ["5", "96.90", "225.2"]),
        ("650 × 1200.5", ["1,040", "8,736.00", "12,168.0"]),
        ("รวม", ["1,045", "8,832.90", "12,393.2"]),
    ):
        at = words.index(name) + 1
        assert words[at : at + 3] == figures


def test_sum_is_marked_as_the_least_where_a_value_is_missing(pages_of):
    unknown = replace(WINDOW, area=None, weight=None)
    (page,) = pages_of(replace(PLANNED, lines=[DOOR, unknown]))
    words = words_of(page)
    assert "≥ 96.90" in words
    assert "≥ 225.2" in words
    assert not any("≥" in one for one in words_of(pages_of(PLANNED)[0]))


def test_what_is_empty_has_no_name():
    text = text_of(delivery_note_pdf(replace(BARE, language="en")))
    for name in (
        "Vehicle", "Driver", "Deliverto", "Contact", "Tel.", "Tax", "Not", "Remarks",
        "None", "≥",
    ):  # fmt: skip
        assert name not in text, name


def test_each_page_has_the_number_and_says_whose_table_it_is(pages_of):
    pages = [words_of(page) for page in pages_of(CASES["300 lines"])]
    first = next(at for at, words in enumerate(pages) if "ค้างส่ง" in words)
    assert 10 < first < len(pages) - 2
    for number, words in enumerate(pages, 1):
        assert f"หน้า {number} จาก {len(pages)}" in words
        assert any("DLV-0003" in one for one in words)
        assert "รายการ" in words
        # the last one is signed, and repeats how many were handed over
        assert ("ค้างส่ง" in words) == (first < number < len(pages))


@pytest.mark.parametrize("count", range(21, 33))
def test_sums_stand_below_a_line_and_a_heading_above_one(count, pages_of):
    missing = [NoteLine("กระจกแตก", 1)]
    note = replace(BARE, lines=BARE.lines * count, missing=missing)
    pages = [words_of(page) for page in pages_of(note)]
    sums = next(words for words in pages if "รวม" in words)
    assert sums[sums.index("รวม") - 1] == "กระจก"
    (heading,) = [words for words in pages if "ค้างส่ง" in words]
    assert "กระจกแตก" in heading


def test_sums_stand_above_the_foot_after_a_line_of_several_pages(pages_of):
    for count in range(60, 120):
        pages = pages_of(replace(BARE, lines=[NoteLine("กระจก\n" * count, 1)]))
        runs = [one for page in pages for one in page.items if isinstance(one, Run)]
        sums = next(one for one in runs if one.text == "รวม")
        assert sums.y < BOTTOM


def is_level(line):
    return len({y for _, y in line.points}) == 1


@pytest.mark.parametrize("count", range(1, 46))
def test_page_that_is_signed_says_how_many_panes(count, pages_of):
    lines = [replace(WINDOW, quantity=1, pane_numbers=["PNE-0001"])] * count
    for note in (PLANNED, DELIVERED):
        signed = words_of(pages_of(replace(note, lines=lines))[-1])
        assert "ผู้รับของ" in signed
        sums = [signed[at + 1] for at, one in enumerate(signed) if one == "รวม"]
        assert f"{count}" in sums


def test_signature_stands_on_the_line_of_the_recipient(pages_of):
    (page,) = pages_of(DELIVERED)
    (drawn,) = [one for one in page.items if isinstance(one, Picture)]
    line, _ = [
        one.points
        for one in page.items
        if isinstance(one, Line) and one.thickness == 0.25 and is_level(one)
    ]
    (left, bottom), (right, _) = line
    assert drawn.y + drawn.height == pytest.approx(bottom)
    assert drawn.x + drawn.width / 2 == pytest.approx((left + right) / 2)
    assert drawn.width / drawn.height == pytest.approx(600 / 220)
    name, day = (
        next(one for one in page.items if isinstance(one, Run) and text in one.text)
        for text in (DELIVERED.received_by, "เวลา 09:05 น.")
    )
    assert bottom < name.y < day.y
    assert left <= name.x <= right


@pytest.mark.parametrize("content", BROKEN_PICTURES.values(), ids=BROKEN_PICTURES)
def test_signature_that_cannot_be_read_is_left_out(content):
    broken, without = (
        first_page(delivery_note_pdf(replace(DELIVERED, signature=one)))
        for one in (content, None)
    )
    assert broken == without
