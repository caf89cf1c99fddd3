"""What waits for cutting, by material, with the glass that is in stock for it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.lots import has_own_size
from glassflow.domain.cutting.pieces import Unplanned, piece_of
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.stock import StockType, total
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.services.cutting import pending
from glassflow.services.cutting.pending import PendingPane
from glassflow.services.records import lookup

MOST_LISTED = 50  # panes of a reason
MM2_IN_M2 = 1_000_000
OF_MATERIAL = ("name", "unit", "isActive", "sheetSizes", "isPatterned")
ANY_RULES = CuttingRules()  # whether a pane can be planned does not depend on them


def read() -> dict[str, Any]:
    """Return the panes of open orders that are pending at cutting stations, by material.

    Areas are in m² of the finished sizes, stock in the unit of its material. Panes that no
    plan can have are counted too, and listed with the reason. Six round trips, whatever
    there is.
    """
    stations = pending.cutting_stations()
    by_material: dict[ObjectId | None, list[PendingPane]] = defaultdict(list)
    for one in pending.read(one["_id"] for one in stations):
        by_material[one.material].append(one)
    materials = lookup.by_id(Material, by_material, OF_MATERIAL)
    lots = _lots(materials)
    rows = [
        _row(material, by_material.pop(one), lots.get(one, []))
        for one, material in materials.items()
    ]
    rows.sort(key=lambda one: (one["due"] or datetime.max, one["name"]))
    unknown = [one.pane for waiting in by_material.values() for one in waiting]
    return {
        "stations": stations,
        "hasSolver": find_spec("packingsolver") is not None,
        "materials": rows,
        "noMaterial": {
            "count": len(unknown),
            "area": _area(unknown),
            "panes": _listed(unknown),
        },
    }


def _lots(materials: Iterable[ObjectId]) -> Mapping[ObjectId, list[Raw]]:
    wanted = list(materials)
    found: dict[ObjectId, list[Raw]] = defaultdict(list)
    query = {"material": {"$in": wanted}, "quantity": {"$gt": 0}}
    for lot in Inventory.collection().find(query) if wanted else ():
        if lot.get("isActive") is not False:
            found[lot["material"]].append(lot)
    return found


def _row(
    material: Raw, waiting: Sequence[PendingPane], lots: Sequence[Raw]
) -> dict[str, Any]:
    panes, now = [one.pane for one in waiting], clock.now()
    dated = [one.deadline for one in waiting if one.deadline is not None]
    remnants = [lot["dimensions"] for lot in lots if _is_remnant(lot)]
    return {
        "material": material["_id"],
        "name": material["name"],
        "unit": material.get("unit", ""),
        "isActive": material.get("isActive", True),
        "sheetSizes": material.get("sheetSizes") or [],
        "panes": len(panes),
        "planned": sum(bool(one.get("cuttingPlan")) for one in panes),
        "area": _area(panes),
        "due": min(dated, default=None),
        "late": sum(deadline < now for deadline in dated),
        "sheets": total(lot["quantity"] for lot in lots if not _is_remnant(lot)),
        "remnants": {
            "count": len(remnants),
            "area": _in_m2(one["width"] * one["height"] for one in remnants),
        },
        "unplanned": _unplanned(panes, material),
    }


def _is_remnant(lot: Raw) -> bool:
    """Return whether a lot is a remnant; those of earlier releases have no size."""
    size = lot.get("dimensions")
    return (
        lot["stockType"] == StockType.REUSE and size is not None and has_own_size(size)
    )


def _unplanned(panes: Sequence[Raw], material: Raw) -> list[dict[str, Any]]:
    by_reason: dict[Unplanned, list[Raw]] = defaultdict(list)
    for pane in panes:
        found = piece_of(pane, material, ANY_RULES)
        if isinstance(found, Unplanned):
            by_reason[found].append(pane)
    return [
        {"reason": str(reason), "count": len(found), "panes": _listed(found)}
        for reason, found in by_reason.items()
    ]


def _listed(panes: Sequence[Raw]) -> list[dict[str, Any]]:
    return [
        {"_id": pane["_id"], "paneNumber": pane["paneNumber"]}
        for pane in panes[:MOST_LISTED]
    ]


def _area(panes: Iterable[Raw]) -> float:
    sizes = (pane.get("dimensions") or {} for pane in panes)
    return _in_m2((one.get("width") or 0) * (one.get("height") or 0) for one in sizes)


def _in_m2(areas: Iterable[float]) -> float:
    return round(sum(areas) / MM2_IN_M2, 1)
