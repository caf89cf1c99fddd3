"""Read the first visible sheet of an XLSX file row by row; runs on a native thread.

A small file can claim to be a very large one. Its parts are unpacked up to a limit before
they are read, and openpyxl's parser reads one row at a time. (Readers that build the whole
sheet allocate it by the last cell's address, and two cells are enough to end the process.)
"""

import io
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from glassflow.domain import texts
from glassflow.services.tables.cells import Cell, Row, SheetError, UncomputedFormula
from glassflow.services.tables.limits import Limits, Unreadable
from glassflow.services.tables.xlsx_cells import MAX_ROWS, from_xlsx
from glassflow.services.tables.xlsx_formats import formatted

MAX_PARTS = 1000
# openpyxl makes every cell before the one that a file names, which may be far away.
EMPTY_FACTOR = 2  # of cells, most of them empty, to those that a file may have
EMPTY_ROWS = 100_000  # that a file may have besides its data; read in a second
CHUNK_BYTES = 65_536
ERROR, FORMULA, NUMBER, TEXT = "e", "f", "n", "str"  # openpyxl's types of cells
VISIBLE = "visible"
MAX_ERROR = 20  # characters; a file may claim any text to be an error
MAX_FORMULA = 60  # characters that are shown of one
BROKEN = (
    AttributeError,
    IndexError,
    KeyError,
    OSError,
    OverflowError,
    ParseError,
    SyntaxError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
)


def decode(content: bytes, limits: Limits) -> tuple[list[Row], str]:
    """Return the rows of the first visible sheet, up to its last row that is not empty.

    And the name of this sheet where the file has several. Raises `Unreadable`, and
    `Invalid` for a file beyond the limits.
    """
    try:
        checked = _unpacked(content, limits)
        book = openpyxl.load_workbook(checked, read_only=True, data_only=True)
        sheets = book.worksheets
        if not sheets:
            return [], ""
        visible = (one for one in sheets if one.sheet_state == VISIBLE)
        sheet = next(visible, sheets[0])
        name = sheet.title if len(sheets) > 1 else ""
        return list(_rows(book, sheet, limits)), name
    except BROKEN as error:
        reason = texts.TABLE_BROKEN.format(reason=type(error).__name__)
        raise Unreadable(reason) from error


def _unpacked(content: bytes, limits: Limits) -> io.BytesIO:
    """Return the same archive without compression: what it holds is what was counted."""
    plain, total = io.BytesIO(), 0
    with (
        zipfile.ZipFile(io.BytesIO(content)) as packed,
        zipfile.ZipFile(plain, "w") as copy,
    ):
        parts = packed.infolist()
        if len(parts) > MAX_PARTS:
            raise Unreadable(texts.TABLE_BROKEN.format(reason=texts.TOO_MANY_PARTS))
        for part in parts:
            if not part.filename.endswith((".xml", ".rels")):
                continue  # pictures and the like
            with packed.open(part) as source, copy.open(part.filename, "w") as target:
                while chunk := source.read(CHUNK_BYTES):
                    total += len(chunk)
                    limits.check_unpacked(total)
                    target.write(chunk)
    return plain


def _rows(book: Any, sheet: Any, limits: Limits) -> Iterator[Row]:
    count = cells = 0
    for number, values in _parsed(book, sheet, limits):
        cells += len(values)
        if number > MAX_ROWS or cells > EMPTY_FACTOR * limits.cells:
            reason = texts.TABLE_MOSTLY_EMPTY
            raise Unreadable(texts.TABLE_BROKEN.format(reason=reason))
        row = [_read(one) for one in values]
        while row and row[-1] is None:
            row.pop()
        if not row:
            continue
        limits.check(rows=number, columns=len(row))
        for _ in range(count, number):
            yield []
        count = number + 1
        yield row


class _Parser(WorkSheetParser):  # type: ignore[misc]
    """Reads the values of cells, and tells formulas without a value from empty cells."""

    def parse_cell(self, element: Any) -> dict[str, Any]:
        """Return a cell as openpyxl does; without a stored value, its formula.

        A stored text may be empty, as that of `=IF(A1="";"";1)`.
        """
        cell: dict[str, Any] = super().parse_cell(element)
        formula = element.find(FORMULA_TAG)
        if formula is not None and cell["value"] is None and cell["data_type"] != TEXT:
            cell |= {"value": f"={formula.text or ''}", "data_type": FORMULA}
        return cell


def _parsed(
    book: Any, sheet: Any, limits: Limits
) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows that a file has, by their index; not those out of their order.

    As `iter_rows` of openpyxl's sheet for reading, which takes no other parser, and makes
    the rows that are missing. Raises `Unreadable` after too many rows, whether they are
    empty or out of order, and after too long a time.
    """
    following, until = 0, time.monotonic() + limits.seconds
    with sheet._get_source() as source:
        parser = _Parser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for count, (number, cells) in enumerate(parser.parse(), 1):
            if count > limits.rows + EMPTY_ROWS or time.monotonic() > until:
                reason = texts.TABLE_MOSTLY_EMPTY
                raise Unreadable(texts.TABLE_BROKEN.format(reason=reason))
            index = number - 1
            if index >= following:
                following = index + 1
                yield index, sheet._get_row(cells)


def _read(found: Any) -> Cell:
    if found.data_type == ERROR:
        return SheetError(str(found.value or "#")[:MAX_ERROR])
    if found.data_type == FORMULA:
        return UncomputedFormula(found.value[:MAX_FORMULA])
    value = from_xlsx(found.value)
    if found.data_type == NUMBER and isinstance(value, (int, float)):
        return formatted(value, found.number_format)
    return value
