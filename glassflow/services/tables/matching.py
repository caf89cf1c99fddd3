"""Which stored record a row of an import is: by its id, else by its natural key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.unicode_text import normalize
from glassflow.models.base import Record
from glassflow.services.tables.cells import as_text
from glassflow.services.tables.natural_keys import (
    IDS_PER_QUERY,
    as_key,
    find_ids,
    natural_key,
)
from glassflow.services.tables.table import Fault, Line


@dataclass(frozen=True, slots=True)
class Match:
    """A row and its record in stored form; None for a row that makes a new one."""

    line: Line
    stored: Mapping[str, Any] | None


def match(
    model: type[Record], lines: Sequence[Line], faults: list[Fault]
) -> list[Match]:
    """Find the records of rows, in two queries for each hundred of them.

    Rows whose record is unknown or not certain are left out, with a fault.
    """
    ids = dict(_ids(model, lines, faults))
    stored = _read(model, [one for one in ids.values() if one is not None])
    matches, rows_of = [], dict[ObjectId, int]()
    for line in lines:
        if line.number not in ids:
            continue
        record_id = ids[line.number]
        if record_id is None:
            matches.append(Match(line, None))
        elif record_id not in stored:
            faults.append(
                Fault(line.number, "_id", texts.NOT_FOUND.format(label=model.label))
            )
        elif record_id in rows_of:
            message = texts.ROW_TWICE.format(row=rows_of[record_id])
            faults.append(Fault(line.number, "", message))
        else:
            rows_of[record_id] = line.number
            matches.append(Match(line, stored[record_id]))
    return matches


def _ids(
    model: type[Record], lines: Sequence[Line], faults: list[Fault]
) -> Iterator[tuple[int, ObjectId | None]]:
    """Yield the numbers of rows with the ids that they name; None for a new record."""
    key = natural_key(model)
    keys = {
        line.number: as_key(model, as_text(line.cells.get(key))) if key else ""
        for line in lines
    }
    wanted = [keys[line.number] for line in lines if not line.cells.get("_id")]
    found = find_ids(model, [one for one in wanted if one]) if key else {}
    new_keys = dict[str, int]()
    for line in lines:
        text, own = normalize(as_text(line.cells.get("_id"))), keys[line.number]
        if text and not ObjectId.is_valid(text):
            faults.append(Fault(line.number, "_id", texts.NOT_AN_ID))
        elif text:
            yield line.number, ObjectId(text)
        elif own and len(found.get(own, ())) > 1:
            message = texts.KEY_NOT_UNIQUE.format(key=own)
            faults.append(Fault(line.number, key or "", message))
        elif own and own in found:
            yield line.number, found[own][0]
        elif own and model.numbered:
            faults.append(
                Fault(line.number, key or "", texts.NOT_FOUND.format(label=model.label))
            )
        elif own and own in new_keys:
            message = texts.ROW_TWICE.format(row=new_keys[own])
            faults.append(Fault(line.number, key or "", message))
        else:
            new_keys[own] = line.number
            yield line.number, None


def _read(
    model: type[Record], ids: Sequence[ObjectId]
) -> dict[ObjectId, Mapping[str, Any]]:
    found: dict[ObjectId, Mapping[str, Any]] = {}
    for start in range(0, len(ids), IDS_PER_QUERY):
        part = list(ids[start : start + IDS_PER_QUERY])
        query = {"_id": {"$in": part}, **model.readable}
        rows = model.collection().find(query)
        found.update((row["_id"], row) for row in rows)
    return found
