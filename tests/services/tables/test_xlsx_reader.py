"""Workbooks are read as their user sees them: the visible sheet, the formats of numbers."""

import io

import openpyxl

from glassflow.services.tables import xlsx_reader
from glassflow.services.tables.limits import Limits

LIMITS = Limits(rows=3, bytes=10**7)


def workbook(*sheets):
    """A workbook of sheets, each with its name, its state and its rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, state, rows in sheets:
        sheet = book.create_sheet(name)
        sheet.sheet_state = state
        for row in rows:
            sheet.append(row)
    return book


def decode(book):
    file = io.BytesIO()
    book.save(file)
    return xlsx_reader.decode(file.getvalue(), LIMITS)


def test_first_visible_sheet_is_read_and_named_where_there_are_several():
    old, now = ("old", "hidden", [["x"]]), ("now", "visible", [["name"], ["Aek"]])
    gone = ("gone", "veryHidden", [["y"]])
    book = workbook(old, gone, now, ("later", "visible", [["z"]]))
    book.active = 3
    assert decode(book) == ([["name"], ["Aek"]], "now")
    assert decode(workbook(now)) == ([["name"], ["Aek"]], "")


def test_numbers_have_what_their_formats_show():
    book = workbook(("now", "visible", [["discount", "phone"], [0.05, 812345678, 5]]))
    book["now"]["A2"].number_format = "0%"
    book["now"]["B2"].number_format = "000-000-0000"
    ((_, (discount, phone, plain)), _) = decode(book)
    assert (discount.number, str(phone), plain) == (5, "081-234-5678", 5)


def test_rows_and_cells_of_blanks_are_empty():
    blanks = [["name"], ["Aek", " "], *[[" ", "\u00a0"]] * 5]
    assert decode(workbook(("now", "visible", blanks))) == ([["name"], ["Aek"]], "")
