"""Stock: allocating a quantity to lots, and splitting what is returned.

Quantities are in the material's unit, rounded to six decimals. Allocations keep their
order: what was taken last is returned first.
"""

from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from glassflow.domain import texts
from glassflow.domain.errors import Refusal


class WithdrawalStatus(StrEnum):
    """Where a withdrawal is; approved and rejected are final."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


DECIDED = (WithdrawalStatus.APPROVED, WithdrawalStatus.REJECTED)


class StockType(StrEnum):
    """New material, or what is left of it and can be used; taken in this order."""

    RAW = "Raw"
    REUSE = "Reuse"


class LedgerAction(StrEnum):
    """Why a ledger entry (a material log) was written."""

    WITHDRAW = "withdraw"
    CLAIM = "claim"
    IMPORT = "import"
    CUT = "cut"
    REMAKE = "remake"
    MOVE = "move"
    ADJUST = "adjust"


class LedgerReferenceType(StrEnum):
    """What kind of record a ledger entry refers to."""

    CLAIM = "claim"
    WITHDRAWAL = "withdrawal"
    QC_REMAKE = "qc_remake"
    INVENTORY = "inventory"


DECIMALS = 6
SMALLEST = 10**-DECIMALS
# Below this a float keeps six decimals, and sums of lots stay far from any limit.
LARGEST = 10**9

Quantity = int | float


class LotQuantity(NamedTuple):
    """A quantity of one lot."""

    lot: Hashable
    quantity: Quantity


class InsufficientStock(Refusal):
    """The lots hold less than was requested."""

    code = "INSUFFICIENT_STOCK"

    def __init__(self, *, available: Quantity, requested: Quantity) -> None:
        super().__init__(
            texts.INSUFFICIENT_STOCK.format(available=available, requested=requested),
            details={"available": available, "requested": requested},
        )


class LotInactive(Refusal):
    """An inactive lot neither gives nor receives stock."""

    code = "LOT_INACTIVE"

    def __init__(self) -> None:
        super().__init__(texts.LOT_INACTIVE)


class LotUnfit(Refusal):
    """The given lot is of another material or stock type."""

    code = "LOT_UNFIT"

    def __init__(self) -> None:
        super().__init__(texts.LOT_UNFIT)


class SamePlace(Refusal):
    """The lot is at the destination already."""

    code = "SAME_PLACE"

    def __init__(self) -> None:
        super().__init__(texts.SAME_PLACE)


class WithdrawalDecided(Refusal):
    """Approved and rejected are final."""

    code = "WITHDRAWAL_DECIDED"

    def __init__(self, status: str) -> None:
        super().__init__(
            texts.WITHDRAWAL_DECIDED.format(status=texts.STATUSES[status]),
            details={"status": status},
        )


def round_quantity(quantity: Quantity) -> Quantity:
    """Round a quantity to six decimals, without float drift; a whole one is an int.

    Raises `ValueError` or `OverflowError` for NaN and infinity.
    """
    rounded = round(quantity, DECIMALS)
    whole = int(rounded)
    return whole if whole == rounded else rounded


def total(quantities: Iterable[Quantity]) -> Quantity:
    """Sum quantities without float drift."""
    result: Quantity = 0
    for quantity in quantities:
        result = round_quantity(result + quantity)
    return result


def allocate(
    stock: Sequence[LotQuantity], wanted: Quantity, *, allow_partial: bool = False
) -> list[LotQuantity]:
    """Allocate a quantity to lots, in their order, each up to what it holds.

    Raises `InsufficientStock` where they hold less, unless `allow_partial`: then all
    that they hold is allocated.
    """
    left, taken = round_quantity(wanted), []
    for lot, held in stock:
        part = min(left, round_quantity(held))
        if part > 0:
            taken.append(LotQuantity(lot, part))
            left = round_quantity(left - part)
    if left > 0 and not allow_partial:
        available = total(held for _, held in stock)
        raise InsufficientStock(available=available, requested=round_quantity(wanted))
    return taken


def split_return(
    held: Sequence[LotQuantity], quantity: Quantity
) -> tuple[list[LotQuantity], list[LotQuantity]]:
    """Split held stock into what is kept and the quantity that is returned."""
    returned = allocate(held[::-1], quantity, allow_partial=True)
    taken_back = dict(merge_by_lot(returned))
    kept = (
        LotQuantity(lot, round_quantity(has - taken_back.get(lot, 0)))
        for lot, has in merge_by_lot(held)
    )
    return [part for part in kept if part.quantity > 0], returned


def merge_by_lot(quantities: Iterable[LotQuantity]) -> list[LotQuantity]:
    """Return one quantity per lot, in the order of the lots' first occurrence."""
    sums: dict[Hashable, Quantity] = {}
    for lot, quantity in quantities:
        sums[lot] = round_quantity(sums.get(lot, 0) + quantity)
    return [LotQuantity(lot, quantity) for lot, quantity in sums.items()]


def is_low(quantity: Quantity, reorder_point: Quantity) -> bool:
    """Return whether a material is below its reorder point."""
    return quantity < reorder_point
