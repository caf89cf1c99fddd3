"""Parts of a record that a file has in rows of their own, such as the panes of a request.

Their columns have the name of the list before them (`panes.notes`). A row in which only
such cells are filled belongs to the record of the row above.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from glassflow.domain import texts
from glassflow.domain.aliases import May
from glassflow.models.base import Record
from glassflow.services.tables.cells import Cell
from glassflow.services.tables.change import Change
from glassflow.services.tables.changes import Comparison, Format
from glassflow.services.tables.columns import Column, columns_of, written
from glassflow.services.tables.matching import Match
from glassflow.services.tables.table import Fault, Line
from glassflow.services.tables.values import CellKind

LinesOf = Mapping[int, Sequence[Line]]  # the rows of parts, by the row of their record


@dataclass(frozen=True, slots=True)
class Parts:
    """The list of a new record whose members have rows: its name, and what these take.

    `model` is that of the records that they become, for the natural keys of references.
    """

    name: str
    model: type[Record]
    kinds: Mapping[str, CellKind]

    def columns(self, may: May) -> list[Column]:
        """Return the columns of the model that a part may have."""
        return [
            column
            for column in columns_of(self.model, may)
            if ".".join(column.path) in self.kinds
        ]

    def known(self, may: May) -> list[str]:
        """Return the names of the columns of parts in a file."""
        names = [*(column.name for column in self.columns(may)), *self.kinds]
        return [f"{self.name}.{name}" for name in dict.fromkeys(names)]

    def taken(self, may: May) -> list[str]:
        """Return those of `known` that fill a field, each field by one column."""
        names = written(self.columns(may), self.kinds)
        return [f"{self.name}.{name}" for name in names]

    def divide(self, lines: Sequence[Line]) -> tuple[list[Line], LinesOf]:
        """Divide rows into those of records and those of their parts."""
        prefix, found = f"{self.name}.", list[Line]()
        parts = dict[int, list[Line]]()
        for line in lines:
            cells = {
                name: cell for name, cell in line.cells.items() if cell is not None
            }
            part: dict[str, Cell] = {
                name.removeprefix(prefix): cell
                for name, cell in cells.items()
                if name.startswith(prefix)
            }
            if not found or len(part) < len(cells):
                own = {
                    name: cell
                    for name, cell in line.cells.items()
                    if not name.startswith(prefix)
                }
                found.append(replace(line, cells=own))
                parts[line.number] = []
            if part:
                parts[found[-1].number].append(replace(line, cells=part))
        return found, parts

    def add(
        self,
        changes: Sequence[Change],
        lines_of: LinesOf,
        may: May,
        format: Format,
        faults: list[Fault],
    ) -> None:
        """Add the parts to the bodies of new records; for other records they are faults."""
        lines = [line for one in changes for line in lines_of[one.row]]
        comparison = Comparison(self.model, self.columns(may), self.kinds, format)
        own_faults: list[Fault] = []
        matches = [Match(line, None) for line in lines]
        made = {one.row: one for one in comparison.changes(matches, own_faults)}
        faults += [replace(one, field=f"{self.name}.{one.field}") for one in own_faults]
        for change in changes:
            rows = [line.number for line in lines_of[change.row]]
            if rows and change.record_id is not None:
                message = texts.PARTS_OF_NEW_ONLY
                faults.append(Fault(rows[0], self.name, message))
            elif rows:
                self._add_to(change, [made[row] for row in rows if row in made])

    def _add_to(self, change: Change, parts: Sequence[Change]) -> None:
        change.parts_name, change.parts = self.name, parts
        change.body[self.name] = [one.body for one in parts]
        for one in parts:
            one.cells = {f"{self.name}.{k}": cell for k, cell in one.cells.items()}
            if one.row == change.row:
                change.cells |= one.cells
