"""What a scan will write besides its pane, as far as this process knows beforehand.

A scan that ends a step of a pane writes the order of the pane, and one that fails it the
material of its remake, so such scans wait for each other. With this a scan knows both
before it reads the pane, from the scan before or from the order, and waits before it has
begun. What is remembered may be out of date: then the scan waits for another order's scans
in vain, and for its own as if nothing had been known.

A scan that does not end a step writes no order, but waits for those of its order that came
before it. Otherwise it takes the processor from the one whose turn it is, and those who
have waited longest wait longer still.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from bson import ObjectId

from glassflow.core import locks
from glassflow.core.bounded_dict import BoundedDict
from glassflow.domain.panes.status import Action, Effect
from glassflow.domain.panes.table import effects_of, ends_step
from glassflow.models.base import Record
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane

MAX_PANES = 10_000  # those that were remembered longest ago are forgotten first


class _Known(NamedTuple):
    order: ObjectId | None
    material: ObjectId | None


_panes: BoundedDict[str, _Known] = BoundedDict(MAX_PANES)


def remember(panes: Iterable[Pane]) -> None:
    """Remember the orders and materials of panes: those scanned, or new in an order."""
    for pane in panes:
        _panes[pane.pane_number] = _Known(pane.order, pane.material)


def in_turn(action: Action, numbers: Iterable[str]) -> AbstractContextManager[None]:
    """Let a scan of these panes, in the block, begin behind those that came before it.

    Only scans of the same orders count, and only those that write them.
    """
    known = list(numbers)
    if ends_step(action):
        return locks.expecting(of(action, known))
    locks.wait_behind({Order: _orders(known)})
    return nullcontext()


def of(action: Action, numbers: Iterable[str]) -> Mapping[type[Record], set[ObjectId]]:
    """Return the records that a scan of these panes will write, by their model."""
    if not ends_step(action):
        return {}
    scanned = list(numbers)
    written: dict[type[Record], set[ObjectId]] = {Order: _orders(scanned)}
    if Effect.REMAKE in effects_of(action):
        known = _known(scanned)
        written[Material] = {one.material for one in known if one.material}
    return written


def _orders(numbers: Iterable[str]) -> set[ObjectId]:
    return {one.order for one in _known(numbers) if one.order}


def _known(numbers: Iterable[str]) -> list[_Known]:
    return [_panes[number] for number in numbers if number in _panes]
