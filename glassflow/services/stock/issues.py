"""Issues and returns of material, for withdrawals."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import UnknownReference
from glassflow.domain.stock import (
    LedgerAction,
    LedgerReferenceType,
    LotInactive,
    LotQuantity,
    LotUnfit,
    Quantity,
    allocate,
    merge_by_lot,
    round_quantity,
    total,
)
from glassflow.models.inventory import Inventory
from glassflow.services import records
from glassflow.services.stock import ledger, low_stock
from glassflow.services.stock.ledger import Change, LedgerReference

StockKind = tuple[ObjectId, str]  # a material and a stock type
Allocation = dict[str, Any]  # {"inventory": ObjectId, "quantity": number}


@unit_of_work
def issue(
    *,
    material: ObjectId,
    quantity: Quantity,
    stock_type: str,
    lot: ObjectId | None = None,
    reason: LedgerReference,
) -> list[Allocation]:
    """Take a quantity from active lots of a material, and return the allocations.

    What cutting plans have reserved is not taken. From `lot` alone if it is given, else from the oldest first. Raises
    `InsufficientStock`; for a given lot also `UnknownReference`, `LotInactive` or
    `LotUnfit`.
    """
    with low_stock.tracking(material):
        taken = preview(
            material=material, quantity=quantity, stock_type=stock_type, lot=lot
        )
        ledger.apply((one, -part, reason) for one, part in taken)
    return to_allocations([LotQuantity(one.pk, part) for one, part in taken])


def preview(
    *,
    material: ObjectId,
    quantity: Quantity,
    stock_type: str,
    lot: ObjectId | None = None,
) -> list[tuple[Inventory, Quantity]]:
    """Return the lots that `issue` would take from now, with what it would take.

    It takes nothing; another issue may come first. Raises what `issue` raises.
    """
    candidates = (
        _lots_in_order(material, stock_type)
        if lot is None
        else [_given_lot(lot, material, stock_type)]
    )
    lots: dict[Hashable, Inventory] = {one.pk: one for one in candidates}
    held = [LotQuantity(one.pk, one.available) for one in candidates]
    taken = allocate(held, quantity)
    return [(lots[pk], part) for pk, part in taken]


def to_allocations(quantities: Sequence[LotQuantity]) -> list[Allocation]:
    """Return lot quantities as a record stores them."""
    return [{"inventory": lot, "quantity": part} for lot, part in quantities]


def from_allocations(allocations: Sequence[Mapping[str, Any]]) -> list[LotQuantity]:
    """Return the lot quantities that a record stores."""
    return [LotQuantity(one["inventory"], one["quantity"]) for one in allocations]


def _given_lot(lot_id: ObjectId, material: ObjectId, stock_type: str) -> Inventory:
    lot = Inventory.objects(pk=lot_id).first()
    if lot is None:
        raise UnknownReference(texts.NOT_FOUND.format(label=Inventory.label))
    if not _matches(lot, material, stock_type):
        raise LotUnfit
    if not lot.is_active:
        raise LotInactive
    return lot


def _matches(lot: Inventory, material: ObjectId, stock_type: str) -> bool:
    return bool(lot.material == material and lot.stock_type == stock_type)


def _lots_in_order(material: ObjectId, stock_type: str) -> list[Inventory]:
    """List the lots that hold stock, the oldest first."""
    stocked = Inventory.objects(__raw__={"material": material, "quantity": {"$gt": 0}})
    usable = [
        lot for lot in stocked if lot.is_active and _matches(lot, material, stock_type)
    ]
    return sorted(usable, key=_age)


def _age(lot: Inventory) -> tuple[Any, ...]:
    return lot.created_at, lot.pk


@dataclass(frozen=True, slots=True)
class Return:
    """Issued stock of one material and stock type that goes back to its lots."""

    allocations: Sequence[Mapping[str, Any]]
    material: ObjectId
    stock_type: str
    reason: LedgerReference

    @property
    def kind(self) -> StockKind:
        """The material and the stock type."""
        return self.material, self.stock_type


@unit_of_work
def return_all(returns: Sequence[Return]) -> None:
    """Return issued stock to its lots, active or not.

    What came from a lot that is deleted, or of another kind now, goes to the oldest
    active lot of the same material and stock type without a size of its own, or to a new
    lot. A lot of one sheet never has more than that. A bounded number of round trips,
    however many returns.
    """
    if not returns:
        return
    with low_stock.tracking(*(one.material for one in returns)):
        issued = {part.lot for one in returns for part in _parts(one)}
        lots = {lot.pk: lot for lot in Inventory.objects(pk__in=list(issued))}
        unplaced = [one.kind for one in returns if _unplaced(one, lots)]
        substitutes = _substitutes(list(dict.fromkeys(unplaced)), lots)
        changes = [
            (lot, quantity, one.reason)
            for one in returns
            for lot, quantity in _targets(one, lots, substitutes.get(one.kind))
        ]
        ledger.apply(_with_one_sheet(changes))


def _with_one_sheet(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield changes, each applied before the next, and what corrects a sheet that is back twice.

    It was counted again while a withdrawal held it, or while two did.
    """
    for lot, quantity, reason in changes:
        yield lot, quantity, reason
        if lot.is_one_sheet and lot.quantity > 1:
            correction = LedgerReference(
                LedgerAction.ADJUST,
                reason.worker,
                str(lot.pk),
                LedgerReferenceType.INVENTORY,
            )
            yield lot, round_quantity(1 - lot.quantity), correction


def _parts(one: Return) -> list[LotQuantity]:
    return merge_by_lot(from_allocations(one.allocations))


def _fits(lot: Inventory | None, part: LotQuantity, one: Return) -> bool:
    """Return whether a part goes back to its lot; several sheets are not the one of now."""
    if lot is None or not _matches(lot, *one.kind):
        return False
    return part.quantity <= 1 or not lot.is_one_sheet


def _unplaced(one: Return, lots: Mapping[Any, Inventory]) -> Quantity:
    """Return the quantity that cannot go back to the lots that it came from."""
    parts = _parts(one)
    return total(
        part.quantity for part in parts if not _fits(lots.get(part.lot), part, one)
    )


def _targets(
    one: Return, lots: Mapping[Any, Inventory], substitute: Inventory | None
) -> Iterator[tuple[Inventory, Quantity]]:
    """Yield the lots of a return with their quantities, each lot once."""
    placed = [part for part in _parts(one) if _fits(lots.get(part.lot), part, one)]
    targets = {part.lot: lots[part.lot] for part in placed}
    if substitute is not None and (rest := _unplaced(one, lots)):
        targets[substitute.pk] = substitute
        placed.append(LotQuantity(substitute.pk, rest))
    for lot, quantity in merge_by_lot(placed):
        yield targets[lot], quantity


def _substitutes(
    kinds: Sequence[StockKind], lots: Mapping[Any, Inventory]
) -> dict[StockKind, Inventory]:
    """Return a lot of each kind that takes back stock: the oldest active one, or a new one.

    It has no size of its own, because that of what comes back is not known.

    A lot that is in `lots` already is the same document, so that it is changed once.
    """
    if not kinds:
        return {}
    materials = list({material for material, _ in kinds})
    stored = Inventory.objects(material__in=materials)
    active = [lots.get(lot.pk, lot) for lot in stored if lot.is_active]
    found = {}
    for kind in kinds:
        usable = [
            lot for lot in active if _matches(lot, *kind) and not lot.has_own_size
        ]
        if usable:
            found[kind] = min(usable, key=_age)
    missing = [kind for kind in kinds if kind not in found]
    return found | dict(zip(missing, _new_lots(missing), strict=True))


def _new_lots(kinds: Sequence[StockKind]) -> list[Inventory]:
    if not kinds:
        return []
    numbers = records.next_numbers(Inventory, len(kinds))
    created = [
        Inventory(
            pk=ObjectId(),
            inventory_number=number,
            material=material,
            stock_type=stock_type,
            quantity=0,
            location=texts.RETURNS_LOCATION,
        )
        for (material, stock_type), number in zip(kinds, numbers, strict=True)
    ]
    records.store(*created)
    return created
