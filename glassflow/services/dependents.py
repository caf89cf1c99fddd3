"""Who points at whom: what keeps a record from going, and what goes along with it.

These tables are the rules of deletion; `services.deletion` reads them.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bson import ObjectId

from glassflow.domain.pane_state import Status
from glassflow.models import BY_NAME

T = TypeVar("T")
Raw = dict[str, Any]  # a stored record

OPEN_ORDER = {"status": {"$in": ["pending", "in_progress"]}}
OPEN_PANE = {
    "$or": [
        {"currentStatus": {"$in": ["pending", "in_progress", "awaiting_scan_out"]}},
        {"currentStatus": "claimed", "heldFrom": {"$ne": None}},
    ]
}
# A claimed one may have been as new as a pending one; its claim speaks for itself.
SCANNED = {
    "$or": [
        {"startedAt": {"$ne": None}},
        {"currentStatus": {"$nin": ["pending", "claimed"]}},
    ]
}
UNDER_WAY = {"status": {"$in": ["in_progress", "completed"]}}
TAKEN = {"status": {"$in": ["pending", "approved"]}}
PENDING = {"status": "pending"}
SHEET = {"laminateRole": "sheet"}
SCANNED_SHEET = {**SHEET, **SCANNED, "currentStatus": {"$ne": "merged_into"}}


def _itself(row: Raw) -> Any:
    return row["_id"]


def _unit(row: Raw) -> Any:
    """Give the parent of a sheet that is not laminated, None for other panes."""
    waiting = row.get("laminateRole") == "sheet" and not _survivor(row)
    return row.get("parentPane") if waiting else None


def _parent(row: Raw) -> Any:
    """Give a pane that is made of sheets; single ones, which are most, have none."""
    return row["_id"] if row.get("laminateRole") == "parent" else None


def _laminated(row: Raw) -> Any:
    """Give a pane that others were merged into, as few are."""
    return row["_id"] if row.get("laminateMergedAt") else None


def _survivor(row: Raw) -> Any:
    """Give the pane that a retired one is in now."""
    merged = row.get("currentStatus") == Status.MERGED_INTO
    return row.get("mergedInto") if merged else None


@dataclass(frozen=True, slots=True)
class Dependent:
    """Records of a model that point, by the stored field `name`, at one that goes.

    `only` says which of them count, `word` what people call them. `by` tells what of
    the one to go they are found by, where it is not its id. `staying` leaves out those
    that go too.
    """

    model: str
    name: str
    word: str = ""
    only: Mapping[str, Any] = field(default_factory=dict)
    by: Callable[[Raw], Any] = _itself
    staying: bool = False

    def rows(self, going: Collection[Raw], *names: str) -> Iterator[Raw]:
        """Read the stored records, or these fields, that point at any of these."""
        wanted = [value for value in map(self.by, going) if value]
        if not wanted:
            return
        collection, seen = BY_NAME[self.model]._get_collection(), set()
        for some in portions(wanted):
            # one is asked for plainly: a store finds that by its index in any case
            query = {self.name: some[0] if len(some) == 1 else {"$in": some}}
            for row in collection.find({**query, **self.only}, list(names) or None):
                if row["_id"] not in seen:  # a list may point at many of them
                    seen.add(row["_id"])
                    yield row

    def holders(
        self, going: Collection[Raw], too: Collection[ObjectId]
    ) -> Mapping[ObjectId, int]:
        """Count for each that goes how many point at it; `too` are those that go too."""
        ids = defaultdict(list)
        for row in going:
            ids[self.by(row)].append(row["_id"])
        counts: dict[ObjectId, int] = defaultdict(int)
        for row in self.rows(going, self.name):
            if not (self.staying and row["_id"] in too):
                for value in set(_values_at(row, self.name)):
                    for one in ids.get(value, ()):
                        counts[one] += 1
        return counts


def portions(values: Sequence[T], size: int = 100) -> Iterator[Sequence[T]]:
    """Divide a long list of values to ask for: a store may compare each with each."""
    return (values[n : n + size] for n in range(0, len(values), size))


def _values_at(row: Any, path: str) -> Iterator[Any]:
    """Walk to the values at a dotted path, through the lists on the way."""
    if isinstance(row, list):
        for one in row:
            yield from _values_at(one, path)
    elif not path:
        yield row
    elif isinstance(row, Mapping):
        first, _, rest = path.partition(".")
        yield from _values_at(row.get(first), rest)


Table = Mapping[str, tuple[Dependent, ...]]

# What keeps a record from going under the policy `restrict`, by the record's model.
BLOCKERS: Table = {
    "Customer": (
        Dependent("Request", "customer", "request"),
        Dependent("Order", "customer", "order"),
    ),
    "Material": (
        Dependent("Inventory", "material", "lot"),
        Dependent("Order", "material", "order"),
        Dependent("Pane", "material", "pane"),
        Dependent("Withdrawal", "material", "withdrawal"),
    ),
    "Inventory": (
        Dependent("Withdrawal", "allocations.inventory", "pending withdrawal", PENDING),
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
        Dependent(
            "Pane", "heldFrom.station", "claimed pane", {"currentStatus": "claimed"}
        ),
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
        Dependent("Withdrawal", "order", "withdrawal", TAKEN),
    ),
    "Pane": (
        Dependent("Claim", "pane", "claim"),
        Dependent("Claim", "remadePane", "approved claim"),
        Dependent("Pane", "remakeOf", "remake", staying=True),
        Dependent("Pane", "parentPane", "scanned sheet", SCANNED_SHEET, by=_parent),
        Dependent("Pane", "mergedInto", "merged pane", by=_laminated, staying=True),
        Dependent("Pane", "_id", "survivor", by=_survivor, staying=True),
        Dependent("Pane", "_id", "unit", by=_unit, staying=True),
    ),
}

# What keeps a record from going under `cascade` too: without it what stays is wrong.
ALWAYS: Table = {
    "Role": BLOCKERS["Role"],
    "Station": (
        Dependent(
            "Pane", "laminateStation", "pane to laminate", {**SHEET, **OPEN_PANE}
        ),
    ),
}

# What unscanned work takes along under `restrict`; a worker's mail is nobody else's.
COMPANIONS: Table = {
    "Request": (Dependent("Pane", "request"), Dependent("Order", "request")),
    "Order": (Dependent("Pane", "order"),),
    "Pane": (Dependent("Pane", "parentPane", only=SHEET, by=_parent),),
    "Worker": (Dependent("Notification", "recipient"),),
}

# What goes along under `cascade`. Logs never do, nor does work with its worker.
DEPENDENTS: Table = {
    "Customer": (Dependent("Request", "customer"), Dependent("Order", "customer")),
    "Material": (
        Dependent("Order", "material"),
        Dependent("Pane", "material"),
        Dependent("Claim", "material"),
        Dependent("Withdrawal", "material"),
        Dependent("Inventory", "material"),
    ),
    "StationTemplate": (Dependent("Station", "templateId"),),
    "Request": (Dependent("Order", "request"), Dependent("Pane", "request")),
    "Order": (
        Dependent("Pane", "order"),
        Dependent("Claim", "order"),
        Dependent("Withdrawal", "order"),
    ),
    "Pane": (
        Dependent("Claim", "pane"),
        Dependent("Pane", "_id", by=_unit),
        Dependent("Pane", "parentPane", only=SHEET, by=_parent),
        Dependent("Pane", "mergedInto", by=_laminated),
    ),
    "Worker": (Dependent("Notification", "recipient"),),
}

# References of what stays, under either policy: they are emptied.
CLEARED: Table = {
    "Worker": (Dependent("Request", "assignedTo"), Dependent("Order", "assignedTo")),
    "Claim": (Dependent("Order", "claim"),),
    "Withdrawal": (Dependent("Order", "withdrawal"), Dependent("Pane", "withdrawal")),
    "Inventory": (Dependent("Pane", "inventory"), Dependent("Withdrawal", "inventory")),
    "Pane": (
        Dependent("Pane", "remakeOf"),
        Dependent("Pane", "parentPane", by=_parent),
        Dependent("Withdrawal", "panes"),
        Dependent("Claim", "remadePane"),
    ),
    "Station": (Dependent("Claim", "remakeStation", only=PENDING),),
}

# The order in which kinds are deleted and told: who points goes before what it is at.
LEAVES_FIRST = (
    "Notification",
    "MaterialLog",
    "ProductionLog",
    "Claim",
    "Withdrawal",
    "Pane",
    "Order",
    "Request",
    "Inventory",
    "Material",
    "Customer",
    "Station",
    "StationTemplate",
    "StickerTemplate",
    "JobType",
    "Worker",
    "Role",
)
