"""Quotes on paper: every text and amount is found, and nothing is beyond its place."""

from dataclasses import fields, replace
from datetime import date
from decimal import Decimal

import pytest
from PIL import ImageChops

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
from glassflow.documents import letterhead, quote_pages, quote_paper
from glassflow.documents.document import Party
from glassflow.documents.quote import PaperLine, QuoteOnPaper
from glassflow.drawing.items import Box, Line, Picture, Run
from glassflow.drawing.paper import MARGIN

SELLER = Party(
    "บริษัท กระจกไทยรุ่งเรือง จำกัด",
    "99/1 หมู่ 5 ถนนพหลโยธิน กรุงเทพมหานคร 10220",
    "0105551234567",
    "00000",
    "02-123-4567",
    "sales@example.co.th",
)
BUYER = Party(
    "บริษัท น้ำใส (ประเทศไทย) จำกัด (มหาชน)",
    "123/45 ซอยสุขุมวิท 71 แขวงพระโขนงเหนือ เขตวัฒนา กรุงเทพมหานคร 10110",
    "0107537000521",
    "00001",
    "081-234-5678",
    "purchase@example.co.th",
    "คุณวราภรณ์ ศรีสุข",
)
HOLE = {"type": "circle", "x": 100, "y": 100, "diameter": 40}
NOTCH = {"type": "rectangle", "x": 860, "y": 900, "width": 40, "height": 150}
PANE = PaperLine(
    "กระจกนิรภัยเทมเปอร์ใส 10 มม. เจียรขอบขัดมันรอบ 4 ด้าน",
    4,
    Decimal("4521.75"),
    Decimal("18087.00"),
    900,
    2000,
    Decimal("19.38"),
    [HOLE, NOTCH],
    "เจาะรูตามแบบ",
)
WORK = PaperLine("ค่าติดตั้งหน้างาน", 1, Decimal(8500), Decimal(8500))
FULL = QuoteOnPaper(
    number="QUO-0001-R2",
    date=date(2026, 11, 28),
    valid_until=date(2026, 12, 28),
    seller=SELLER,
    buyer=BUYER,
    delivery_address="อาคาร B ชั้น 12",
    project="ปรับปรุงล็อบบี้",
    lines=[PANE, WORK],
    subtotal=Decimal("26587.00"),
    rush_percent=Decimal("12.50"),
    rush=Decimal("3323.38"),
    discount_percent=Decimal(5),
    discount=Decimal("1495.52"),
    minimum=Decimal("1085.14"),
    net=Decimal("29500.00"),
    vat_percent=Decimal(7),
    vat=Decimal("2065.00"),
    gross=Decimal("31565.00"),
    lead_time="15 วันทำการ",
    remarks="ไม่รวมค่านั่งร้าน",
    conditions="มัดจำ 50% เมื่อสั่งซื้อ",
    bank_line="ธนาคารกสิกรไทย 012-3-45678-9",
    prepared_by="คุณสมชาย ใจดี",
)
BARE = QuoteOnPaper(
    number="QUO-0002",
    date=date(2026, 1, 2),
    seller=Party("ร้านกระจก"),
    buyer=Party("คุณก้อย"),
    lines=[WORK],
    subtotal=Decimal(8500),
    net=Decimal(8500),
    gross=Decimal(8500),
)
MOST = Decimal("9999999999999.99")
THAI = "กระจกนิรภัยเทมเปอร์ที่ผู้ซื้อ"  # long and without spaces


def pdf_of(quote, language):
    return quote_pages.quote_pdf(replace(quote, language=language))


CASES = {
    "full": FULL,
    "bare": BARE,
    "no line": replace(BARE, lines=[]),
    "40 lines": replace(FULL, lines=[PANE, WORK] * 20, is_draft=True),
    "300 lines with 12 holes": replace(
        FULL,
        lines=[
            replace(PANE, cut_outs=[{**HOLE, "y": 150 * n} for n in range(1, 13)])
            for _ in range(300)
        ],
    ),
    "long texts": replace(
        FULL,
        logo=logo(3000, 60),
        seller=replace(SELLER, name="A" * 150, address="ถนนที่ยาวมาก " * 80),
        buyer=replace(BUYER, name=THAI * 15, address="B" * 900, email="e" * 150),
        delivery_address="ส่งที่นี่ " * 200,
        project="P" * 300,
        lines=[replace(PANE, description=THAI * 12), replace(PANE, remark=THAI * 150)],
        remarks="หมายเหตุ " * 300,
        conditions="เงื่อนไข " * 400,
        prepared_by=THAI * 5,
    ),
    "large amounts": replace(
        FULL,
        logo=logo(20, 2000),
        lines=[
            replace(
                PANE, width=123456.78, height=9e4, area=MOST / 10**6,
                quantity=1000000, unit_price=MOST, amount=MOST,
            )
        ],
        **dict.fromkeys(
            ("subtotal", "rush", "discount", "minimum", "net", "vat", "gross"), MOST
        ),
    ),
}  # fmt: skip
LANGUAGES = ["th", "en"]


def money(amount):
    return f"{amount:,.2f}"


def amounts_of(quote):
    """All amounts that the paper shows, as they are written."""
    lines = [one for line in quote.lines for one in (line.unit_price, line.amount)]
    sums = (quote.rush, quote.discount, quote.minimum, quote.vat)
    totals = [quote.subtotal, quote.gross, *(one for one in sums if one)]
    return [money(one) for one in (*lines, *totals)]


@pytest.fixture
def pages_of(monkeypatch):
    """The laid out pages of a quote."""
    return lambda quote, language: laid_out(monkeypatch, pdf_of, quote, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_amount_is_found(case, language):
    quote = CASES[case]
    text = text_of(pdf_of(quote, language))
    shown = amounts_of(quote)
    for amount in set(shown):
        assert text.count(amount) >= shown.count(amount), amount


@pytest.mark.parametrize("case", CASES)
def test_every_line_has_its_description_and_remark_in_order(case, pages_of):
    quote, column = CASES[case], quote_paper.DESCRIPTION.x
    written = "".join(
        one.text
        for page in pages_of(quote, "en")
        for one in page.items
        if isinstance(one, Run) and one.x == column and one.text != "Description"
    )
    wanted = "".join(line.description + line.remark for line in quote.lines)
    assert squeezed(written) == squeezed(wanted)


@pytest.mark.parametrize(
    ("language", "words"),
    [("th", "คาดว่าจะส่ง25 ธันวาคม 2569"), ("en", "Expected delivery25 December 2026")],
)
def test_a_quote_says_when_its_panes_are_expected(language, words):
    promised = replace(FULL, expected_delivery=date(2026, 12, 25))
    text = text_of(pdf_of(promised, language)).replace(":", "")
    assert squeezed(words) in text
    assert squeezed(words) not in text_of(pdf_of(FULL, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_quote_is_found(language):
    text = text_of(pdf_of(FULL, language))
    for party in (SELLER, BUYER):
        for field in fields(party):
            value = getattr(party, field.name)
            assert field.name == "branch" or squeezed(value) in text
    for name in (
        "delivery_address", "project", "lead_time", "remarks", "conditions", "bank_line",
        "prepared_by", "number",
    ):  # fmt: skip
        assert squeezed(getattr(FULL, name)) in text, name
    assert "ใบเสนอราคา" in text
    assert "Quotation" in text
    assert "900×2000" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "th",
            (
                "28 พฤศจิกายน 2569", "28 ธันวาคม 2569", "สำนักงานใหญ่", "สาขา 00001",
                "สามหมื่นหนึ่งพันห้าร้อยหกสิบห้าบาทถ้วน", "ค่างานเร่งด่วน 12.5%",
                "ภาษีมูลค่าเพิ่ม 7%", "หน้า 1 จาก 1",
            ),
        ),
        (
            "en",
            (
                "28 November 2026", "28 December 2026", "Head office", "Branch 00001",
                "Thirty-one thousand five hundred sixty-five baht only",
                "Rush surcharge 12.5%", "VAT 7%", "Page 1 of 1",
            ),
        ),
    ],
)  # fmt: skip
def test_dates_branches_and_sums_are_in_words_of_the_language(language, words):
    text = text_of(pdf_of(FULL, language))
    for one in words:
        assert squeezed(one) in text, one


def test_what_is_empty_has_no_name():
    text = text_of(pdf_of(BARE, "en"))
    for name in (
        "Tax", "Branch", "Head", "Contact", "Tel.", "Email", "Deliver", "Project",
        "Valid", "Rush", "Discount", "minimum", "VAT", "Lead", "Remarks", "Conditions",
        "Payment", "DRAFT", "None", "-R",
    ):  # fmt: skip
        assert name not in text, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_no_text_leaves_the_page_or_overlaps_another_one(case, language, pages_of):
    for page in pages_of(CASES[case], language):
        assert_texts_are_apart(page)


@pytest.mark.parametrize("case", CASES)
def test_no_drawing_leaves_the_page(case, pages_of):
    for page in pages_of(CASES[case], "th"):
        assert_drawings_are_inside(page)


def test_drawings_of_rows_with_short_texts_stand_below_each_other(pages_of):
    lines = [replace(PANE, description="กระจก", remark="")] * 3
    (page,) = pages_of(replace(BARE, lines=lines), "th")
    drawn = [one for one in page.items if isinstance(one, Box) and one.stroke == 0.15]
    tops = [one.y for one in drawn[1:]]
    ends = [one.y + one.height for one in drawn[:-1]]
    assert len(drawn) == 3
    assert all(top > end for top, end in zip(tops, ends, strict=True))


def test_only_panes_with_cut_outs_are_drawn_with_each_of_them(pages_of):
    def drawn(line):
        (page,) = pages_of(replace(BARE, lines=[line]), "th")
        return [
            one for one in page.items if isinstance(one, Line) and one.thickness < 0.2
        ]

    assert len(drawn(PANE)) == 2
    assert drawn(replace(PANE, cut_outs=())) == []
    assert drawn(replace(PANE, width=None)) == []


def test_cut_out_ends_at_the_edges_of_its_pane(pages_of):
    beyond = {"type": "circle", "x": 0, "y": 0, "diameter": 99999}
    (page,) = pages_of(replace(BARE, lines=[replace(PANE, cut_outs=[beyond])]), "th")
    (cut,) = [
        one for one in page.items if isinstance(one, Line) and one.thickness < 0.2
    ]
    outline = next(
        one for one in page.items if isinstance(one, Box) and one.stroke == 0.15
    )
    for x, y in cut.points:
        assert outline.x <= x <= outline.x + outline.width
        assert outline.y <= y <= outline.y + outline.height


@pytest.mark.parametrize("count", range(10, 30))
def test_totals_stand_together_and_below_a_line(count, pages_of):
    quote = replace(FULL, lines=[replace(WORK, description="ท่อนสุดท้าย")] * count)
    pages = [
        [one.text for one in page.items if isinstance(one, Run)]
        for page in pages_of(quote, "en")
    ]
    (page,) = [one for one in pages if "Subtotal" in one]
    assert "Grand total" in page
    assert any(one.startswith("(Thirty-one thousand") for one in page)
    assert "ท่อนสุดท้าย" in page


@pytest.mark.parametrize("count", range(1, 46))
def test_page_that_is_signed_has_the_sum(count, pages_of):
    lines = [replace(WORK, description=f"งาน {one}") for one in range(count)]
    conditions = "\n".join(["มัดจำ 50% เมื่อสั่งซื้อ"] * 6)
    for case in (FULL, BARE):
        quote = replace(case, lines=lines, conditions=conditions)
        signed = [
            [one.text for one in page.items if isinstance(one, Run)]
            for page in pages_of(quote, "en")
        ][-1]
        assert "Accepted by the customer" in signed
        assert signed.count("Grand total") == 1
        assert money(quote.gross) in signed


def test_each_page_has_the_heading_and_its_number(pages_of):
    pages = pages_of(CASES["40 lines"], "th")
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        words = [one.text for one in page.items if isinstance(one, Run)]
        assert f"หน้า {number} จาก {len(pages)}" in words
        assert "จำนวนเงิน (บาท)" in words
        assert any("QUO-0001-R2" in one for one in words)


def picture_of(quote):
    """The first page as a picture in colours."""
    return first_page(pdf_of(quote, "th")).convert("RGB")


def test_draft_is_marked_across_the_page_lightly():
    plain, draft = picture_of(FULL), picture_of(replace(FULL, is_draft=True))
    difference = ImageChops.subtract(plain, draft).convert("L")
    left, top, right, bottom = difference.getbbox()
    assert right - left > plain.width / 2
    assert bottom - top > plain.height / 2
    assert difference.getextrema()[1] < 40
    content = pdf_of(replace(FULL, is_draft=True), "en")
    assert "ฉบับร่าง/DRAFT" in text_of(content)


def blue(picture):
    """The box of what is as blue as the logos of these tests."""
    bands = picture.split()
    is_blue = ImageChops.subtract(bands[2], bands[0]).point(lambda v: v > 200 and 255)
    return is_blue.getbbox()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("size", [(900, 300), (3000, 60), (40, 2000), (1, 1)])
def test_logo_keeps_its_proportions_in_its_room(size, kind, pages_of):
    quote = replace(FULL, logo=logo(*size, kind))
    (drawn,) = [
        one for one in pages_of(quote, "th")[0].items if isinstance(one, Picture)
    ]
    assert drawn.width / drawn.height == pytest.approx(size[0] / size[1])
    room = letterhead.LOGO_ROOM
    assert min(room[0] - drawn.width, room[1] - drawn.height) == pytest.approx(0)


def test_logo_is_drawn_where_it_is_laid_out():
    left, top, right, bottom = blue(picture_of(replace(FULL, logo=logo(900, 300))))
    points = [round(side * 72 / 25.4) for side in (MARGIN, MARGIN, 60, 20)]
    drawn = (left, top, right - left, bottom - top)
    assert all(abs(one - other) <= 1 for one, other in zip(drawn, points, strict=True))


@pytest.mark.parametrize("content", BROKEN_PICTURES.values(), ids=BROKEN_PICTURES)
def test_logo_that_cannot_be_read_is_left_out(content):
    assert picture_of(replace(FULL, logo=content)) == picture_of(FULL)
