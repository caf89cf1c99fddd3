"""Exports: the rows of a list as CSV or XLSX, in parts, so that no list is in memory.

The parts are read while others are served, each with a time limit of its own. A row that
is added, changed or deleted meanwhile may be in the file or not.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING
from zoneinfo import ZoneInfo

import pymongo

from glassflow.core.process import deadlines, native_threads
from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, Bilingual
from glassflow.domain.errors import Invalid
from glassflow.models.base import Record
from glassflow.services import lists
from glassflow.services.lists import ListQuery
from glassflow.services.records.serialization import to_wire
from glassflow.services.tables import csv_format
from glassflow.services.tables.cells import Row
from glassflow.services.tables.columns import Column, cells_of
from glassflow.services.tables.natural_keys import NaturalKeys
from glassflow.services.tables.xlsx_cells import MAX_ROWS

if TYPE_CHECKING:
    from glassflow.services.tables.xlsx_writer import XLSXWriter

PART_ROWS = 200


class Table(ABC):
    """Rows that are written as a file; a table has a limit of them, and a head."""

    max_rows: int

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """The names of the columns."""

    @abstractmethod
    def parts(self) -> Iterator[list[Row]]:
        """Yield the rows in parts; raises `Invalid` if there are too many."""

    def to_csv(self) -> Generator[bytes, None, None]:
        """Yield the parts of a CSV file.

        Before the first one it raises what `parts` raises before its first part.
        """
        parts = self.parts()
        first = next(parts, [])
        yield csv_format.header(self.names)
        yield csv_format.encode(first)
        for rows in parts:
            yield csv_format.encode(rows)

    def to_xlsx(self, file: IO[bytes]) -> None:
        """Write an XLSX file; its rows in turns with others, its end on a native thread.

        Raises as `parts` does, and `Invalid` for a value that no cell can hold.
        """
        writer = native_threads.run(_open_xlsx, file, self.names)
        try:
            for rows in self.parts():
                for row in yielding(rows):
                    self._write(writer, row)
        finally:
            # compresses, which releases the interpreter; removes temporary files too
            native_threads.run(writer.close)

    def write(self, file: IO[bytes], format: str) -> None:
        """Write a file, as `csv` or `xlsx`; raises as `to_xlsx` does."""
        if format == "xlsx":
            self.to_xlsx(file)
            return
        for part in self.to_csv():
            file.write(part)

    def too_long(self) -> Invalid:
        """Return the refusal of more rows than the limit."""
        message = texts.EXPORT_TOO_LONG.format(rows=self.most)
        return Invalid([{"field": "limit", "message": message}])

    @property
    def most(self) -> int:
        """How many rows the file has at most."""
        return min(self.max_rows, MAX_ROWS)

    def _write(self, writer: "XLSXWriter", row: Row) -> None:
        too_long = writer.write(row)
        if too_long is not None:
            message = texts.EXPORT_CELL_TOO_LONG
            raise Invalid([{"field": self.names[too_long], "message": message}])


@dataclass(frozen=True, slots=True)
class Export(Table):
    """What is exported: a list, its columns, at most so many rows; times in a zone.

    The columns have their titles in a language, where these are in both.
    """

    model: type[Record]
    query: ListQuery
    columns: Sequence[Column]
    zone: ZoneInfo
    max_rows: int
    language: str = ENGLISH

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        names = (column.name for column in self.columns)
        return [
            one.in_language(self.language) if isinstance(one, Bilingual) else one
            for one in names
        ]

    def parts(self) -> Iterator[list[Row]]:
        """Yield the rows in parts; raises `Invalid` if there are too many.

        Raises what `lists.stream` raises.
        """
        with part_limit():
            count = lists.total(self.model, self.query) or 0
        keys, found = NaturalKeys(), 0
        stored = lists.stream(self.model, self.query, PART_ROWS)
        while count <= self.most:
            with part_limit():
                part = next(stored, None)
                if part is None:
                    return
                rows = [to_wire(self.model, raw) for raw in yielding(part)]
                cells = cells_of(rows, self.columns, keys, self.zone)
                shown = list(yielding(cells))
            found += len(shown)
            count = max(count, found)
            if count <= self.most:
                yield shown
        raise self.too_long()


def part_limit() -> AbstractContextManager[None]:
    """Limit the time in which a part is read."""
    return pymongo.timeout(deadlines.EXPORT_PART_TIMEOUT_S)


def _open_xlsx(file: IO[bytes], names: Sequence[str]) -> "XLSXWriter":
    # imported here, on the thread: the library is loaded with the first export
    from glassflow.services.tables.xlsx_writer import XLSXWriter

    return XLSXWriter(file, names)
