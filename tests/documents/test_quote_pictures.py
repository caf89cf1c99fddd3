"""Quotes on paper, compared with pictures that somebody has looked at.

After a change of the layout, GLASSFLOW_RECORD_PICTURES=1 takes them again: look at them.
"""

import os
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from documents.test_quote_pdf import FULL, PANE, WORK, logo, pdf_of

RECORDS = "GLASSFLOW_RECORD_PICTURES"
FOLDER = Path(__file__).with_name("pictures")
GREYS = 64
MOST_CHANGED = 0.05  # of 255, the mean of all points; the same page has 0.02
PAGES = {
    "thai": (replace(FULL, logo=logo(900, 300)), "th"),
    "english_draft": (replace(FULL, lines=[PANE, WORK] * 4, is_draft=True), "en"),
}


def taken(quote, language):
    """The first page as a grey picture of 595 by 842 points."""
    document = pypdfium2.PdfDocument(pdf_of(quote, language))
    picture = document[0].render(scale=1, grayscale=True).to_pil().convert("L")
    document.close()
    return picture


def change_of(picture, name):
    """How much a picture differs from the stored one, as the mean of all points."""
    with Image.open(FOLDER / f"quote_{name}.png") as known:
        difference = ImageChops.difference(picture, known.convert("L"))
    # few greys are stored: less than a step of them is none
    seen = difference.point(lambda value: value if value > 255 / GREYS else 0)
    return ImageStat.Stat(seen).mean[0]


@pytest.mark.parametrize("name", PAGES)
def test_page_looks_as_it_did(name):
    picture = taken(*PAGES[name])
    if RECORDS in os.environ:
        FOLDER.mkdir(exist_ok=True)
        few = picture.quantize(GREYS, dither=Image.Dither.NONE)
        few.save(FOLDER / f"quote_{name}.png", optimize=True)
    assert change_of(picture, name) <= MOST_CHANGED


@pytest.mark.parametrize(
    "change",
    [{"project": ""}, {"gross": FULL.gross + 1}, {"lines": FULL.lines[:1]}],
    ids=["project", "gross", "lines"],
)
def test_comparison_notices_a_change(change):
    quote, language = PAGES["thai"]
    changed = taken(replace(quote, **change), language)
    assert change_of(changed, "thai") > MOST_CHANGED
