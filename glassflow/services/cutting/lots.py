"""The lots that a plan may cut, as the search knows them."""

from collections.abc import Sequence
from typing import NamedTuple

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.lots import has_own_size
from glassflow.domain.cutting.plan import Box, Stock, tenths
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.stock import StockType, round_quantity, total
from glassflow.models.inventory import Inventory


class UsableLot(NamedTuple):
    """A lot in stored form, and its sheets for the search."""

    lot: Raw
    stock: Stock


def usable(material: Raw, rules: CuttingRules, plan: ObjectId) -> list[UsableLot]:
    """Return the lots of a material whose sheets are free for a plan, remnants first.

    A sheet has the own size of its lot, else that of the material. Where the material has
    several sizes, a lot without one is left out: nobody knows which of them it has.
    """
    query = {"material": material["_id"], "quantity": {"$gte": 1}}
    found = []
    for lot in Inventory.collection().find(query).sort([("createdAt", 1), ("_id", 1)]):
        stock = stock_of(lot, material, rules, plan)
        if stock is not None and stock.sheets > 0 and min(stock.usable[2:]) > 0:
            found.append(UsableLot(lot, stock))
    found.sort(key=lambda one: not one.stock.is_remnant)
    return found


def stock_of(
    lot: Raw, material: Raw, rules: CuttingRules, plan: ObjectId
) -> Stock | None:
    """Return the sheets of a lot that are free for a plan; None without a size.

    What the plan has reserved itself is free for it. An inactive lot has no sheets.
    """
    size = _size(lot, material)
    if size is None:
        return None
    is_remnant = lot["stockType"] == StockType.REUSE
    reserved = total(
        one["quantity"] for one in lot.get("reservations") or () if one["plan"] != plan
    )
    free = max(0, int(round_quantity(lot["quantity"] - reserved)))
    return Stock(
        tenths(size["width"]),
        tenths(size["height"]),
        free if lot.get("isActive") is not False else 0,
        0 if is_remnant else tenths(rules.edge_trim),
        tuple(_boxes(lot.get("defects") or ())),
        is_remnant,
    )


def _size(lot: Raw, material: Raw) -> Raw | None:
    own: Raw | None = lot.get("dimensions")
    if own and has_own_size(own):
        return own
    sizes: list[Raw] = material.get("sheetSizes") or []
    is_new = lot["stockType"] == StockType.RAW
    return sizes[0] if is_new and len(sizes) == 1 else None


def _boxes(defects: Sequence[Raw]) -> list[Box]:
    """Return defects with their edges outwards on whole tenths of a mm."""
    found = []
    for one in defects:
        left, low = int(one["x"] * 10), int(one["y"] * 10)
        right, high = tenths(one["x"] + one["width"]), tenths(one["y"] + one["height"])
        found.append(Box(left, low, right - left, high - low))
    return found
