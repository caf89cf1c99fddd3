"""What the rows of an import change."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow.domain.bilingual import Bilingual
from glassflow.services.tables.table import Fault, Table


@dataclass(slots=True)
class Change:
    """A row, what it sends as a body, and each changed cell as it was and is.

    `record_id` is None for a row that makes a new record. `parts` are the members of its
    list `parts_name`, which may have rows of their own.
    """

    row: int
    record_id: ObjectId | None
    body: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, tuple[str, str]] = field(default_factory=dict)
    parts_name: str = ""
    parts: Sequence["Change"] = ()

    def fault(self, name: str, message: Bilingual) -> Fault:
        """Return the fault of a field of the body, in the row that the field is from."""
        first, _, rest = name.partition(".")
        index, _, inner = rest.partition(".")
        if (
            first == self.parts_name
            and index.isdigit()
            and int(index) < len(self.parts)
        ):
            part = self.parts[int(index)]
            return Fault(part.row, f"{first}.{inner}".rstrip("."), message)
        return Fault(self.row, name, message)


@dataclass(slots=True)
class Result:
    """What an import did, or would do, with each row; and what is wrong with the file.

    `table` is what was read, `known` the columns that it may have, `taken` those of them
    that an import writes, references by their natural keys. `sheet` is the name of
    the sheet that was read, where the file has several.
    """

    table: Table
    known: Sequence[str]
    created: list[Change] = field(default_factory=list)
    updated: list[Change] = field(default_factory=list)
    unchanged: list[Change] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    sheet: str = ""
    taken: Sequence[str] = ()

    @property
    def faulty_rows(self) -> set[int]:
        """The numbers of the rows that have faults."""
        return {fault.row for fault in self.faults}

    @property
    def by_action(self) -> dict[str, list[Change]]:
        """The changes by what becomes of their records, faulty ones included."""
        return {
            "created": self.created,
            "updated": self.updated,
            "unchanged": self.unchanged,
        }

    def counts(self) -> dict[str, int]:
        """Return how many rows without a fault do what."""
        faulty = self.faulty_rows
        return {
            action: sum(one.row not in faulty for one in changes)
            for action, changes in self.by_action.items()
        }
