"""Documents as tests look at them: their texts, their pages, what is on a page."""

import io
import re

import pypdfium2
from PIL import Image

from glassflow.drawing import paper, typesetting
from glassflow.drawing.items import A4, Box, Line, Picture, Run
from glassflow.drawing.paper import MARGIN, WIDTH
from glassflow.drawing.typesetting import MM_PER_PT


def logo(width, height, kind="PNG"):
    """A blue picture of a size in pixels."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (0, 0, 255)).save(out, kind)
    return out.getvalue()


BROKEN_PICTURES = {
    "no picture": b"%PDF-1.4",
    "empty": b"",
    "cut": logo(300, 300)[:200],
    "damaged": logo(300, 300)[:60] + b"\0" * 40 + logo(300, 300)[100:],
    "too large": logo(7000, 6000),
}


def text_of(content):
    """The text of all pages without spaces, as a viewer copies it."""
    document = pypdfium2.PdfDocument(content)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return squeezed("".join(pages))


def squeezed(text):
    return re.sub(r"\s", "", text)


def first_page(content, **how):
    """The first page as a picture of 595 by 842 points."""
    document = pypdfium2.PdfDocument(content)
    picture = document[0].render(scale=1, **how).to_pil()
    document.close()
    return picture


def laid_out(monkeypatch, make, *document):
    """The laid out pages of what a function makes a PDF of."""
    drawn = []
    monkeypatch.setattr(
        paper, "draw", lambda papers, title: drawn.extend(papers) or b""
    )
    make(*document)
    return drawn[0].pages


def assert_texts_are_apart(page):
    """No text leaves the page or overlaps another one."""
    runs = sorted(
        (one for one in page.items if isinstance(one, Run)), key=lambda one: one.y
    )
    placed = [(one, one.x + _wide(one)) for one in runs]
    for at, (one, end) in enumerate(placed):
        assert one.x >= MARGIN - 0.01, one
        assert end <= MARGIN + WIDTH + 0.01, one
        assert MARGIN - 3 <= one.y <= A4[1] - MARGIN, one
        for other, other_end in placed[at + 1 :]:
            if other.y - one.y >= 0.6 * other.size * MM_PER_PT:
                break
            beside = one.x >= other_end - 0.01 or other.x >= end - 0.01
            assert beside, (one, other)


def _wide(run):
    return typesetting.width_mm(run.text, size=run.size, bold=run.bold)


def assert_drawings_are_inside(page):
    """No drawing leaves the page."""
    corners = [
        (x, y)
        for one in page.items
        for x, y in (
            one.points
            if isinstance(one, Line)
            else [(one.x, one.y), (one.x + one.width, one.y + one.height)]
            if isinstance(one, Box | Picture)
            else []
        )
    ]
    assert all(MARGIN - 0.01 <= x <= MARGIN + WIDTH + 0.01 for x, _ in corners)
    assert all(MARGIN - 0.01 <= y <= A4[1] - MARGIN for _, y in corners)
