"""Text in PDFs of labels and job cards can be searched and copied, in Thai too."""

import io
import unicodedata

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassflow.documents import job_card_pages
from glassflow.documents.job_card import JobCard, PaneKind
from glassflow.drawing import pdf
from glassflow.drawing.items import LaidOut, Run
from glassflow.labels.sheets import SHEETS
from label_pictures import make
from sizes import size

#: Raised and narrow tone marks, letters without their foot, sara am in two glyphs.
NAMES = ("ที่นั้น น้ำซื้อ ญูฐู ปี่", "ฟิล์ม", "บริษัท น้ำใส จำกัด (มหาชน)", "ฝั่งป้ำ Office 5")


def texts_of(content):
    """The lines of all pages, as a viewer copies them."""
    document = pypdfium2.PdfDocument(io.BytesIO(content))
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return [line for page in pages for line in page.split("\r\n")]


def drawn(*texts, bold=False):
    """A page with a text per line."""
    runs = [Run(5, 10 * n, text, 12, bold) for n, text in enumerate(texts, 1)]
    page = pdf.Page(200, 100, [pdf.Drawn(LaidOut(200, 100, runs))])
    return pdf.draw([page], title="")


@pytest.mark.parametrize("bold", [False, True], ids=["regular", "bold"])
def test_names_are_copied_as_they_were_drawn(bold):
    assert texts_of(drawn(*NAMES, bold=bold)) == list(NAMES)


def test_customer_is_found_on_every_label_of_a_sheet():
    name = {"type": "text", "width": 58, "height": 6, "content": "{{customerName}}"}
    values = {"customerName": NAMES[0]}
    sheet = make(name, values=values, count=22, sheet=SHEETS[0])
    assert " ".join(texts_of(sheet.content)).count(NAMES[0]) == 22


def test_every_text_of_a_job_card_is_found():
    glass, notes, station = "กระจกนิรภัย ๑๐ มม.", "ระวังมุมที่บิ่น", "ติดฟิล์ม"
    kind = PaneKind(900, 600, glass, notes, 1, (), (), (), ["PNE-0107"])
    facts = [("ผู้สั่ง · Customer", NAMES[2])]
    card = JobCard("ORD-0042", "code", facts, [station], [kind])
    text = " ".join(texts_of(job_card_pages.make([card])))
    for shown in (*facts[0], glass, notes, station, "ใบงาน", "PNE-0107"):
        assert shown in text, shown


CLUSTERS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "เ", "แ", "โ", "ไ"]),
    st.sampled_from("กขจญฐฎฏปฝฟฬนรศอ"),
    st.sampled_from(["", *"ัิีึื็ุู"]),
    st.sampled_from(["", *"่้๊๋์"]),
    st.sampled_from(["", "", "า", "ำ"]),
)
WORDS = st.lists(CLUSTERS, min_size=1, max_size=5).map("".join)


@pytest.mark.sized
@settings(max_examples=size(100, long=2000))
@given(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.booleans())
def test_any_thai_text_is_copied_as_it_was_drawn(text, bold):
    assert texts_of(drawn(text, bold=bold)) == [text]


def test_glyphs_name_their_characters_to_viewers_that_read_no_spans(monkeypatch):
    monkeypatch.setattr(pdf, "_begin_span", lambda text: "/Span BMC")
    copied = "".join(texts_of(drawn(*NAMES)))
    for name in NAMES[:3]:
        # they read sara am as its two glyphs
        assert unicodedata.normalize("NFKD", name) in copied
