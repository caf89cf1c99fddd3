"""Thai text on labels: marks at their places, shortened and broken between words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont, features

from glassflow.drawing import pdf, typesetting
from glassflow.drawing.items import LaidOut, Run
from glassflow.labels import raster
from label_pictures import codes_of_warnings, make

#: Vowels and marks above and below, also stacked, behind ascenders and over descenders.
THAI = (
    "กระจกนิรภัย", "ชั้นที่ ๒", "ลามิเนต", "ปู่", "ฟ้า", "น้ำ", "ที่ผู้ซื้อ", "กึ่งกลาง", "ญี่ปุ่น", "ฐาน",
    "ปั๊ม", "ฝั่ง", "เก็บเกี่ยว", "กตัญญู", "ฎีกา", "ป้ำ", "ฟื้น", "ปิ๊บ", "หญิง", "ฤๅษี",
    "เจียรขอบ", "รุ่งเรือง", "น้ำผึ้ง", "ปี่", "ใหญ่", "แผ่น ก", "จุ๋มจิ๋ม", "ศูนย์", "ก๊าซ", "ปีใหม่",
)  # fmt: skip
DOTS_PER_MM, SIZE_PX = 20, 160
SIZE_PT = SIZE_PX / DOTS_PER_MM / 25.4 * 72


def drawn(text, bold):
    """The text as a label has it, cropped to its ink."""
    label = LaidOut(60, 30, [Run(5, 18, text, SIZE_PT, bold)])
    page = pdf.draw([pdf.Page(60, 30, [pdf.Drawn(label)])], title="")
    (picture,) = raster.gray(page, [(60 * DOTS_PER_MM, 30 * DOTS_PER_MM)])
    return cropped(picture)


def reference(text, bold):
    """The text as Raqm and FreeType draw it, cropped to its ink."""
    path = str(typesetting.FONT_FILES[bold])
    font = ImageFont.truetype(path, SIZE_PX, layout_engine=ImageFont.Layout.RAQM)
    picture = Image.new("L", (60 * DOTS_PER_MM, 30 * DOTS_PER_MM), 255)
    ImageDraw.Draw(picture).text((100, 100), text, font=font, fill=0)
    return cropped(picture)


def cropped(picture):
    return picture.crop(ImageChops.invert(picture).getbbox())


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow is without Raqm")
@pytest.mark.parametrize("bold", [False, True], ids=["regular", "bold"])
def test_thai_texts_look_as_another_typesetter_draws_them(bold):
    for text in THAI:
        ours, theirs = drawn(text, bold), reference(text, bold)
        assert abs(ours.width - theirs.width) <= 3, text
        assert abs(ours.height - theirs.height) <= 3, text
        theirs = theirs.resize(ours.size)
        # A mark at another place is ink where the other has none; edges differ by pixels.
        outside = ImageChops.subtract(far_from_ink(theirs), ours)
        inside = ImageChops.subtract(far_from_ink(ours), theirs)
        for difference in (outside, inside):
            assert difference.point(lambda v: v > 128 and 255).getbbox() is None, text


def far_from_ink(picture, pixels=4):
    """White where no ink is within so many pixels, black elsewhere."""
    return picture.filter(ImageFilter.MinFilter(2 * pixels + 1))


def fit(text, width, size=10):
    return typesetting.fit_line(text, width=width, size=size, bold=False)


def test_long_line_gets_smaller_down_to_seventy_percent_and_is_then_cut():
    natural = typesetting.width_mm("กระจกนิรภัย", size=10, bold=False)
    assert fit("กระจกนิรภัย", natural) == (("กระจกนิรภัย",), 10, False)
    smaller = fit("กระจกนิรภัย", natural * 0.8)
    assert (smaller.lines[0], smaller.is_cut) == ("กระจกนิรภัย", False)
    assert smaller.size == pytest.approx(8)
    short = fit("กระจกนิรภัย", natural * 0.5)
    assert (short.size, short.is_cut) == (7, True)
    assert short.lines[0].endswith("…")


@settings(max_examples=200)
@given(st.text("กจญปฟนั่้ี็ุู์ำเแไ ab", max_size=40), st.floats(2, 60))
def test_text_is_cut_between_clusters_and_fits(text, width):
    fitted = fit(text, width)
    (line,) = fitted.lines
    if not fitted.is_cut:
        assert line == text
        return
    clusters = typesetting.CLUSTER.findall(text)
    begins = ["".join(clusters[:count]).rstrip() for count in range(len(clusters))]
    assert line.removesuffix("…") in begins
    assert not any(map(typesetting.MARK.match, clusters[1:]))
    used = typesetting.width_mm(line, size=fitted.size, bold=False)
    assert used <= width + 1e-6 or line == "…"


def test_lines_break_at_spaces_first_then_between_words():
    def broken(text, width):
        return typesetting.break_lines(text, width=width, size=10, bold=False)

    address = "๑๒๓ หมู่ ๕ ถนนพหลโยธิน"
    assert broken(address, 200) == [address]
    assert broken(address, 22) == ["๑๒๓ หมู่ ๕", "ถนนพหลโยธิน"]
    lines = broken("กระจกนิรภัยลามิเนตสำหรับตึก", 25)
    assert lines == ["กระจกนิรภัย", "ลามิเนตสำหรับ", "ตึก"]
    assert broken("a\nb", 200) == ["a", "b"]
    assert "".join(broken("A" * 90, 20)) == "A" * 90


def test_wrapped_text_gets_smaller_before_it_is_cut():
    def fitted(height):
        return typesetting.fit_lines(
            "กระจกนิรภัย ลามิเนต สำหรับผู้ซื้อ", width=25, height=height, size=10, bold=False
        )

    roomy, tight, cut = fitted(20), fitted(8.5), fitted(3.5)
    assert (roomy.size, roomy.is_cut) == (10, False)
    assert tight.size < 10
    assert not tight.is_cut
    assert (len(cut.lines), cut.is_cut) == (1, True)


def test_warning_says_what_does_not_fit_or_has_no_picture_in_the_font():
    text = {"type": "text", "width": 20, "content": "{{customerName}}", "id": "who"}
    long = make(text, values={"customerName": "บริษัท กระจกไทยรุ่งเรือง จำกัด (มหาชน)"})
    assert codes_of_warnings(long) == ["TEXT_CUT"]
    assert long.warnings[0].warning.element == "who"
    assert codes_of_warnings(make(text, values={"customerName": "玻璃"})) == [
        "CHARACTER_MISSING"
    ]


def test_text_without_any_value_is_left_out_and_an_unknown_variable_is_said():
    text = {"type": "text", "content": "ชุด {{parentPane.paneNumber}}"}
    empty = make(text, values={"parentPane.paneNumber": ""}, format="json")
    assert empty.warnings == ()
    assert codes_of_warnings(make(text, values={})) == ["UNKNOWN_VARIABLE"]
