"""CSV that spreadsheets open as it is meant (RFC 4180, in UTF-8 with a byte order mark).

A spreadsheet runs a text that begins as a formula does, also one that somebody has typed
as the name of a customer. So such a text has an apostrophe before it, which reading takes
off again. A text that has an apostrophe itself gets a second one, so that every text is
read as it was written.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator

from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.services.tables.cells import Cell, Row, as_text, from_text
from glassflow.services.tables.limits import Limits, Unreadable

MEDIA_TYPE = "text/csv"
BYTE_ORDER_MARK = "\ufeff"
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")
APOSTROPHE = "'"
ENCODED = (*DANGEROUS, APOSTROPHE)
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
THAI = "cp874"  # of Windows; the others are parts of it
THAI_CHARSETS = ("windows-874", "cp874", "tis-620", "iso-8859-11")
_TEXT_AS_FORMULA = re.compile('="((?:[^"]|"")*)"')
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)


def header(names: Iterable[str]) -> bytes:
    """Return the beginning of a file: the byte order mark and the row of names."""
    return (BYTE_ORDER_MARK + _lines([list(names)])).encode()


def encode(rows: Iterable[Row]) -> bytes:
    """Return rows as the next part of a file."""
    return _lines(rows).encode()


def _lines(rows: Iterable[Row]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for row in yielding(rows):
        writer.writerow([_protected(cell) for cell in row])
    return buffer.getvalue()


def _protected(cell: Cell) -> str:
    text = as_text(cell)
    if isinstance(cell, str) and text.startswith(ENCODED):
        return APOSTROPHE + text
    return text


def unprotected(text: str) -> str:
    """Return the text of a cell; `="0812"` is how other programs keep the 0 of a text."""
    if formula := _TEXT_AS_FORMULA.fullmatch(text):
        return formula[1].replace('""', '"')
    is_protected = text.startswith(APOSTROPHE) and text[1:].startswith(ENCODED)
    return text[1:] if is_protected else text


def read_back(cell: Cell) -> Cell:
    """Return what reading gives for a cell that was written; None for a blank one."""
    return from_text(as_text(cell))


def decode(content: bytes, limits: Limits, charset: str = "") -> Iterator[Row]:
    """Yield the rows of a file up to the last one that is not blank, blank cells as None.

    Commas, semicolons or tabs divide the cells: whichever the first line has most of, or
    the one that a line `sep=;` before it names. Such a line is no row, as spreadsheets do
    not show it. Raises `Unreadable`, and `Invalid` for more rows or columns than the limits.
    """
    text = _text(content, charset)
    if named := _SEPARATOR_LINE.match(text):
        text, delimiter = text[named.end() :], named[1]
    else:
        first, _, _ = text.lstrip("\r\n").partition("\n")
        delimiter = max(",;\t", key=first.count)
    # as long as the file may be: a cell can hold a list
    csv.field_size_limit(max(limits.bytes, csv.field_size_limit()))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    count = 0
    try:
        for number, cells in enumerate(yielding(reader)):
            row: Row = [from_text(unprotected(cell)) for cell in cells]
            while row and row[-1] is None:
                row.pop()
            if not row:
                continue  # spreadsheets write many of them after the last row
            limits.check(rows=number, columns=len(row))
            for _ in range(count, number):
                yield []
            count = number + 1
            yield row
    except csv.Error as error:
        raise Unreadable(texts.TABLE_BROKEN.format(reason=error)) from None


def _text(content: bytes, charset: str) -> str:
    """Decode a file; a byte order mark tells more than the charset that is named.

    Raises `Unreadable` for UTF-16 without the mark too, whose bytes are valid UTF-8.
    """
    encoding = THAI if charset.lower() in THAI_CHARSETS else "utf-8-sig"
    for mark, of_mark in MARKS.items():
        if content.startswith(mark):
            encoding = of_mark
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable(texts.TABLE_NOT_UTF8) from None
    if "\0" in text[:2]:
        raise Unreadable(texts.TABLE_NOT_UTF8)
    return text
