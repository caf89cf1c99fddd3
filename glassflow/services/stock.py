"""Lots of material, and the stock book: neither changes without the other."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import NotBuiltYet
from glassflow.models.inventory import Inventory
from glassflow.models.material_log import MaterialLog
from glassflow.services import deletion, records, references
from glassflow.services.identity import Identity


def create(
    *, model: type[Inventory], values: Mapping[str, Any], actor: Identity
) -> Inventory:
    """Take a new lot in; the book says `import`. Raises `UnknownReference`."""
    number = records.next_numbers(Inventory)[0]
    return _create({**values, "inventory_number": number}, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Inventory:
    references.check(references.mentions(Inventory, values))
    lot = records.new(Inventory, values)
    lot.save()
    enter(lot, "import", lot.material, lot.quantity, actor.worker_id)
    return lot


@unit_of_work
def update(
    *,
    model: type[Inventory],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Inventory:
    """Change a lot; a corrected quantity or material is an `adjust` in the book.

    Raises `NotFound`, `UnknownReference`.
    """
    lot = records.get(Inventory, record_id)
    references.check(references.mentions(Inventory, values))
    material, quantity = lot.material, lot.quantity
    records.assign(lot, values)
    lot.save()
    if lot.material != material:
        enter(lot, "adjust", material, -quantity, actor.worker_id)
        enter(lot, "adjust", lot.material, lot.quantity, actor.worker_id)
    elif lot.quantity != quantity:
        enter(lot, "adjust", material, lot.quantity - quantity, actor.worker_id)
    return lot


@unit_of_work
def delete(*, model: type[Inventory], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Take lots out of the books; what was left of each is an `adjust`.

    Raises `NotFound` if one is unknown, and then deletes none.
    """
    for lot in [records.get(Inventory, lot_id) for lot_id in ids]:
        if lot.quantity:
            enter(lot, "adjust", lot.material, -lot.quantity, actor.worker_id)
    return deletion.delete(model=Inventory, ids=ids, actor=actor)


def move(*, lot_id: ObjectId, values: Mapping[str, Any], actor: Identity) -> None:
    """Move a part of a lot to another place. Raises `NotBuiltYet`."""
    raise NotBuiltYet("Moving stock is not available yet")


def enter(
    lot: Inventory,
    action: str,
    material: ObjectId,
    quantity: float,
    worker: ObjectId | None,
) -> None:
    """Write a movement of a lot into the stock book; `worker` None means the service.

    `quantity` is in the material's unit, with its sign.
    """
    MaterialLog(
        material=material,
        action_type=action,
        quantity_changed=quantity,
        reference_id=str(lot.pk),
        reference_type="inventory",
        stock_type=lot.stock_type,
        worker=worker,
        inventory=lot.pk,
        by_service=True,
    ).save()
