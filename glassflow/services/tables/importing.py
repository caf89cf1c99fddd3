"""Imports: the rows of a table create and change records, all or none.

Rows go through the same schemas and use cases as single requests, in one unit of work. A
trial does the same and is rolled back.
"""

import time
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pymongo

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process.errors import RolledBack
from glassflow.core.store import counters
from glassflow.core.store.unit_of_work import retrying_for, unit_of_work
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual, Language
from glassflow.domain.errors import Invalid
from glassflow.models.base import Record
from glassflow.services.tables.cells import Row
from glassflow.services.tables.change import Result
from glassflow.services.tables.changes import Comparison, Format
from glassflow.services.tables.columns import Column, columns_of, written
from glassflow.services.tables.matching import match
from glassflow.services.tables.row_writer import BeginAgain, Refused, RowWriter, Target
from glassflow.services.tables.table import heading, read_table


@dataclass(frozen=True, slots=True)
class _Import:
    """The rows of a file, or of a sheet with a name, and who makes what of them."""

    target: Target
    rows: Sequence[Row]
    format: Format
    actor: Identity
    sheet: str


class ImportRefused(Invalid):
    """Some rows are faulty, so nothing was imported; `result` has all rows."""

    def __init__(self, result: Result) -> None:
        faults = [one.as_dict() for one in result.faults]
        super().__init__(faults, texts.IMPORT_REFUSED.format(count=len(faults)))
        self.result = result


class _TriedOut(RolledBack):
    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


def run(
    *,
    target: Target,
    rows: Iterable[Row],
    format: Format,
    actor: Identity,
    sheet: str = "",
) -> Result:
    """Import rows; raises `ImportRefused` if some are faulty, and nothing is stored.

    It has the faults that were found until a row was refused after it had written
    something; `try_out` finds those behind such a row too.
    """
    return _run(_Import(target, list(rows), format, actor, sheet))


def try_out(
    *,
    target: Target,
    rows: Iterable[Row],
    format: Format,
    actor: Identity,
    seconds: float,
    sheet: str = "",
) -> Result:
    """Return what `run` would do, with the faults; nothing is stored.

    In a transaction of its own, also inside another unit of work. `seconds` limit all its
    calls to the store; the limits of the caller do not hold.
    """
    wanted = _Import(target, list(rows), format, actor, sheet)
    return runtime.run_detached(_try_out, wanted, seconds)


@unit_of_work
def _run(wanted: _Import) -> Result:
    result = _apply(wanted, {}, may_begin_again=False)
    if result.faults:
        raise ImportRefused(result)
    return result


def _try_out(wanted: _Import, seconds: float) -> Result:
    # an attempt that begins after half of the time has the rest to end
    last_begin = time.monotonic() + seconds / 2
    refused: Refused = {}
    with (
        pymongo.timeout(seconds),
        retrying_for(seconds),
        counters.provisional(),
    ):
        while True:
            again = time.monotonic() < last_begin
            try:
                _apply_and_roll_back(wanted, refused, may_begin_again=again)
            except BeginAgain as needed:
                refused = needed.refused
            except _TriedOut as tried_out:
                return tried_out.result


@unit_of_work
def _apply_and_roll_back(
    wanted: _Import, refused: Refused, *, may_begin_again: bool
) -> None:
    raise _TriedOut(_apply(wanted, refused, may_begin_again=may_begin_again))


def _apply(wanted: _Import, refused: Refused, *, may_begin_again: bool) -> Result:
    target, actor = wanted.target, wanted.actor
    columns = columns_of(target.model, actor.may)
    names = [*(column.name for column in columns), *target.kinds]
    known = dict.fromkeys(
        [*names, *(target.parts.known(actor.may) if target.parts else ())]
    )
    table = read_table(wanted.rows, known, _headings(target.titles, columns, known))
    taken = [
        *_number_of(target.model),
        *written(columns, target.kinds),
        *(target.parts.taken(actor.may) if target.parts else ()),
    ]
    result = Result(
        table,
        list(known),
        faults=list(table.faults),
        sheet=wanted.sheet,
        taken=taken,
    )
    if not result.faults:
        comparison = Comparison(
            target.model, columns, target.kinds, wanted.format, target.new_only
        )
        _compare(wanted, comparison, result)
        writer = RowWriter(target, actor, result, refused)
        writer.write(may_begin_again=may_begin_again)
    result.faults.sort(key=lambda fault: fault.row)
    return result


def _number_of(model: type[Record]) -> list[str]:
    """Return the column of the number by which a row names its record, if it has one."""
    numbered = getattr(model, "numbered", None)
    return [model._fields[numbered[0]].db_field] if numbered else []


def _headings(
    titles: Mapping[str, Bilingual], columns: Iterable[Column], known: Container[str]
) -> dict[str, str]:
    """Return the columns that titles name; that of a reference has its natural key.

    A title that names several columns names none.
    """
    keys = {".".join(one.path): one.name for one in columns if one.target}
    named: dict[str, set[str]] = defaultdict(set)
    for field, title in titles.items():
        if (name := keys.get(field, field)) in known:
            for language in Language:
                named[heading(title.in_language(language))].add(name)
    return {title: names.pop() for title, names in named.items() if len(names) == 1}


def _compare(wanted: _Import, comparison: Comparison, result: Result) -> None:
    """Divide the rows into those that create, change and change nothing."""
    lines, parts = result.table.lines, wanted.target.parts
    divided = parts.divide(lines) if parts else (lines, {})
    matches = match(wanted.target.model, divided[0], result.faults)
    changes = comparison.changes(matches, result.faults)
    if parts:
        may, format = wanted.actor.may, wanted.format
        parts.add(changes, divided[1], may, format, result.faults)
    for change in changes:
        if change.record_id is None:
            result.created.append(change)
        else:
            (result.updated if change.cells else result.unchanged).append(change)
