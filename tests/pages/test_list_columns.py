"""The lists of the office: which of their columns are shown is chosen."""

import re

from glassflow.pages import files

OFFICE = files.ROOT / "js/pages/office"
#: These draw cards in place of a table (docs/decisions/0074).
CARDS = {"exports/list.js", "notifications/list.js", "stock/list.js"}
#: A list with its properties, to the end of its tag.
LIST = re.compile(r"<\$\{(?:ListPage|RecordList)\}(.*?)(?:/>|<//>)`", re.DOTALL)


def lists():
    """The tags of lists by their file below the pages of the office."""
    found = {}
    for path in sorted(OFFICE.rglob("*.js")):
        tags = LIST.findall(path.read_text(encoding="utf-8"))
        if tags and path.name != "list_page.js":  # which passes them on
            found[path.relative_to(OFFICE).as_posix()] = tags
    return found


def test_every_list_but_those_of_cards_has_columns_to_choose():
    found = lists()
    every = {path.relative_to(OFFICE).as_posix() for path in OFFICE.rglob("list.js")}
    assert every <= found.keys()
    without = {
        name for name, tags in found.items() if any("columns=" not in t for t in tags)
    }
    assert without == CARDS


def test_lists_without_columns_draw_what_they_show():
    assert all("draw=" in tag for name in CARDS for tag in lists()[name])
