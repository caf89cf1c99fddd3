"""Labels on paper: single ones and the cells of sheets."""

import io

import pypdfium2
import pytest
from PIL import Image

from glassflow.drawing.items import A4
from glassflow.labels.sheets import SHEETS, parse_sheets, place
from label_pictures import QR, codes_in, codes_of_warnings, make

L7160 = SHEETS[0]
PT = 72 / 25.4


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda one: one.name)
def test_cells_of_a_sheet_are_on_the_page_and_do_not_overlap(sheet):
    right, bottom = sheet.corner(sheet.cells - 1)
    assert right + sheet.cell[0] <= A4[0]
    assert bottom + sheet.cell[1] <= A4[1]
    assert sheet.pitch[0] >= sheet.cell[0]
    assert sheet.pitch[1] >= sheet.cell[1]


def test_labels_follow_the_skipped_cells_over_pages():
    placed = list(place(L7160, [(60, 38)] * 21, skip=2))
    assert [one.page for one in placed] == [0] * 19 + [1] * 2
    assert (placed[0].x, placed[0].y) == pytest.approx((7.2 + 2 * 66 + 1.75, 15.15))
    assert placed[19].x == pytest.approx(7.2 + 1.75)


def test_label_larger_than_its_cell_is_scaled_and_that_is_said():
    made = make(QR, count=3, sheet=L7160, format="png")
    assert codes_of_warnings(made) == ["LABEL_SCALED"]
    assert made.warnings[0].warning.detail == "95 %"
    assert made.warnings[0].labels == 3
    assert sorted(codes_in(made.content)) == ["STDPLUS:PNE-0107"] * 3


def test_nudge_moves_all_labels():
    plain, nudged = (
        next(iter(place(L7160, [(10, 10)], nudge=nudge)))
        for nudge in [(0, 0), (1.5, -2)]
    )
    assert (nudged.x - plain.x, nudged.y - plain.y) == pytest.approx((1.5, -2))


def test_pdf_has_the_size_of_the_label_and_asks_viewers_not_to_scale_it():
    made = make(QR, count=2, copies=2)
    assert b"/PrintScaling /None" in made.content
    document = pypdfium2.PdfDocument(made.content)
    assert (len(document), made.pages) == (4, 4)
    assert document[0].get_size() == pytest.approx((60 * PT, 40 * PT), abs=0.01)
    document.close()
    sheet = make(QR, count=22, sheet=L7160)
    document = pypdfium2.PdfDocument(sheet.content)
    assert (len(document), sheet.pages) == (2, 2)
    assert document[0].get_size() == pytest.approx((210 * PT, 297 * PT), abs=0.01)
    document.close()


def test_png_is_one_page_with_its_resolution():
    made = make({**QR, "content": "{{qrCode}}"}, count=2, format="png", dpi=300, page=2)
    picture = Image.open(io.BytesIO(made.content))
    assert picture.size == (709, 472)
    assert picture.info["dpi"][0] == pytest.approx(300, abs=0.1)


def test_own_sheets_are_read_from_a_setting():
    (sheet,) = parse_sheets({"ours": ["2x4", "90x60", "10x20.5", "95x62"]})
    assert (sheet.columns, sheet.rows, sheet.cell) == (2, 4, (90, 60))
    assert (sheet.margin, sheet.pitch) == ((10, 20.5), (95, 62))


@pytest.mark.parametrize(
    "words",
    ["", "2x4", "2x4 90x60 10x20", "2x4 90x60 10x20 95xa", "9x4 90x60 1x2 95x62",
     "0x4 90x60 1x2 95x62", "2x4 1x1 1x2 95x62", "2.5x1 90x60 1x2 95x62 1x1"],
)  # fmt: skip
def test_own_sheet_that_no_page_can_have_is_refused(words):
    with pytest.raises(ValueError, match="ours"):
        parse_sheets({"ours": words.split()})
