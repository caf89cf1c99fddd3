"""What the rows of an import change: compared cell by cell with an export of the record.

A cell that is as an export would write it now is no change, whatever a file cannot hold
exactly. So a file that comes back as it was exported changes nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from bson import ObjectId

from glassflow.core.process import json
from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.unicode_text import normalize
from glassflow.models.base import Record
from glassflow.services.records.serialization import to_wire
from glassflow.services.tables import rewriting
from glassflow.services.tables.cells import Cell, as_text
from glassflow.services.tables.change import Change
from glassflow.services.tables.columns import Column, cells_of
from glassflow.services.tables.matching import Match
from glassflow.services.tables.natural_keys import NaturalKeys, as_key, find_ids
from glassflow.services.tables.table import Fault
from glassflow.services.tables.values import CellKind, at, of_kind, parse, put


@dataclass(frozen=True, slots=True)
class Format:
    """How cells come back from a file of this format, and in which zone its times are.

    `is_typed` tells that the format has texts apart from numbers, as XLSX has.
    """

    read_back: Callable[[Cell], Cell]
    zone: ZoneInfo
    is_typed: bool


class Comparison:
    """Compares the rows of one import with what is stored.

    `kinds` are the fields that clients write, `new_only` those of them that a record keeps
    from its creation.
    """

    def __init__(
        self,
        model: type[Record],
        columns: Sequence[Column],
        kinds: Mapping[str, CellKind],
        format: Format,
        new_only: Collection[str] = (),
    ) -> None:
        self._model, self._kinds, self._format = model, kinds, format
        self._new_only = new_only
        self._columns = {column.name: column for column in columns}
        self._ids: dict[str, Mapping[str, list[ObjectId]]] = {}

    def changes(self, matches: Sequence[Match], faults: list[Fault]) -> list[Change]:
        """Return what each row changes; a row with a fault is left out."""
        stored = self._stored_cells([one.stored for one in matches if one.stored])
        changed = [(one, self._differing(one, stored)) for one in yielding(matches)]
        self._look_up([(one.line.cells, names) for one, names in changed])
        found = []
        for one, names in yielding(changed):
            before = len(faults)
            change = self._change(one, names, stored, faults)
            if len(faults) == before:
                found.append(change)
        return found

    def _stored_cells(
        self, rows: Sequence[Mapping[str, Any]]
    ) -> dict[ObjectId, dict[str, Cell]]:
        shown = [to_wire(self._model, raw) for raw in yielding(rows)]
        columns = list(self._columns.values())
        cells = cells_of(shown, columns, NaturalKeys(), self._format.zone)
        return {
            row["_id"]: dict(zip(self._columns, found, strict=True))
            for row, found in yielding(zip(shown, cells, strict=True))
        }

    def _differing(
        self, one: Match, stored: Mapping[ObjectId, Mapping[str, Cell]]
    ) -> list[str]:
        """Return the columns in which a row is not as its record; for a new one, all."""
        cells = one.line.cells
        if one.stored is None:
            return [name for name, cell in cells.items() if cell is not None]
        now = stored[one.stored["_id"]]
        return [
            name
            for name, cell in cells.items()
            if not self._is_same(name, cell, now.get(name))
            and not self._is_left(name, cells)
        ]

    def _is_same(self, name: str, cell: Cell, now: Cell) -> bool:
        """Return whether a cell is what an export writes now, or a spreadsheet makes of it."""
        return (
            _is_equal(cell, self._format.read_back(now))
            or rewriting.is_same(cell, now, self._format.zone)
            or (name not in self._kinds and rewriting.is_local_form(cell, now))
        )

    def _is_left(self, name: str, cells: Mapping[str, Cell]) -> bool:
        """Return whether a cell says nothing: an empty one, instead of unsetting its field.

        So in a column that the service sets, and beside a reference that is given in the
        other one of its two columns.
        """
        column = self._columns.get(name)
        if column is not None and column.path[0] in self._model.shown_as:
            return name not in self._kinds  # links, which are other ones at each time
        if cells[name] is not None:
            return False
        if column is None or (column.target is None and name not in self._kinds):
            return True
        beside = (
            other.name
            for other in self._columns.values()
            if other.path == column.path and other.name != name
        )
        return any(cells.get(other) is not None for other in beside)

    def _look_up(
        self, changed: Sequence[tuple[Mapping[str, Cell], Sequence[str]]]
    ) -> None:
        """Find the records whose natural keys changed cells have."""
        wanted: dict[str, set[str]] = defaultdict(set)
        for cells, names in changed:
            for name in names:
                if self._is_key(name):
                    wanted[name].update(self._keys_in(name, cells[name]))
        for name, keys in wanted.items():
            self._ids[name] = find_ids(self._target_of(name), keys)

    def _target_of(self, name: str) -> type[Record]:
        target = self._columns[name].target
        assert target is not None
        return target

    def _keys_in(self, name: str, cell: Cell) -> list[str]:
        """Return the natural keys in a cell, of which a list has several."""
        text = as_text(cell)
        is_list = self._kind_of(name) is CellKind.LIST
        listed = parse(CellKind.LIST, text, ZoneInfo("UTC")) if is_list else None
        keys = listed if isinstance(listed, list) else [text]
        target = self._target_of(name)
        return [key for key in (as_key(target, str(one)) for one in keys) if key]

    def _is_key(self, name: str) -> bool:
        column = self._columns.get(name)
        return column is not None and column.target is not None

    def _kind_of(self, name: str) -> CellKind | None:
        """Return the kind of the reference whose natural key a column shows."""
        return self._kinds.get(".".join(self._columns[name].path))

    def _change(
        self,
        one: Match,
        names: Sequence[str],
        stored: Mapping[ObjectId, Mapping[str, Cell]],
        faults: list[Fault],
    ) -> Change:
        raw, row = one.stored, one.line.number
        change = Change(row, raw["_id"] if raw else None)
        now = stored[raw["_id"]] if raw else {}
        wire = json.loads(json.encode(to_wire(self._model, raw))) if raw else {}
        for name in sorted(names, key=self._is_key):  # after the ids beside them
            cell = one.line.cells[name]
            try:
                put_it = self._put(change.body, name, cell, names, wire, is_new=not raw)
            except _Refused as refused:
                faults.append(Fault(row, name, refused.message))
                continue
            if put_it:
                given = of_kind(self._kinds.get(name, CellKind.TEXT), cell)
                change.cells[name] = (as_text(now.get(name)), as_text(given))
        return change

    def _put(
        self,
        body: dict[str, Any],
        name: str,
        cell: Cell,
        names: Sequence[str],
        wire: Mapping[str, Any],
        *,
        is_new: bool,
    ) -> bool:
        """Put a changed cell into a body; return whether it changes anything."""
        if self._is_key(name):
            reference = ".".join(self._columns[name].path)
            if not self._may_write(reference, is_new):
                return self._refuse_unless_new(name, is_new)
            ids = self._ids_of(name, cell)
            if reference in names and at(body, reference) != ids:
                raise _Refused(texts.REFERENCE_CONTRADICTS.format(field=reference))
            put(body, reference, ids)
            return True
        if not self._may_write(name, is_new):
            return self._refuse_unless_new(name, is_new)
        kind, stored = self._kinds[name], at(wire, name)
        value = parse(kind, cell, self._format.zone)
        if not is_new and _means(value) == _means(stored):
            return False
        is_text = kind is CellKind.TEXT and isinstance(stored, str)
        is_typed = self._format.is_typed
        if is_text and rewriting.is_rewritten(stored, cell, is_typed=is_typed):
            message = texts.TEXT_REWRITTEN.format(was=stored, now=as_text(cell))
            raise _Refused(message)
        put(body, name, value)
        return True

    def _may_write(self, name: str, is_new: bool) -> bool:
        return name in self._kinds and (is_new or name not in self._new_only)

    def _refuse_unless_new(self, name: str, is_new: bool) -> bool:
        if is_new:
            return False
        stale = name in ("version", "updatedAt")
        raise _Refused(texts.ROW_STALE if stale else texts.COLUMN_OF_SERVICE)

    def _ids_of(self, name: str, cell: Cell) -> Any:
        found = []
        for key in self._keys_in(name, cell):
            ids = self._ids[name].get(key, ())
            if not ids:
                label = self._target_of(name).label
                raise _Refused(texts.NAME_NOT_FOUND.format(label=label, key=key))
            if len(ids) > 1:
                raise _Refused(texts.KEY_NOT_UNIQUE.format(key=key))
            found.append(str(ids[0]))
        if self._kind_of(name) is CellKind.LIST:
            return found
        return found[0] if found else None


class _Refused(Exception):
    def __init__(self, message: Bilingual) -> None:
        super().__init__(message)
        self.message = message


def _is_equal(cell: Cell, other: Cell) -> bool:
    return cell == other and isinstance(cell, bool) == isinstance(other, bool)


def _means(value: Any) -> Any:
    """Return a value so that what a record stores alike is equal; all unset is None."""
    if isinstance(value, str):
        value = normalize(value)
    return None if value in ("", [], {}) else (isinstance(value, bool), value)
