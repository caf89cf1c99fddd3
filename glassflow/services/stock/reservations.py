"""Reservations: sheets of lots that a released cutting plan is going to cut.

A lot has its reservations as `{plan, quantity}`, so that whoever takes from it conflicts with
whoever reserves it. What is reserved is still there: it counts in the quantity of the lot,
and nothing but its plan can take it.
"""

from collections.abc import Mapping, Sequence

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.errors import Conflict
from glassflow.domain.stock import InsufficientStock, Quantity, round_quantity
from glassflow.models.inventory import Inventory
from glassflow.services import records
from glassflow.services.stock import ledger, low_stock
from glassflow.services.stock.ledger import LedgerReference


class LotsTaken(Conflict):
    """Lots have less that is free than a plan needs."""

    code = "LOTS_TAKEN"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.LOTS_TAKEN.format(numbers=", ".join(numbers)),
            details={"inventoryNumbers": list(numbers)},
        )


class LotReserved(Conflict):
    """A cutting plan has reserved the lot as it is."""

    code = "LOT_RESERVED"

    def __init__(self) -> None:
        super().__init__(texts.LOT_RESERVED)


def reserve(plan: ObjectId, quantities: Mapping[ObjectId, Quantity]) -> None:
    """Reserve so much of each lot for a plan; two round trips, in the caller's unit.

    Raises `LotsTaken` where lots are gone, inactive, or have less that is free.
    """
    lots = {lot.pk: lot for lot in Inventory.objects(pk__in=list(quantities))}
    taken = []
    for key, quantity in quantities.items():
        lot = lots.get(key)
        if lot is None or not lot.is_active or lot.available < quantity:
            taken.append(lot.inventory_number or "" if lot else str(key))
        else:
            _change(lot, plan, quantity)
    if taken:
        raise LotsTaken(sorted(taken))
    records.store(*lots.values(), event="adjusted")


def release(plan: ObjectId) -> None:
    """Give back all that a plan has reserved, in the caller's unit."""
    lots = Inventory.find_many({"reservations.plan": plan})
    for lot in lots:
        lot.reservations = [one for one in lot.reservations if one["plan"] != plan]
    records.store(*lots, event="adjusted")


def take(
    plan: ObjectId, lot_id: ObjectId, quantity: Quantity, reason: LedgerReference
) -> Inventory:
    """Take so much of what a plan has reserved out of its lot, and return the lot.

    Raises `NotFound`, and `InsufficientStock` where the lot has less than that by now.
    """
    lot = records.load(Inventory, lot_id)
    if lot.quantity < quantity:
        raise InsufficientStock(available=lot.quantity, requested=quantity)
    with low_stock.tracking(lot.material):
        _change(lot, plan, -quantity)
        ledger.apply([(lot, -quantity, reason)])
    return lot


def give_back(
    plan: ObjectId, lot_id: ObjectId, quantity: Quantity, reason: LedgerReference
) -> None:
    """Put back what was taken, and reserve it again; raises `NotFound`."""
    lot = records.load(Inventory, lot_id)
    with low_stock.tracking(lot.material):
        _change(lot, plan, quantity)
        ledger.apply([(lot, quantity, reason)])


def _change(lot: Inventory, plan: ObjectId, quantity: Quantity) -> None:
    """Change what a plan has reserved of a lot; never below nothing."""
    others = [one for one in lot.reservations if one["plan"] != plan]
    own: Sequence[Quantity] = [
        one["quantity"] for one in lot.reservations if one["plan"] == plan
    ]
    rest = round_quantity(max(0, sum(own) + quantity))
    lot.reservations = [*others, *([{"plan": plan, "quantity": rest}] if rest else [])]
