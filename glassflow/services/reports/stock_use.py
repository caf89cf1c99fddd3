"""The use of stock: what was taken and written off of each material, and what was lost."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import May, Raw
from glassflow.domain.calendar import Span
from glassflow.domain.stock import LedgerAction, Quantity, total
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.services.records import lookup
from glassflow.services.reports import losses
from glassflow.services.reports.period import Period

MM2_IN_M2 = 1_000_000
LOST = ("panes:view", "pane_logs:view")  # the keys of what is said of lost panes
OF_ENTRY = ("material", "inventory", "quantityChanged", "createdAt")


def read(days: int, may: May) -> dict[str, Any]:
    """Add up the use of each material in the last days; what was taken most comes first.

    Quantities are in the unit of the material, areas in m². `taken` is withdrawn less
    returned. `writtenOff` are the corrections of lots downwards less those upwards, and
    what a deleted lot had left; below 0 if more was found than missed. A move is neither.
    `may` tells whether the caller holds a key: of panes that were lost nothing is said to
    who may not view them, and those by claims are for who may view claims.
    """
    period = Period.of_last(days)
    span = period.span
    taken = _sums(_entries(span, LedgerAction.WITHDRAW))
    adjusted = _sums([*_entries(span, LedgerAction.ADJUST), *_raised(span)])
    sees_lost = all(map(may, LOST))
    panes, areas = _lost(span, may) if sees_lost else (Counter(), {})
    used = {one for sums in (taken, adjusted, panes) for one, n in sums.items() if n}
    materials = lookup.by_id(Material, used, ("name", "unit"))
    rows = [
        {
            "material": one,
            "name": materials.get(one, {}).get("name"),
            "unit": materials.get(one, {}).get("unit"),
            "taken": -taken.get(one, 0),
            "writtenOff": -adjusted.get(one, 0),
            "lostPanes": panes[one] if sees_lost else None,
            "lostArea": round(areas.get(one, 0) / MM2_IN_M2, 1) if sees_lost else None,
        }
        for one in used
    ]
    rows.sort(key=_most_first)
    return {**period.named(), "rows": rows}


def _most_first(row: Raw) -> tuple[Any, ...]:
    return -row["taken"], -row["writtenOff"], row["name"] or "", row["material"]


def _sums(entries: Iterable[Raw]) -> dict[ObjectId, Quantity]:
    """Return by which quantity ledger entries change each material."""
    found: dict[ObjectId, list[Quantity]] = defaultdict(list)
    for entry in entries:
        found[entry["material"]].append(entry["quantityChanged"])
    return {material: total(changes) for material, changes in found.items()}


def _entries(span: Span, action: LedgerAction) -> list[Raw]:
    """Return the ledger entries of an action in a time; the archived ones count as well.

    Of one action: of several, the embedded store would read those of all years.
    """
    query: Raw = {
        "actionType": str(action),
        "createdAt": {"$gte": span.start},
        "byService": True,
    }
    return list(MaterialLog.collection().find(query, dict.fromkeys(OF_ENTRY, 1)))


def _raised(span: Span) -> list[Raw]:
    """Return the entries of corrections of lots upwards.

    The ledger has them as imports, like new lots; those came with their lot, at one time.
    Of a lot that has been deleted nobody knows it: its imports are taken for new stock.
    """
    entries = _entries(span, LedgerAction.IMPORT)
    lots = (entry["inventory"] for entry in entries)
    made = lookup.field_of(Inventory, "createdAt", lots)
    return [
        entry
        for entry in entries
        if entry["createdAt"] > made.get(entry["inventory"], entry["createdAt"])
    ]


def _lost(span: Span, may: May) -> tuple[Counter[ObjectId], Counter[ObjectId]]:
    """Return how many panes were lost of each material, and their area in mm²."""
    panes, areas = Counter[ObjectId](), Counter[ObjectId]()
    for one in losses.find(span, may):
        if one.material is not None:
            panes[one.material] += 1
            areas[one.material] += (one.pane.get("dimensions") or {}).get("area") or 0
    return panes, areas
