"""Write XLSX row by row into a file.

XlsxWriter keeps one row in memory. Texts are written as texts: nothing in them becomes a
formula or a link.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import IO, Any

import xlsxwriter

from glassflow.services.tables.cells import Row
from glassflow.services.tables.xlsx_cells import MAX_TEXT, to_xlsx

OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
TIME_FORMAT = "yyyy-mm-dd hh:mm:ss"
DAY_FORMAT = "yyyy-mm-dd"
COLUMN_WIDTH = 18  # characters


class XLSXWriter:
    """A workbook with one sheet, whose first row has the names of the columns."""

    def __init__(self, file: IO[bytes], names: Sequence[str]) -> None:
        self._book = xlsxwriter.Workbook(file, OPTIONS)
        self._sheet = self._book.add_worksheet()
        self._time = self._book.add_format({"num_format": TIME_FORMAT})
        self._day = self._book.add_format({"num_format": DAY_FORMAT})
        self._sheet.freeze_panes(1, 0)
        self._sheet.set_column(0, len(names) - 1, COLUMN_WIDTH)
        bold = self._book.add_format({"bold": True})
        for column, name in enumerate(names):
            self._sheet.write_string(0, column, name, bold)
        self._next = 1

    def write(self, row: Row) -> int | None:
        """Add a row; return the index of a cell whose text is too long, if one is."""
        for column, cell in enumerate(row):
            value = to_xlsx(cell)
            if isinstance(value, str) and len(value) > MAX_TEXT:
                return column
            self._write_cell(column, value)
        self._next += 1
        return None

    def _write_cell(self, column: int, value: Any) -> None:
        sheet, row = self._sheet, self._next
        if value is None:
            return
        if isinstance(value, bool):
            sheet.write_boolean(row, column, value)
        elif isinstance(value, datetime):
            sheet.write_datetime(row, column, value, self._time)
        elif isinstance(value, date):
            sheet.write_datetime(row, column, value, self._day)
        elif isinstance(value, str):
            sheet.write_string(row, column, value)
        else:
            sheet.write_number(row, column, value)

    def close(self) -> None:
        """Complete the file."""
        self._book.close()
