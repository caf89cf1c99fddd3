"""docs/office.md: every section of the office in both languages, with its pictures."""

import re
from pathlib import Path

from glassflow.pages import files

ROOT = Path(__file__).resolve().parents[1]
OFFICE = ROOT / "glassflow/pages/static/js/pages/office"
PAGE = (ROOT / "docs/office.md").read_text("utf-8")
PICTURES = ROOT / "docs/images/office"
TEXTS = files.ROOT / "texts"
MOST_BYTES = 120 * 1024
THAI = re.compile(r"[\u0e00-\u0e7f]")


def sections():
    """The names of the sections, in the order of the menu."""
    rows = (OFFICE / "sections.js").read_text("utf-8")
    return re.findall(r'^ +\{ name: "([a-z-]+)"', rows, re.MULTILINE)


def title(section):
    """The heading of a section: its name in Thai and in English, as the menu has them."""
    written = [
        (TEXTS / f"office.{lang}.js").read_text("utf-8") for lang in ("th", "en")
    ]
    return " · ".join(re.findall(rf'"office\.{section}": "([^"]+)"', "".join(written)))


def paragraphs():
    """The paragraphs of each section, without its pictures, by its heading."""
    parts = re.split(r"^##+ (.+)$", PAGE, flags=re.MULTILINE)[1:]
    return {
        heading: [
            one.strip() for one in text.split("\n\n") if one.strip() and "![" not in one
        ]
        for heading, text in zip(parts[::2], parts[1::2], strict=True)
    }


def test_every_section_of_the_office_is_explained_in_both_languages_in_their_order():
    found = paragraphs()
    titles = [title(section) for section in sections()]
    assert titles
    assert [heading for heading in found if heading in titles] == titles
    for section in sections():
        thai, english = found[title(section)]
        assert thai.startswith(f"`/floor/office/{section}` "), section
        assert THAI.search(thai), section
        assert not THAI.search(english), section


def test_every_picture_is_there_small_and_shown():
    shown = re.findall(r"!\[.+\]\(images/office/(.+)\)", PAGE)
    stored = {one.name: one.stat().st_size for one in PICTURES.iterdir()}
    assert sorted(shown) == sorted(stored)
    assert {name: size for name, size in stored.items() if size > MOST_BYTES} == {}
