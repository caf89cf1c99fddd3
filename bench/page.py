"""docs/performance.md: its tables are replaced between markers, its text stays."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class MarkerMissingError(ValueError):
    """The page does not have the two markers of a section, in their order."""


def replace_section(text: str, name: str, lines: Iterable[str]) -> str:
    """Return a page with new lines between the markers of one section.

    Raises `MarkerMissingError`.
    """
    begin, end = f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise MarkerMissingError(name)
    body = "\n".join(lines)
    return f"{before}{begin}\n\n{body}\n\n{end}{after}"


def require_sections(page: Path, names: Iterable[str]) -> None:
    """Raise unless the page has these sections, before they are measured."""
    text = page.read_text("utf-8")
    for name in names:
        replace_section(text, name, [])


def write_section(page: Path, name: str, lines: Iterable[str]) -> None:
    """Replace a section in the file of a page."""
    text = replace_section(page.read_text("utf-8"), name, lines)
    page.write_text(text, "utf-8")
