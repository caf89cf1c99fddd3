"""A table that was read from a file: its columns, and its rows by the names of these."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault
from glassflow.domain.unicode_text import normalize, search_form
from glassflow.services.tables.cells import (
    Cell,
    Row,
    SheetError,
    UncomputedFormula,
    as_text,
)

HEADER_ROWS = 10  # among which the header is looked for


@dataclass(frozen=True, slots=True)
class Line:
    """A row of data: its number in the spreadsheet, and its cells, also by column.

    `row` has a cell for each column, in their order.
    """

    number: int
    cells: dict[str, Cell]
    row: Row


class RowFault(FieldFault):
    """What is wrong with a field of a row, as a member of `errors`."""

    row: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row, in which field (empty: the row as a whole)."""

    row: int
    field: str
    message: Bilingual

    def as_dict(self) -> RowFault:
        """Return the fault as a member of `errors`."""
        return {"row": self.row, "field": self.field, "message": self.message}


@dataclass(frozen=True, slots=True)
class Table:
    """The columns that a file has, its rows that are not empty, and its faults.

    `header` is the number of the row that names the columns.
    """

    header: int
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]


def read_table(
    rows: Sequence[Row], known: Iterable[str], titles: Mapping[str, str] | None = None
) -> Table:
    """Divide the rows of a file into header and data; `known` are the possible columns.

    `titles` are further names of these, as `heading` returns them. Columns that are empty
    and have no name are left out.
    """
    names = _Names(known, titles or {})
    index = _header_index(rows, names)
    header = [names.of(cell) for cell in rows[index]] if rows else []
    found = [
        (number, row)
        for number, row in enumerate(rows[index + 1 :], start=index + 2)
        if row
    ]
    header += [""] * (max((len(row) for _, row in found), default=0) - len(header))
    first_rows: dict[int, int] = {}  # that have something in a column
    for number, row in found:
        for column, cell in enumerate(row):
            if cell is not None:
                first_rows.setdefault(column, number)
    kept = [
        column for column, name in enumerate(header) if name or column in first_rows
    ]
    columns = [header[column] for column in kept]
    faults = [
        Fault(index + 1, name, message)
        for name, message in _header_faults(header, names.known, first_rows)
    ]
    lines = []
    for number, row in found:
        cells = [row[column] if column < len(row) else None for column in kept]
        for name, cell in zip(columns, cells, strict=True):
            message = _cell_fault(cell)
            if message is not None:
                faults.append(Fault(number, name, message))
        lines.append(Line(number, dict(zip(columns, cells, strict=True)), cells))
    return Table(index + 1, tuple(columns), tuple(lines), tuple(faults))


def heading(text: str) -> str:
    """Return the form in which the names and titles of columns are compared."""
    return " ".join(search_form(text).split())


class _Names:
    """The columns by all their names: `known` exactly, or in any letter case."""

    def __init__(self, known: Iterable[str], titles: Mapping[str, str]) -> None:
        self.known = frozenset(known)
        self._by_heading = {heading(name): name for name in self.known}
        self._by_heading.update(titles)

    def of(self, cell: Cell) -> str:
        """Return the column that a cell of the header names, or its text if it names none."""
        text = normalize(as_text(cell))
        return text if text in self.known else self._by_heading.get(heading(text), text)


def _header_index(rows: Sequence[Row], names: _Names) -> int:
    """Return the index of the header: the first row, or one below the title of a sheet.

    That has more names of columns than any row above it, and more cells.
    """
    first = next((index for index, row in enumerate(rows) if row), 0)
    counts = [
        sum(names.of(cell) in names.known for cell in row) for row in rows[:HEADER_ROWS]
    ]
    best = counts.index(max(counts)) if any(counts) else first
    is_wider = all(_filled(row) < _filled(rows[best]) for row in rows[:best])
    return best if is_wider else first


def _filled(row: Row) -> int:
    return sum(cell is not None for cell in row)


def _cell_fault(cell: Cell) -> Bilingual | None:
    """Return what is wrong with a cell that has no value, but is not empty."""
    if isinstance(cell, SheetError):
        return texts.CELL_SHOWS_ERROR.format(error=cell)
    if isinstance(cell, UncomputedFormula):
        return texts.CELL_NOT_COMPUTED.format(formula=cell)
    return None


def _header_faults(
    header: Sequence[str], known: Collection[str], first_rows: Mapping[int, int]
) -> Iterator[tuple[str, Bilingual]]:
    """Yield the names that are no columns, or those of several, with what is wrong."""
    if not header:
        yield "", texts.TABLE_EMPTY
    for index, name in enumerate(header):
        if not name:
            if index in first_rows:
                column, row = _letters(index), first_rows[index]
                yield "", texts.COLUMN_UNNAMED.format(column=column, row=row)
        elif name not in known:
            yield name, texts.COLUMN_UNKNOWN.format(name=name)
        elif name in header[:index]:
            yield name, texts.COLUMN_TWICE.format(name=name)


def _letters(index: int) -> str:
    """Return the letters of a column, as spreadsheets name it; its index is below 702."""
    first, second = divmod(index, 26)
    return f"{chr(64 + first) if first else ''}{chr(65 + second)}"
