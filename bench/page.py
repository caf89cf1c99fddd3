"""docs/performance.md: its tables are replaced between markers, its text stays.

The figures of a section, from which others derive limits, are kept beside its tables in a
comment: a section that is not measured again keeps both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from bench.section import Figures

FIGURES = re.compile(r"<!-- figures: (\{.*\}) -->")


class MarkerMissingError(ValueError):
    """The page does not have the two markers of a section, in their order."""


def replace_section(
    text: str, name: str, lines: Iterable[str], figures: Figures | None = None
) -> str:
    """Return a page with new lines between the markers of one section.

    Raises `MarkerMissingError`.
    """
    before, _, after = _split(text, name)
    kept = [f"<!-- figures: {json.dumps(figures)} -->", ""] if figures else []
    body = "\n".join([*kept, *lines])
    begin, end = _markers(name)
    return f"{before}{begin}\n\n{body}\n\n{end}{after}"


def section_figures(text: str, name: str) -> dict[str, float]:
    """Return the figures of a section; none if it was never measured.

    Raises `MarkerMissingError`.
    """
    found = FIGURES.search(_split(text, name)[1])
    return json.loads(found[1]) if found else {}


def require_sections(page: Path, names: Iterable[str]) -> None:
    """Raise unless the page exists and has these sections, before they are measured."""
    text = page.read_text("utf-8")
    for name in names:
        _split(text, name)


def write_section(
    page: Path, name: str, lines: Iterable[str], figures: Figures | None = None
) -> None:
    """Replace a section in the file of a page."""
    text = replace_section(page.read_text("utf-8"), name, lines, figures)
    page.write_text(text, "utf-8")


def _split(text: str, name: str) -> tuple[str, str, str]:
    """Return what is before the section, between its markers and after it."""
    begin, end = _markers(name)
    before, found, rest = text.partition(begin)
    body, closed, after = rest.partition(end)
    if not found or not closed:
        raise MarkerMissingError(name)
    return before, body, after


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
