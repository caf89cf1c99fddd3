"""Orders and requests: their statuses, and an order's progress.

Progress is derived from the panes, never counted up:

- A live unit is a single pane, or the dormant parent of a laminate group, that is not
  retired. A sheet is part of its parent's unit and not a unit itself.
- Merged, defected and cancelled panes are retired, and so are panes that an approved
  claim has written off: a remade pane never blocks its order.
- Written off are the units in whose place nothing is made: cancelled on their own, or
  removed by an approved claim without a remake. A unit that was cancelled along with
  its order or request is not: it is due again when the cancellation is taken back.
- Due is the quantity without the units written off, and never less than the live units.
  So an order for ten with one pane made is not complete when that one is.
- A claimed pane is open work until its claim is decided.
- A pending order is in progress as soon as one of its live units has begun (`startedAt`
  is set, or it is completed), however that came about. A sheet begins for its unit.
- The station breakdown counts the pieces at each station, sheets included, because
  workers find those there; a dormant parent is at no station.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from glassflow.domain.panes.status import LaminateRole, Status


class CheckInAction(StrEnum):
    """What the screens of a station hear of an order that moves along its route."""

    ENTERED = "entered"
    EXITED = "exited"


class OrderStatus(StrEnum):
    """Where an order is; the status of an order with panes follows from them."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class RequestStatus(StrEnum):
    """Where a customer's request is; only `cancelled` has effects."""

    DRAFT = "draft"
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


RETIRED = frozenset({Status.MERGED_INTO, Status.DEFECTED, Status.CANCELLED})
CLOSED_ORDERS = frozenset({OrderStatus.COMPLETED, OrderStatus.CANCELLED})
OPEN_ORDERS = frozenset(OrderStatus) - CLOSED_ORDERS
CLOSED_REQUESTS = frozenset({RequestStatus.COMPLETED, RequestStatus.CANCELLED})
# Setting one of these takes a cancellation back.
REOPENING = frozenset({OrderStatus.PENDING, OrderStatus.IN_PROGRESS})


@dataclass(frozen=True, slots=True)
class CountedPane:
    """One pane of an order.

    `begun` means that its `startedAt` is set, `written_off` that an approved claim removed
    it from the figures, `remade` that this claim had it made again, `cancelled_with_work`
    that it was cancelled along with its order or request, `delivered` that its
    `deliveredAt` is set. `completed_at` is when it was finished; panes that the store counts
    together have that of the last one, so it does not tell them apart.
    """

    status: str
    station: str | None
    role: str = LaminateRole.SINGLE
    begun: bool = False
    written_off: bool = False
    remade: bool = False
    cancelled_with_work: bool = False
    delivered: bool = False
    completed_at: datetime | None = field(default=None, compare=False)

    @property
    def retired(self) -> bool:
        """Whether the order no longer counts this pane."""
        return self.written_off or self.status in RETIRED

    @property
    def reduces_due(self) -> bool:
        """Whether this is a unit in whose place nothing is made."""
        if self.role == LaminateRole.SHEET:
            return False
        if self.written_off:
            return not self.remade
        return self.status == Status.CANCELLED and not self.cancelled_with_work


@dataclass(frozen=True, slots=True)
class PaneCounts:
    """The number of live, finished and written-off units, and of pieces by station id.

    `delivered` is the number of live units that were handed over, `begun` is whether one of
    the live units has begun. `completed_at` is when the last one of the finished units was.
    """

    live: int
    completed: int
    breakdown: dict[str, int]
    written_off: int = 0
    begun: bool = False
    delivered: int = 0
    completed_at: datetime | None = None

    def due(self, quantity: int) -> int:
        """Return how many units an order of this quantity has to finish."""
        return max(self.live, quantity - self.written_off)


@dataclass(frozen=True, slots=True)
class Figures:
    """The server-owned figures of an order; `progress_percent` is 0 to 100.

    `completed_at` is when the last unit of a complete order was finished, None for another
    order, and for one that people have completed without panes.
    """

    pane_count: int
    panes_completed: int
    progress_percent: int
    station_breakdown: dict[str, int]
    status: str
    panes_delivered: int = 0
    completed_at: datetime | None = None


def count_panes(panes: Iterable[CountedPane]) -> PaneCounts:
    """Count the panes of an order by the rules of this module."""
    live = completed = written_off = delivered = 0
    begun = False
    ended: list[datetime] = []
    breakdown: Counter[str] = Counter()
    for pane in panes:
        written_off += pane.reduces_due
        if pane.retired:
            continue
        if pane.station is not None:
            breakdown[pane.station] += 1
        begun = begun or pane.begun or pane.status == Status.COMPLETED
        if pane.role != LaminateRole.SHEET:
            live += 1
            if pane.status == Status.COMPLETED:
                completed += 1
                ended += filter(None, [pane.completed_at])
            delivered += pane.delivered
    return PaneCounts(
        live,
        completed,
        dict(breakdown),
        written_off,
        begun,
        delivered,
        max(ended, default=None),
    )


def order_figures(
    units: Iterable[CountedPane],
    quantity: int,
    status: str,
    *,
    had_panes: bool = False,
    closed: bool = False,
) -> Figures:
    """Derive an order's figures and status.

    `had_panes` means that panes of the order have been deleted or moved away, `closed`
    that people complete it now, or that nothing was due before, so that people have. An
    order that never had panes counts its quantity as finished once people complete it;
    one that has lost its panes has finished none. An order in which nothing is due is
    completed by people only.
    """
    panes = list(units)
    if not panes and not had_panes:
        done = quantity if status == OrderStatus.COMPLETED else 0
        return _figures(quantity, PaneCounts(0, done, {}), status)
    count = count_panes(panes)
    due = count.due(quantity)
    if closed and not due:
        return _figures(due, count, status)
    return _figures(due, count, _status(count, due, status))


def _status(count: PaneCounts, due: int, status: str) -> str:
    if status == OrderStatus.CANCELLED:
        return status
    if due and count.completed == due:
        return OrderStatus.COMPLETED
    if status == OrderStatus.COMPLETED:
        return OrderStatus.IN_PROGRESS
    begins = count.begun and status == OrderStatus.PENDING
    return OrderStatus.IN_PROGRESS if begins else status


def _figures(due: int, count: PaneCounts, status: str) -> Figures:
    # Rounded down: only a finished order has 100.
    percent = count.completed * 100 // due if due else 0
    return Figures(
        due,
        count.completed,
        percent,
        count.breakdown,
        status,
        count.delivered,
        count.completed_at if status == OrderStatus.COMPLETED else None,
    )
