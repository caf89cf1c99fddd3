"""Deleting: what a record takes along, and what keeps it from going."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Conflict, NotBuiltYet, Refusal
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.services import policy, records
from glassflow.services.identity import Identity

OPEN_ORDER = {"status": {"$in": ["pending", "in_progress"]}}
OPEN_PANE = {
    "currentStatus": {"$in": ["pending", "in_progress", "awaiting_scan_out", "claimed"]}
}
SCANNED = {
    "$or": [{"startedAt": {"$ne": None}}, {"currentStatus": {"$nin": ["pending"]}}]
}
UNDER_WAY = {"status": {"$in": ["in_progress", "completed"]}}


@dataclass(frozen=True, slots=True)
class Dependent:
    """Records that point at the one to go: their model, the field, and which count."""

    model: str
    name: str
    word: str
    only: Mapping[str, Any] = field(default_factory=dict)


# What keeps a record from going, by the record's model.
BLOCKERS: Mapping[str, tuple[Dependent, ...]] = {
    "Customer": (
        Dependent("Request", "customer", "request"),
        Dependent("Order", "customer", "order"),
    ),
    "Material": (
        Dependent("Inventory", "material", "lot"),
        Dependent("Order", "material", "order"),
        Dependent("Pane", "material", "pane"),
    ),
    "Worker": (
        Dependent("Request", "assignedTo", "request"),
        Dependent("Order", "assignedTo", "order"),
        Dependent("Claim", "reportedBy", "claim"),
        Dependent("Withdrawal", "withdrawnBy", "withdrawal"),
        Dependent("PaneLog", "worker", "pane log"),
        Dependent("ProductionLog", "operator", "production log"),
    ),
    "Station": (
        Dependent("Order", "stations", "open order", OPEN_ORDER),
        Dependent("Pane", "routing", "open pane", OPEN_PANE),
        Dependent("Pane", "currentStation", "pane"),
    ),
    "StationTemplate": (Dependent("Station", "templateId", "station"),),
    "Role": (Dependent("Worker", "role", "worker"),),
    "Request": (
        Dependent("Order", "request", "order", UNDER_WAY),
        Dependent("Pane", "request", "scanned pane", SCANNED),
    ),
    "Order": (
        Dependent("Pane", "order", "scanned pane", SCANNED),
        Dependent("Claim", "order", "claim"),
    ),
    "Pane": (Dependent("Claim", "pane", "claim"),),
}

# What an unscanned piece of work takes along, in this order.
COMPANIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Request": (("Pane", "request"), ("Order", "request")),
    "Order": (("Pane", "order"),),
}


@unit_of_work
def delete(*, model: type[Record], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete records, all or none, and tell how many.

    Raises `NotFound` if one is unknown, and `Conflict` with a count of what blocks it
    (`Customer has 3 orders`) if the going of one would orphan others.
    """
    going = [_family(records.get(model, record_id)) for record_id in ids]
    for record in chain(*(reversed(family) for family in going)):
        _refuse_if_blocked(record)  # the record's own reasons before its companions'
    for record in chain(*going):
        record.delete()
    return len(going)


def _refuse_if_blocked(record: Record) -> None:
    kind = type(record).__name__
    counts = {found.word: _count(found, record) for found in BLOCKERS.get(kind, ())}
    counts = {word: count for word, count in counts.items() if count}
    if not counts:
        return
    if policy.current().delete_policy == "cascade" and kind != "Role":
        raise NotBuiltYet("Deleting with all dependents is not available yet")
    listed = ", ".join(_counted(count, word) for word, count in counts.items())
    refusal = Refusal if kind == "Role" else Conflict  # roles: 400, as for system ones
    raise refusal(
        f"{record.label} has {listed}", code="IN_USE", facts={"counts": counts}
    )


def _count(found: Dependent, record: Record) -> int:
    collection = BY_NAME[found.model]._get_collection()
    return int(collection.count_documents({found.name: record.pk, **found.only}))


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _family(record: Record) -> list[Record]:
    """List a record after all that it takes along, each once (each has its event)."""
    family: dict[tuple[str, ObjectId], Record] = {}
    for companion in _companions(record):
        family.update({(one.label, one.pk): one for one in _family(companion)})
    return [*family.values(), record]


def _companions(record: Record) -> Iterator[Record]:
    for name, reference in COMPANIONS.get(type(record).__name__, ()):
        yield from BY_NAME[name].objects(__raw__={reference: record.pk})
