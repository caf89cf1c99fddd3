"""CSV that spreadsheets open as it is meant (RFC 4180, in UTF-8 with a byte order mark).

A spreadsheet runs a text that begins as a formula does, also one that somebody has typed
as the name of a customer. So such a text has an apostrophe before it, which reading takes
off again. A text that has an apostrophe itself gets a second one, so that every text is
read as it was written.
"""

import csv
import io
from collections.abc import Iterable, Iterator

from glassflow.core.yielding import yielding
from glassflow.domain import texts
from glassflow.services.tables.cells import Cell, Row, as_text
from glassflow.services.tables.limits import Limits, Unreadable

MEDIA_TYPE = "text/csv"
BYTE_ORDER_MARK = "\ufeff"
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")
APOSTROPHE = "'"
ENCODED = (*DANGEROUS, APOSTROPHE)


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


def _unprotected(text: str) -> str:
    is_protected = text.startswith(APOSTROPHE) and text[1:].startswith(ENCODED)
    return text[1:] if is_protected else text


def read_back(cell: Cell) -> Cell:
    """Return what reading gives for a cell that was written; None for an empty one."""
    return as_text(cell) or None


def decode(content: bytes, limits: Limits) -> Iterator[Row]:
    """Yield the rows of a file up to the last one that is not empty, empty cells as None.

    Commas, semicolons or tabs divide the cells: whichever the first line has most of.
    Raises `Unreadable`, and `Invalid` for more rows or columns than the limits.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(texts.TABLE_NOT_UTF8) from None
    first, _, _ = text.partition("\n")
    delimiter = max(",;\t", key=first.count)
    # as long as the file may be: a cell can hold a list
    csv.field_size_limit(max(limits.bytes, csv.field_size_limit()))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    count = 0
    try:
        for number, cells in enumerate(yielding(reader)):
            if not any(cells):
                continue  # spreadsheets write many of them after the last row
            limits.check(rows=number, columns=len(cells))
            for _ in range(count, number):
                yield []
            count = number + 1
            yield [_unprotected(cell) or None for cell in cells]
    except csv.Error as error:
        raise Unreadable(texts.TABLE_BROKEN.format(reason=error)) from None
