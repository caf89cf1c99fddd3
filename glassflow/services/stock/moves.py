"""Moves: a quantity of a lot goes to another location; the total does not change."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.cutting.lots import OneSheet
from glassflow.domain.stock import (
    InsufficientStock,
    LedgerAction,
    LedgerReferenceType,
    LotInactive,
    Quantity,
    SamePlace,
    round_quantity,
)
from glassflow.models.inventory import Inventory
from glassflow.services import records
from glassflow.services.records.serialization import to_wire
from glassflow.services.stock import low_stock
from glassflow.services.stock.ledger import LedgerReference, entry


def move(
    *, lot_id: ObjectId, values: Mapping[str, Any], actor: Identity
) -> dict[str, Any]:
    """Move a quantity of a lot to another location.

    It joins the oldest lot of its kind and size there, or becomes a new lot. A lot of one
    sheet keeps its record, which is source and target then: its label stays true. Returns
    `{source, target, quantity}`. Raises `NotFound`, `LotInactive`, `SamePlace`,
    `InsufficientStock`, and `OneSheet` for a part of one sheet.
    """
    new_lot_number = records.next_numbers(Inventory)[0]
    return _move(lot_id, values, new_lot_number, actor.worker_id)


@unit_of_work
def _move(
    lot_id: ObjectId, values: Mapping[str, Any], new_lot_number: str, worker: ObjectId
) -> dict[str, Any]:
    source, quantity = (
        records.load(Inventory, lot_id),
        round_quantity(values["quantity"]),
    )
    place = values["to_location"], _target_color(source, values)
    with low_stock.tracking(source.material):
        _require_possible(source, place, quantity)
        target = _existing_lot(place, source) or _new_lot(place, source, new_lot_number)
        source.quantity = round_quantity(source.quantity - quantity)
        target.quantity = round_quantity(target.quantity + quantity)
        target.location, target.storage_color = place
        changed = [source] if target is source else [source, target]
        records.write(*changed)  # the move announces both
        reason = LedgerReference(
            LedgerAction.MOVE, worker, str(source.pk), LedgerReferenceType.INVENTORY
        )
        left = entry(source, -quantity, reason)
        records.store(left)
        records.store(entry(target, quantity, reason, parent=left))
    moved = {
        "source": to_wire(Inventory, source.stored_form()),
        "target": to_wire(Inventory, target.stored_form()),
        "quantity": quantity,
    }
    records.announce(source, "moved", detail=moved)
    return moved


def preview(*, lot_id: ObjectId, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return `{source, target, quantity}` as `move` would find them; nothing is moved.

    The lots are in wire form as they are now; `target` is None where a new lot would be
    made. Raises what `move` raises.
    """
    source = records.load(Inventory, lot_id)
    quantity = round_quantity(values["quantity"])
    place = values["to_location"], _target_color(source, values)
    _require_possible(source, place, quantity)
    target = _existing_lot(place, source)
    return {
        "source": to_wire(Inventory, source.stored_form()),
        "target": to_wire(Inventory, target.stored_form()) if target else None,
        "quantity": quantity,
    }


def _require_possible(
    source: Inventory, place: tuple[str, str], quantity: Quantity
) -> None:
    if not source.is_active:
        raise LotInactive
    if place == (source.location, source.storage_color):
        raise SamePlace
    # a lot of one sheet keeps its record, and with it what is reserved
    available = source.quantity if source.is_one_sheet else source.available
    if quantity > available:
        raise InsufficientStock(available=available, requested=quantity)
    if source.is_one_sheet and quantity < source.quantity:
        raise OneSheet


def _target_color(source: Inventory, values: Mapping[str, Any]) -> str:
    """Return the storage colour of the target: that of the source unless given."""
    if "to_storage_color" not in values:
        return str(source.storage_color or "")
    return values["to_storage_color"] or ""


def _existing_lot(place: tuple[str, str], source: Inventory) -> Inventory | None:
    """Return the lot that receives what is moved, the lot itself if it is one sheet."""
    if source.is_one_sheet:
        return source
    sides = source.dimensions if source.has_own_size else {}
    query = {
        "material": source.material,
        "stockType": source.stock_type,
        "location": place[0],
        "storageColor": place[1],
        "isActive": True,
        # lots of earlier releases have neither a size nor defects
        "dimensions.width": sides.get("width", {"$in": [None, 0]}),
        "dimensions.height": sides.get("height", {"$in": [None, 0]}),
        "defects": {"$in": [None, []]},
    }
    found = Inventory.objects(__raw__=query).order_by("created_at", "pk")
    return found.first()


def _new_lot(place: tuple[str, str], source: Inventory, number: str) -> Inventory:
    return Inventory(
        inventory_number=number,
        material=source.material,
        stock_type=source.stock_type,
        quantity=0,
        location=place[0],
        storage_color=place[1],
        dimensions=source.dimensions,
        parent_lot=source.parent_lot,
    )
