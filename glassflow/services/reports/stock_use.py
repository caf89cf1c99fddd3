"""The use of stock: what was taken and written off of each material, and what was lost."""

from collections import Counter, defaultdict
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import May, Raw
from glassflow.domain.calendar import Span
from glassflow.domain.stock import LedgerAction, Quantity, round_quantity
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.services.records import lookup
from glassflow.services.reports import losses

MM2_IN_M2 = 1_000_000
LOST = ("panes:view", "pane_logs:view")  # the keys of what is said of lost panes
SUMMED = (LedgerAction.WITHDRAW, LedgerAction.ADJUST)


def read(days: int, may: May) -> dict[str, Any]:
    """Add up the use of each material in the last days; what was taken most comes first.

    Quantities are in the unit of the material, areas in m². `taken` is withdrawn less
    returned. `writtenOff` are the corrections of lots downwards less those upwards, and
    what a deleted lot had left; below 0 if more was found than missed. A move is neither. `may` tells whether the caller
    holds a key: of panes that were lost nothing is said to who may not view them, and
    those by claims are for who may view claims.
    """
    span = losses.last_days(days)
    taken, written_off = _quantities(span)
    sees_lost = all(map(may, LOST))
    panes, areas = _lost(span, may) if sees_lost else (Counter(), {})
    used = {one for sums in (taken, written_off, panes) for one, n in sums.items() if n}
    materials = lookup.by_id(Material, used, ("name", "unit"))
    rows = [
        {
            "material": one,
            "name": materials.get(one, {}).get("name"),
            "unit": materials.get(one, {}).get("unit"),
            "taken": taken.get(one, 0),
            "writtenOff": written_off.get(one, 0),
            "lostPanes": panes[one] if sees_lost else None,
            "lostArea": round(areas.get(one, 0) / MM2_IN_M2, 1) if sees_lost else None,
        }
        for one in used
    ]
    rows.sort(key=_most_first)
    return {**losses.period(days, span), "rows": rows}


def _most_first(row: Raw) -> tuple[Any, ...]:
    return -row["taken"], -row["writtenOff"], row["name"] or "", row["material"]


Quantities = dict[ObjectId, Quantity]


def _quantities(span: Span) -> tuple[Quantities, Quantities]:
    """Return what was taken and what was written off in a time, by material.

    The ledger is read by the time of its entries; the archived ones count as well.
    """
    counted: Raw = {"byService": True, "createdAt": {"$gte": span.start}}
    sums = _sums({**counted, "actionType": {"$in": list(map(str, SUMMED))}})
    taken = {one: -n for one, n in sums[str(LedgerAction.WITHDRAW)].items()}
    written_off = {one: -n for one, n in sums[str(LedgerAction.ADJUST)].items()}
    for one, more in _raised(counted):
        written_off[one] = round_quantity(written_off.get(one, 0) - more)
    return taken, written_off


def _sums(query: Raw) -> dict[str, Quantities]:
    """Return the sums of ledger entries, by action and material."""
    key = {"action": "$actionType", "material": "$material"}
    group = {"_id": key, "quantity": {"$sum": "$quantityChanged"}}
    steps: list[Raw] = [{"$match": query}, {"$group": group}]
    found: dict[str, Quantities] = defaultdict(dict)
    for row in MaterialLog.collection().aggregate(steps):
        quantity = round_quantity(row["quantity"])
        found[row["_id"]["action"]][row["_id"]["material"]] = quantity
    return found


def _raised(counted: Raw) -> list[tuple[ObjectId, Quantity]]:
    """Return the corrections of lots upwards, each with its material.

    The ledger has them as imports, like new lots; those came with their lot, at one time.
    Of a lot that has been deleted nobody knows it: its imports are taken for new stock.
    """
    query = {**counted, "actionType": str(LedgerAction.IMPORT)}
    shown = ("material", "inventory", "quantityChanged", "createdAt")
    rows = list(MaterialLog.collection().find(query, dict.fromkeys(shown, 1)))
    lots = [row["inventory"] for row in rows]
    made = lookup.field_of(Inventory, "createdAt", lots)
    return [
        (row["material"], row["quantityChanged"])
        for row in rows
        if row["createdAt"] > made.get(row["inventory"], row["createdAt"])
    ]


def _lost(span: Span, may: May) -> tuple[Counter[ObjectId], Counter[ObjectId]]:
    """Return how many panes were lost of each material, and their area in mm²."""
    panes, areas = Counter[ObjectId](), Counter[ObjectId]()
    for one in losses.find(span, may):
        if one.material is not None:
            panes[one.material] += 1
            areas[one.material] += (one.pane.get("dimensions") or {}).get("area") or 0
    return panes, areas
