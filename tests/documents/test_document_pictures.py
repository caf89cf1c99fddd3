"""Documents, compared with pictures that somebody has looked at.

After a change of the layout, GLASSFLOW_RECORD_PICTURES=1 takes them again: look at them.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from documents import test_delivery_note_pdf as notes
from documents import test_quote_pdf as quotes
from documents.laid_out import first_page, logo
from glassflow.documents.delivery_note_pages import delivery_note_pdf
from glassflow.documents.quote_pages import quote_pdf

RECORDS = "GLASSFLOW_RECORD_PICTURES"
FOLDER = Path(__file__).with_name("pictures")
GREYS = 64
MOST_CHANGED = 0.05  # of 255, the mean of all points; the same page has 0.02
QUOTE = replace(quotes.FULL, logo=logo(900, 300))
DRAFT = replace(
    quotes.FULL, lines=[quotes.PANE, quotes.WORK] * 4, is_draft=True, language="en"
)
NOTE = replace(notes.DELIVERED, logo=logo(900, 300))
PAGES = {
    "quote_thai": (quote_pdf, QUOTE),
    "quote_english_draft": (quote_pdf, DRAFT),
    "delivery_note_thai": (delivery_note_pdf, NOTE),
}


def taken(make, document):
    """The first page as a grey picture."""
    return first_page(make(document), grayscale=True).convert("L")


def change_of(picture, name):
    """How much a picture differs from the stored one, as the mean of all points."""
    with Image.open(FOLDER / f"{name}.png") as known:
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
        few.save(FOLDER / f"{name}.png", optimize=True)
    assert change_of(picture, name) <= MOST_CHANGED


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("quote_thai", {"project": ""}),
        ("quote_thai", {"gross": QUOTE.gross + 1}),
        ("quote_thai", {"lines": QUOTE.lines[:1]}),
        ("delivery_note_thai", {"signature": None}),
    ],
    ids=lambda value: value if isinstance(value, str) else "".join(value),
)
def test_comparison_notices_a_change(name, change):
    make, document = PAGES[name]
    changed = taken(make, replace(document, **change))
    assert change_of(changed, name) > MOST_CHANGED
