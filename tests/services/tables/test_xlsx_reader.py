"""Workbooks are read as their user sees them: the visible sheet, the formats of numbers."""

import io
import zipfile

import openpyxl
import pytest

from glassflow.services.tables import xlsx_reader
from glassflow.services.tables.limits import Limits, Unreadable

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


def decode(book, limits=LIMITS):
    return xlsx_reader.decode(stored(book), limits)


def stored(book):
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_rows(book, rows):
    """The file of a workbook, with further rows of XML in its only sheet."""
    given, file = zipfile.ZipFile(io.BytesIO(stored(book))), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as changed:
        for part in given.namelist():
            text = given.read(part)
            if part.startswith("xl/worksheets/"):
                text = text.replace(b"</sheetData>", rows.encode() + b"</sheetData>")
            changed.writestr(part, text)
    return file.getvalue()


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


@pytest.mark.parametrize("row", ["<row/>", '<row r="1"/>'])
def test_rows_without_an_end_are_refused_though_they_are_empty(monkeypatch, row):
    monkeypatch.setattr(xlsx_reader, "EMPTY_ROWS", 100)
    book = workbook(("now", "visible", [["name"], ["Aek"]]))
    few = xlsx_reader.decode(with_rows(book, row * 100), LIMITS)
    assert few == ([["name"], ["Aek"]], "")
    with pytest.raises(Unreadable, match="too many empty cells"):
        xlsx_reader.decode(with_rows(book, row * 102), LIMITS)


def test_file_that_takes_too_long_to_read_is_refused():
    book = workbook(("now", "visible", [["name"], ["Aek"]]))
    with pytest.raises(Unreadable):
        decode(book, Limits(rows=3, bytes=10**7, seconds=-1))
