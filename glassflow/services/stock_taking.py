"""Taking material from lots and giving it back, for withdrawals and for remakes."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import UnknownReference
from glassflow.domain.stock import (
    LotInactive,
    LotUnfit,
    Portion,
    Quantity,
    allocate,
    joined,
    total,
)
from glassflow.models.inventory import STOCK_TYPES, Inventory
from glassflow.services import low_stock, records, stock_book
from glassflow.services.stock_book import Reason

Allocation = dict[str, Any]  # {"inventory": ObjectId, "quantity": number}

# Where a lot stands that is made for what comes back to a lot that is gone.
RETURNED = "รับคืน"


@unit_of_work
def take(
    *,
    material: ObjectId,
    quantity: Quantity,
    action: str,
    worker: ObjectId | None,
    reference_id: str,
    reference_type: str,
    stock_type: str | None = None,
    prefer: Sequence[ObjectId] = (),
    lot: ObjectId | None = None,
    order: ObjectId | None = None,
    panes: Sequence[ObjectId] = (),
    all_or_nothing: bool = True,
) -> list[Allocation]:
    """Take a quantity from active lots of a material, and tell from which.

    From `lot` alone if it is given; else from those that are preferred, then the oldest
    first, Raw before Reuse where any stock type will do. Raises `InsufficientStock`,
    unless it may take what there is; for a lot that is given `UnknownReference`,
    `LotInactive` or `LotUnfit`.
    """
    reason = Reason(action, worker, reference_id, reference_type, order, panes)
    with low_stock.watched(material):
        if lot is not None:
            giving = [_named(lot, material, stock_type)]
        else:
            giving = _in_turn(material, stock_type, prefer)
        there = [Portion(one.pk, one.quantity) for one in giving]
        taken = allocate(there, quantity, whole=all_or_nothing)
        lots = {one.pk: one for one in giving}
        stock_book.adjust([(lots[pk], -part) for pk, part in taken], reason)
    return stored_form(taken)


def stored_form(portions: Sequence[Portion]) -> list[Allocation]:
    """Give portions as a record keeps them."""
    return [{"inventory": lot, "quantity": part} for lot, part in portions]


def portions(allocations: Sequence[Mapping[str, Any]]) -> list[Portion]:
    """Read what a record keeps of what was taken."""
    return [Portion(one["inventory"], one["quantity"]) for one in allocations]


def _named(lot_id: ObjectId, material: ObjectId, stock_type: str | None) -> Inventory:
    lot = Inventory.objects(pk=lot_id).first()
    if lot is None:
        raise UnknownReference("Inventory not found")
    if not _fits(lot, material, stock_type):
        raise LotUnfit
    if not lot.is_active:
        raise LotInactive
    return lot


def _fits(lot: Inventory, material: ObjectId, stock_type: str | None) -> bool:
    return lot.material == material and stock_type in (None, lot.stock_type)


def _in_turn(
    material: ObjectId, stock_type: str | None, prefer: Sequence[ObjectId]
) -> list[Inventory]:
    """List the lots that have something to give, in the order in which they do."""
    there = Inventory.objects(__raw__={"material": material, "quantity": {"$gt": 0}})
    fit = [lot for lot in there if lot.is_active and _fits(lot, material, stock_type)]
    first = {lot_id: index for index, lot_id in enumerate(prefer)}
    return sorted(fit, key=lambda lot: (first.get(lot.pk, len(first)), *_age(lot)))


def _age(lot: Inventory) -> tuple[Any, ...]:
    return STOCK_TYPES.index(lot.stock_type), lot.created_at, lot.pk


@unit_of_work
def give_back(
    *,
    allocations: Sequence[Mapping[str, Any]],
    material: ObjectId,
    action: str,
    worker: ObjectId | None,
    stock_type: str | None,
    reference_id: str,
    reference_type: str,
    order: ObjectId | None = None,
    panes: Sequence[ObjectId] = (),
) -> None:
    """Give what was taken back to its lots, active or not.

    What came from a lot that is gone, or is of another kind by now, goes to the oldest
    active lot of the same material and stock type, or to a new one.
    """
    reason = Reason(action, worker, reference_id, reference_type, order, panes)
    back = joined(portions(allocations))
    with low_stock.watched(material):
        known = Inventory.objects(pk__in=[lot for lot, _ in back])
        homes = {lot.pk: lot for lot in known if _fits(lot, material, stock_type)}
        stray = total(part for lot, part in back if lot not in homes)
        if stray:
            home = _oldest(material, stock_type) or _new(material, stock_type)
            homes.setdefault(home.pk, home)
            back.append(Portion(home.pk, stray))
        gifts = joined(portion for portion in back if portion.lot in homes)
        stock_book.adjust([(homes[lot], part) for lot, part in gifts], reason)


def _oldest(material: ObjectId, stock_type: str | None) -> Inventory | None:
    lots = Inventory.objects(__raw__={"material": material})
    fit = (lot for lot in lots if lot.is_active and _fits(lot, material, stock_type))
    return min(fit, key=_age, default=None)


def _new(material: ObjectId, stock_type: str | None) -> Inventory:
    return Inventory(
        inventory_number=records.next_numbers(Inventory)[0],
        material=material,
        stock_type=stock_type or STOCK_TYPES[0],
        quantity=0,
        location=RETURNED,
    ).save()
