"""Holdings: what the store room has of each material, lot by lot."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from glassflow.domain.aliases import Raw
from glassflow.domain.stock import total
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.services.records.serialization import to_wire
from glassflow.services.stock import low_stock


def of_materials(materials: Sequence[Raw]) -> list[dict[str, Any]]:
    """Return materials in wire form, each with `lots`, `quantity` and `isLow`.

    `lots` are those that hold stock, the oldest first, and `quantity` the sum over the
    active ones. One query, however many materials.
    """
    lots = _stocked_lots([one["_id"] for one in materials])
    return [_holding(one, lots.get(one["_id"], [])) for one in materials]


def _stocked_lots(ids: Sequence[Any]) -> Mapping[Any, list[Raw]]:
    found: dict[Any, list[Raw]] = defaultdict(list)
    if ids:
        query = {"material": {"$in": list(ids)}, "quantity": {"$gt": 0}}
        rows = Inventory.collection().find(query)
        for row in rows.sort([("createdAt", 1), ("_id", 1)]):
            found[row["material"]].append(row)
    return found


def _holding(material: Raw, lots: Sequence[Raw]) -> dict[str, Any]:
    usable = [lot for lot in lots if lot.get("isActive") is not False]
    quantity = total(lot["quantity"] for lot in usable)
    return {
        **to_wire(Material, material),
        "lots": [to_wire(Inventory, lot) for lot in lots],
        "quantity": quantity,
        "isLow": low_stock.is_short(material, quantity),
    }
