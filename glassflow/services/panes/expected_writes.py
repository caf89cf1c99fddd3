"""Which order a scan will write, as far as this process knows before it reads the pane.

Scans that end a step of a pane write its order, so those of one order wait for each other.
With this a scan knows the order from the scan before, or from the order, and waits before
it has begun. What is remembered may be out of date: then the scan waits for another order's
scans in vain, and for its own as if nothing had been known.

A scan that does not end a step writes no order, but waits for those of its order that came
before it. Otherwise it takes the processor from the one whose turn it is, and those who
have waited longest wait longer still.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

from bson import ObjectId
from mongoengine import Document

from glassflow.core.process.bounded_dict import BoundedDict
from glassflow.core.store import locks
from glassflow.domain.panes.status import Action
from glassflow.domain.panes.table import ends_step
from glassflow.models.order import Order
from glassflow.models.pane import Pane

MAX_PANES = 10_000  # those that were remembered longest ago are forgotten first

_orders: BoundedDict[str, ObjectId | None] = BoundedDict(MAX_PANES)


def remember(panes: Iterable[Pane]) -> None:
    """Remember the orders of panes: those scanned, or new in an order."""
    for pane in panes:
        _orders[pane.pane_number] = pane.order


def in_turn(action: Action, numbers: Iterable[str]) -> AbstractContextManager[None]:
    """Let a scan of these panes, in the block, begin behind those that came before it.

    Only scans of the same orders count, and only those that write them.
    """
    orders: dict[type[Document], set[ObjectId]] = {Order: orders_of(numbers)}
    if ends_step(action):
        return locks.expecting(orders)
    locks.wait_behind(orders)
    return nullcontext()


def orders_of(numbers: Iterable[str]) -> set[ObjectId]:
    """Return the orders of these panes, as far as they are remembered."""
    known = (_orders[number] for number in numbers if number in _orders)
    return {order for order in known if order}
