"""The stations and materials that the rows of a quote name.

A quote is sent only if a request can be made of it that day. What is deleted between that
day and the acceptance is left out of the panes and named: the customer can do nothing
about it.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault, Invalid, Refusal
from glassflow.domain.quotes import LeftOut
from glassflow.models import BY_NAME
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.services.panes import factory
from glassflow.services.records import references
from glassflow.services.records.references import Reference

# What is no value of a pane.
OF_ROW = frozenset({"quantity", "unitPrice"})


def names(quote: Quote) -> list[Raw]:
    """Return the names of the records that the rows of a quote name, which it keeps."""
    wanted: dict[str, set[ObjectId]] = {}
    for reference in _of_rows(quote.panes):
        wanted.setdefault(reference.model, set()).update(reference.ids)
    return [
        {"_id": row["_id"], "name": row.get("name") or ""}
        for kind, ids in wanted.items()
        for row in BY_NAME[kind].collection().find({"_id": {"$in": [*ids]}}, ["name"])
    ]


def require_buildable(rows: Sequence[Raw]) -> None:
    """Raise `Invalid` with a fault for each row of which no pane can be made today."""
    missing = {one for _, one in references.find_missing(_of_rows(rows))}
    laminating = factory.lamination_stations_of(rows)
    faults = [
        fault
        for index, row in enumerate(rows)
        for fault in _faults(row, f"panes.{index}.", missing, laminating)
    ]
    if faults:
        raise Invalid(faults)


def _faults(
    row: Raw, path: str, missing: Set[ObjectId], laminating: frozenset[str]
) -> Iterator[FieldFault]:
    unknown = [
        one
        for one in references.references_in(Pane, row)
        if not missing.isdisjoint(one.ids)
    ]
    for one in unknown:
        yield {"field": f"{path}{one.field}", "message": references.not_found(one)}
    if not unknown and (fault := _fault_of_route(row, laminating)):
        yield {"field": f"{path}routing", "message": fault}


def _fault_of_route(values: Raw, laminating: frozenset[str]) -> Bilingual | None:
    """Return why no pane can be built of the values: its route does not fit it."""
    plain = {name: value for name, value in values.items() if name not in OF_ROW}
    try:
        factory.build(plain, "", laminating, in_request=True)
    except Refusal as refusal:
        return refusal.message
    return None


def without_deleted(quote: Quote, inputs: Sequence[Raw]) -> tuple[list[Raw], list[Raw]]:
    """Return the values of panes without what was deleted since the quote was sent.

    Besides, what was left out, as `Request.left_out` has it. A route that lost all its
    stations, or that of the lamination which the pane needs, is left out as a whole:
    the order gives the pane another one.
    """
    missing = references.find_missing(_of_rows(inputs))
    known = {one["_id"]: one["name"] for one in (quote.parties or {}).get("named", ())}
    left_out: list[Raw] = [
        {"kind": str(LeftOut.of(kind)), "name": known.get(one, "")}
        for kind, one in missing
    ]
    gone = [one for _, one in missing]
    kept: list[Raw] = [_without(one, gone) if gone else one for one in inputs]
    laminating = factory.lamination_stations_of(kept)
    for index, values in enumerate(kept):
        if _fault_of_route(values, laminating):
            kept[index] = {
                name: value
                for name, value in values.items()
                if name not in ("routing", "currentStation")
            }
            glass = values.get("glassTypeLabel") or values.get("glassType") or ""
            entry = {"kind": str(LeftOut.ROUTE), "name": glass}
            if entry not in left_out:
                left_out.append(entry)
    return kept, left_out


def _without(values: Raw, gone: Collection[Any]) -> Raw:
    kept: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, list) and value:
            rest = [one for one in value if one not in gone]
            if rest:  # an empty route would say that there is no work
                kept[name] = rest
        elif value not in gone:
            kept[name] = value
    return kept


def _of_rows(rows: Sequence[Raw]) -> Iterator[Reference]:
    for row in rows:
        yield from references.references_in(Pane, row)
