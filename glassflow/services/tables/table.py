"""A table that was read from a file: its columns, and its rows by the names of these."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault
from glassflow.domain.unicode_text import is_blank, normalize
from glassflow.services.tables.cells import Cell, Row, SheetError, UncomputedFormula

HEADER_ROW = 1  # as spreadsheets count


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
    """The columns that a file has, its rows that are not empty, and its faults."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]


def read_table(rows: Iterable[Row], known: Iterable[str]) -> Table:
    """Divide the rows of a file into header and data; `known` are the possible columns."""
    found = list(rows)
    header = (
        [normalize(str(cell)) if cell is not None else "" for cell in found[0]]
        if found
        else []
    )
    lines, faults = [], list(_header_faults(header, set(known)))
    for number, cells in enumerate(found[1:], start=HEADER_ROW + 1):
        row = [None if _is_blank(cell) else cell for cell in cells]
        if all(cell is None for cell in row):
            continue
        if any(cell is not None for cell in row[len(header) :]):
            faults.append(Fault(number, "", texts.CELL_WITHOUT_COLUMN))
        for name, cell in zip(header, row, strict=False):
            message = _cell_fault(cell)
            if message is not None:
                faults.append(Fault(number, name, message))
        padded = [*row, *[None] * len(header)][: len(header)]
        lines.append(Line(number, dict(zip(header, padded, strict=True)), padded))
    return Table(tuple(header), tuple(lines), tuple(faults))


def _is_blank(cell: Cell) -> bool:
    """Return whether a cell looks empty, which nobody can tell from an empty one."""
    return isinstance(cell, str) and is_blank(cell)


def _cell_fault(cell: Cell) -> Bilingual | None:
    """Return what is wrong with a cell that has no value, but is not empty."""
    if isinstance(cell, SheetError):
        return texts.CELL_SHOWS_ERROR.format(error=cell)
    if isinstance(cell, UncomputedFormula):
        return texts.CELL_NOT_COMPUTED.format(formula=cell)
    return None


def _header_faults(header: list[str], known: set[str]) -> Iterator[Fault]:
    if not header:
        yield Fault(HEADER_ROW, "", texts.TABLE_EMPTY)
    for index, name in enumerate(header):
        if name not in known:
            message = texts.COLUMN_UNKNOWN.format(name=name)
            yield Fault(HEADER_ROW, name, message)
        elif name in header[:index]:
            yield Fault(HEADER_ROW, name, texts.COLUMN_TWICE.format(name=name))
