"""Moving a part of a lot to another place; the total stays as it is."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core import outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.stock import InsufficientStock, LotInactive, SamePlace, exact
from glassflow.models.inventory import Inventory
from glassflow.services import low_stock, records
from glassflow.services.identity import Identity
from glassflow.services.representation import shape, stored
from glassflow.services.stock_book import Reason, entry


def move(
    *, lot_id: ObjectId, values: Mapping[str, Any], actor: Identity
) -> dict[str, Any]:
    """Move a part of a lot, or all of it, to another place.

    It joins the oldest lot of its kind there, or becomes a new one; the answer is
    `{source, target, quantity}`. Raises `NotFound`, `LotInactive`, `SamePlace`,
    `InsufficientStock`.
    """
    spare = records.next_numbers(Inventory)[0]
    return _move(lot_id, values, spare, actor.worker_id)


@unit_of_work
def _move(
    lot_id: ObjectId, values: Mapping[str, Any], spare: str, worker: ObjectId
) -> dict[str, Any]:
    source, quantity = records.get(Inventory, lot_id), exact(values["quantity"])
    place = values["to_location"], _colour(source, values)
    with low_stock.watched(source.material):
        if not source.is_active:
            raise LotInactive
        if place == (source.location, source.storage_color):
            raise SamePlace
        if quantity > source.quantity:
            raise InsufficientStock(available=source.quantity, requested=quantity)
        target = _standing_at(place, source) or _empty_at(place, source, spare)
        source.quantity = exact(source.quantity - quantity)
        target.quantity = exact(target.quantity + quantity)
        _store_moved(source, target)
        reason = Reason("move", worker, str(source.pk), "inventory")
        left = entry(source, -quantity, reason).save()
        entry(target, quantity, reason, parent=left).save()
    moved = {
        "source": shape(Inventory, stored(source)),
        "target": shape(Inventory, stored(target)),
        "quantity": quantity,
    }
    outbox.record("Inventory", stored(source), "moved", detail=moved)
    return moved


def _colour(source: Inventory, values: Mapping[str, Any]) -> str:
    """The colour of the new place: where nothing is said of it, that of the old."""
    if "to_storage_color" not in values:
        return str(source.storage_color or "")
    return values["to_storage_color"] or ""


def _standing_at(place: tuple[str, str], source: Inventory) -> Inventory | None:
    query = {
        "material": source.material,
        "stockType": source.stock_type,
        "location": place[0],
        "storageColor": place[1],
        "isActive": True,
    }
    found = Inventory.objects(__raw__=query).order_by("created_at", "pk")
    return found.first()


def _empty_at(place: tuple[str, str], source: Inventory, number: str) -> Inventory:
    return Inventory(
        inventory_number=number,
        material=source.material,
        stock_type=source.stock_type,
        quantity=0,
        location=place[0],
        storage_color=place[1],
    )


def _store_moved(source: Inventory, target: Inventory) -> None:
    """Write both without events of their own: the move tells of them."""
    is_new = target.pk is None
    changed = [source] if is_new else [source, target]
    for lot in changed:
        lot.stamp()
    records.replace_all(changed)
    if is_new:
        target.pk = ObjectId()
        records.insert_all([target], announce=False)
