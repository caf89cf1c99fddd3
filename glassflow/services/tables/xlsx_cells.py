"""Cells of XLSX: what a spreadsheet can hold exactly, and what has to be a text."""

import re
from datetime import datetime

from glassflow.services.tables.cells import Cell, as_text, from_text

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_TEXT = 32_767  # characters in a cell
MAX_ROWS = 1_048_575  # below the header
FIRST_YEAR, LAST_YEAR = 1901, 9999  # spreadsheets disagree on the dates of 1900
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def to_xlsx(cell: Cell) -> Cell:
    """Return the value that is written for a cell.

    Spreadsheets hold numbers with 15 digits, so other numbers are texts. Times have no
    offset there: they are those of the workshop's clocks.
    """
    if isinstance(cell, bool) or cell is None:
        return cell
    if isinstance(cell, (int, float)):
        return cell if float(f"{cell:.15G}") == cell else as_text(cell)
    if isinstance(cell, datetime):
        if FIRST_YEAR <= cell.year < LAST_YEAR:
            return cell.replace(tzinfo=None)
        return as_text(cell)
    return cell or None


def from_xlsx(value: object) -> Cell:
    """Return the cell that was read; whole numbers are integers, blank texts None."""
    if isinstance(value, str):
        return from_text(_unescaped(value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (bool, int, float, datetime)) or value is None:
        return value
    return str(value)  # a time of day or a duration


def _unescaped(text: str) -> str:
    """Return a text without escapes; half of a surrogate pair, which no text can hold, is
    replaced."""
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_back(cell: Cell) -> Cell:
    """Return what reading gives for a cell that was written."""
    written = to_xlsx(cell)
    if isinstance(written, datetime):
        return written.replace(microsecond=written.microsecond // 1000 * 1000)
    return from_text(written) if isinstance(written, str) else from_xlsx(written)
