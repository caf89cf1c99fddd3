"""Allocation: the stock that a withdrawal holds follows its demand and status."""

from collections.abc import Sequence
from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain.stock import (
    LedgerAction,
    LedgerReferenceType,
    WithdrawalStatus,
    merge_by_lot,
    split_return,
)
from glassflow.models.inventory import Inventory
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.stock import issues, low_stock
from glassflow.services.stock.issues import (
    Allocation,
    Return,
    from_allocations,
    to_allocations,
)
from glassflow.services.stock.ledger import LedgerReference


@dataclass(frozen=True, slots=True)
class Demand:
    """What a withdrawal requests; `inventory` is the requested lot."""

    material: ObjectId
    stock_type: str
    inventory: ObjectId | None
    quantity: int

    @classmethod
    def of(cls, withdrawal: Withdrawal) -> "Demand":
        names = ("material", "stock_type", "inventory", "quantity")
        return cls(**{name: withdrawal[name] for name in names})

    @property
    def source(self) -> tuple[ObjectId, str, ObjectId | None]:
        """What it is taken from, whatever the quantity."""
        return self.material, self.stock_type, self.inventory


def reallocate(
    withdrawal: Withdrawal, before: Demand | None, status: str, worker: ObjectId
) -> None:
    """Change what a withdrawal holds from an earlier demand to its present one.

    `before` is None for a new withdrawal. A rejected one holds nothing; for an approved
    one each lot is announced, even where its quantity is unchanged. Returns are posted
    under `worker`. The caller saves the withdrawal. Raises `InsufficientStock`, `LotInactive`, `LotUnfit`.
    """
    now = Demand.of(withdrawal)
    earlier = before or now
    held: list[Allocation] = list(withdrawal.allocations)
    kept: list[Allocation] = []
    with low_stock.tracking(earlier.material, now.material):
        if status == WithdrawalStatus.REJECTED:
            returned, more = held, 0
        elif now.source != earlier.source:
            returned, more = held, now.quantity
        else:
            kept, returned, more = _resize(held, before, now)
        _return(withdrawal, returned, earlier, worker)
        issued = _issue(withdrawal, more)
        quantities = merge_by_lot(from_allocations([*kept, *issued]))
        withdrawal.allocations = _updated(held, to_allocations(quantities))
        if status == WithdrawalStatus.APPROVED:
            _announce_lots(withdrawal.allocations)


def _updated(held: Sequence[Allocation], now: Sequence[Allocation]) -> list[Allocation]:
    """Return the present allocations, with what a newer release stored in those held."""
    before = {one["inventory"]: one for one in held}
    return [before.get(one["inventory"], {}) | one for one in now]


def _resize(
    held: list[Allocation], before: Demand | None, now: Demand
) -> tuple[list[Allocation], list[Allocation], int]:
    """Return what is kept, what is returned, and the quantity still to issue."""
    more = now.quantity - (before.quantity if before else 0)
    if more >= 0:
        return held, [], more
    kept, returned = split_return(from_allocations(held), -more)
    return to_allocations(kept), to_allocations(returned), 0


def _issue(withdrawal: Withdrawal, quantity: int) -> list[Allocation]:
    if not quantity:
        return []
    return issues.issue(
        material=withdrawal.material,
        quantity=quantity,
        stock_type=withdrawal.stock_type,
        lot=withdrawal.inventory,
        reason=_reason(withdrawal, withdrawal.withdrawn_by),
    )


def _return(
    withdrawal: Withdrawal,
    allocations: Sequence[Allocation],
    demand: Demand,
    worker: ObjectId,
) -> None:
    if allocations:
        kind = (demand.material, demand.stock_type)
        reason = _reason(withdrawal, worker)
        issues.return_all([Return(allocations, *kind, reason)])


def return_all(withdrawals: Sequence[Withdrawal], worker: ObjectId) -> None:
    """Return all that withdrawals hold, posted under `worker`.

    The caller deletes the withdrawals, or stores them as rejected.
    """
    issues.return_all(
        [
            Return(one.allocations, one.material, one.stock_type, _reason(one, worker))
            for one in withdrawals
            if one.allocations
        ]
    )


def _reason(withdrawal: Withdrawal, worker: ObjectId) -> LedgerReference:
    return LedgerReference(
        LedgerAction.WITHDRAW,
        worker,
        str(withdrawal.pk),
        LedgerReferenceType.WITHDRAWAL,
        withdrawal.order,
        list(withdrawal.panes),
    )


def _announce_lots(allocations: Sequence[Allocation]) -> None:
    query = {"_id": {"$in": [one["inventory"] for one in allocations]}}
    for lot in Inventory.find_many(query):
        records.announce(lot, "adjusted")
