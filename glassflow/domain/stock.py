"""Stock: how a quantity is taken from lots, and what goes back when it shrinks.

Quantities are in the material's unit, to the millionth. Portions keep their order:
what was taken last is given back first.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from glassflow.domain.errors import Refusal

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"
DECIDED = (APPROVED, REJECTED)

DECIMALS = 6
SMALLEST = 10**-DECIMALS
# Up to here a float tells millionths apart, and sums of lots stay far from any limit.
LARGEST = 10**9

Quantity = int | float


class Portion(NamedTuple):
    """So much of one lot."""

    lot: Hashable
    quantity: Quantity


class InsufficientStock(Refusal):
    """There is less than is asked for."""

    code = "INSUFFICIENT_STOCK"

    def __init__(self, *, available: Quantity, requested: Quantity) -> None:
        super().__init__(
            f"Not enough stock: {available} available, {requested} requested",
            facts={"available": available, "requested": requested},
        )


class LotInactive(Refusal):
    """A lot that is out of use neither gives nor receives."""

    code = "LOT_INACTIVE"

    def __init__(self) -> None:
        super().__init__("The lot is not in use")


class LotUnfit(Refusal):
    """The lot that is named holds something else."""

    code = "LOT_UNFIT"

    def __init__(self) -> None:
        super().__init__("The lot is of another material or stock type")


class SamePlace(Refusal):
    """What is to be moved stands there already."""

    code = "SAME_PLACE"

    def __init__(self) -> None:
        super().__init__("The lot stands there already")


class WithdrawalDecided(Refusal):
    """Approved and rejected are final."""

    code = "WITHDRAWAL_DECIDED"

    def __init__(self, status: str) -> None:
        super().__init__(
            f"The withdrawal is already {status}", facts={"status": status}
        )


def exact(quantity: Quantity) -> Quantity:
    """Give a quantity without the drift of floats; a whole one is an integer.

    Raises `ValueError` or `OverflowError` for what is not finite.
    """
    rounded = round(quantity, DECIMALS)
    whole = int(rounded)
    return whole if whole == rounded else rounded


def total(quantities: Iterable[Quantity]) -> Quantity:
    """Add up without drift."""
    result: Quantity = 0
    for quantity in quantities:
        result = exact(result + quantity)
    return result


def allocate(
    stock: Sequence[Portion], wanted: Quantity, *, whole: bool = True
) -> list[Portion]:
    """Take a quantity from lots, each as far as it goes, in their order.

    With `whole` raises `InsufficientStock` where they do not have so much; without, it
    takes what there is.
    """
    left, taken = exact(wanted), []
    for lot, there in stock:
        part = min(left, exact(there))
        if part > 0:
            taken.append(Portion(lot, part))
            left = exact(left - part)
    if whole and left > 0:
        available = total(there for _, there in stock)
        raise InsufficientStock(available=available, requested=exact(wanted))
    return taken


def shrink(
    held: Sequence[Portion], quantity: Quantity
) -> tuple[list[Portion], list[Portion]]:
    """Split what is held into what is kept and a quantity that goes back."""
    back = allocate(held[::-1], quantity, whole=False)
    gone = dict(joined(back))
    kept = (Portion(lot, exact(has - gone.get(lot, 0))) for lot, has in joined(held))
    return [portion for portion in kept if portion.quantity > 0], back


def joined(portions: Iterable[Portion]) -> list[Portion]:
    """Give one portion a lot, in the order in which the lots come first."""
    sums: dict[Hashable, Quantity] = {}
    for lot, quantity in portions:
        sums[lot] = exact(sums.get(lot, 0) + quantity)
    return [Portion(lot, quantity) for lot, quantity in sums.items()]


def is_low(quantity: Quantity, reorder_point: Quantity) -> bool:
    """Tell whether a material has to be ordered anew."""
    return quantity < reorder_point
