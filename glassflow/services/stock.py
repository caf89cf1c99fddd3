"""Lots of material, and the stock book: neither changes without the other.

All that changes lots is found here: moving, and taking and giving back, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Conflict
from glassflow.domain.stock import PENDING, Quantity, exact
from glassflow.models.inventory import Inventory
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import deletion, low_stock, records, references
from glassflow.services.identity import Identity
from glassflow.services.stock_book import enter
from glassflow.services.stock_moves import move
from glassflow.services.stock_taking import give_back, take

__all__ = ["create", "delete", "enter", "give_back", "move", "take", "update"]


def create(
    *, model: type[Inventory], values: Mapping[str, Any], actor: Identity
) -> Inventory:
    """Take a new lot in; the book says `import`. Raises `UnknownReference`."""
    number = records.next_numbers(Inventory)[0]
    return _create({**_exact(values), "inventory_number": number}, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Inventory:
    references.check(references.mentions(Inventory, values))
    lot = records.new(Inventory, values)
    with low_stock.watched(lot.material):
        lot.save()
        enter(lot, "import", lot.material, lot.quantity, actor.worker_id)
    return lot


def _exact(values: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(values)
    if given.get("quantity") is not None:
        given["quantity"] = exact(given["quantity"])
    return given


@unit_of_work
def update(
    *,
    model: type[Inventory],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Inventory:
    """Change a lot; a corrected quantity or kind is an `adjust` in the book.

    Raises `NotFound`, `UnknownReference`, and `Conflict` for another material or stock
    type while a withdrawal that took from the lot is pending.
    """
    lot = records.get(Inventory, record_id)
    references.check(references.mentions(Inventory, values))
    kind, quantity = (lot.material, lot.stock_type), lot.quantity
    records.assign(lot, _exact(values))
    with low_stock.watched(kind[0], lot.material):
        if (lot.material, lot.stock_type) != kind:
            _refuse_if_given_from(lot)
        lot.save()
        _enter_correction(lot, kind, quantity, actor.worker_id)
    return lot


def _refuse_if_given_from(lot: Inventory) -> None:
    query = {"allocations.inventory": lot.pk, "status": PENDING}
    count = Withdrawal._get_collection().count_documents(query)
    if count:
        raise Conflict(
            "A pending withdrawal has taken from the lot",
            code="IN_USE",
            facts={"counts": {"pending withdrawal": count}},
        )


def _enter_correction(
    lot: Inventory, before: tuple[ObjectId, str], quantity: Quantity, worker: ObjectId
) -> None:
    material, stock_type = before
    if (lot.material, lot.stock_type) != before:
        enter(lot, "adjust", material, -quantity, worker, stock_type=stock_type)
        enter(lot, "adjust", lot.material, lot.quantity, worker)
    elif lot.quantity != quantity:
        enter(lot, "adjust", material, lot.quantity - quantity, worker)


@unit_of_work
def delete(*, model: type[Inventory], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Take lots out of the books; what was left of each is an `adjust`.

    Raises `NotFound` if one is unknown, and then deletes none.
    """
    lots = [records.get(Inventory, lot_id) for lot_id in ids]
    with low_stock.watched(*(lot.material for lot in lots)):
        for lot in lots:
            if lot.quantity:
                enter(lot, "adjust", lot.material, -lot.quantity, actor.worker_id)
        return deletion.delete(model=Inventory, ids=ids, actor=actor)
