"""What a withdrawal holds of the stock, and how that follows what it asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core import outbox
from glassflow.domain.stock import APPROVED, REJECTED, joined, shrink
from glassflow.models.inventory import Inventory
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import low_stock, stock
from glassflow.services.stock_taking import Allocation, portions, stored_form


@dataclass(frozen=True, slots=True)
class Terms:
    """What a withdrawal takes, and from where; `inventory` is the lot asked for."""

    material: ObjectId
    stock_type: str
    inventory: ObjectId | None
    quantity: int

    @classmethod
    def of(cls, withdrawal: Withdrawal) -> "Terms":
        names = ("material", "stock_type", "inventory", "quantity")
        return cls(**{name: withdrawal[name] for name in names})

    @property
    def source(self) -> tuple[ObjectId, str, ObjectId | None]:
        """What it takes, whatever the quantity."""
        return self.material, self.stock_type, self.inventory


def settle(
    withdrawal: Withdrawal, before: Terms | None, status: str, worker: ObjectId
) -> None:
    """Bring what a withdrawal holds from earlier terms to its present ones.

    `before` None is for a new one. Rejected it holds nothing; approved its lots are
    told of, even where their quantities stay. What returns is entered under `worker`.
    The caller saves it. Raises `InsufficientStock`, `LotInactive`, `LotUnfit`.
    """
    now = Terms.of(withdrawal)
    earlier = before or now
    held: list[Allocation] = list(withdrawal.allocations)
    kept: list[Allocation] = []
    with low_stock.watched(earlier.material, now.material):
        if status == REJECTED:
            back, more = held, 0
        elif now.source != earlier.source:
            back, more = held, now.quantity
        else:
            kept, back, more = _resized(held, before, now)
        _give_back(withdrawal, back, earlier, worker)
        taken = _take(withdrawal, more)
        withdrawal.allocations = stored_form(joined(portions([*kept, *taken])))
        if status == APPROVED:
            _tell_lots(withdrawal.allocations)


def _resized(
    held: list[Allocation], before: Terms | None, now: Terms
) -> tuple[list[Allocation], list[Allocation], int]:
    """Split what is held into what stays and what goes back; tell what is missing."""
    more = now.quantity - (before.quantity if before else 0)
    if more >= 0:
        return held, [], more
    kept, back = shrink(portions(held), -more)
    return stored_form(kept), stored_form(back), 0


def _take(withdrawal: Withdrawal, quantity: int) -> list[Allocation]:
    if not quantity:
        return []
    return stock.take(
        material=withdrawal.material,
        quantity=quantity,
        stock_type=withdrawal.stock_type,
        lot=withdrawal.inventory,
        worker=withdrawal.withdrawn_by,
        **_reference(withdrawal),
    )


def _give_back(
    withdrawal: Withdrawal,
    allocations: Sequence[Allocation],
    terms: Terms,
    worker: ObjectId,
) -> None:
    if allocations:
        stock.give_back(
            allocations=allocations,
            material=terms.material,
            stock_type=terms.stock_type,
            worker=worker,
            **_reference(withdrawal),
        )


def _reference(withdrawal: Withdrawal) -> dict[str, Any]:
    return {
        "action": "withdraw",
        "reference_id": str(withdrawal.pk),
        "reference_type": "withdrawal",
        "order": withdrawal.order,
        "panes": list(withdrawal.panes),
    }


def _tell_lots(allocations: Sequence[Allocation]) -> None:
    query = {"_id": {"$in": [one["inventory"] for one in allocations]}}
    for row in Inventory._get_collection().find(query):
        outbox.record("Inventory", row, "adjusted")
