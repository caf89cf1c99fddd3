"""How far an order is: always derived from its panes, never counted up.

What counts as what:

- A live unit is a single pane or the dormant parent of a laminate group that is not
  retired. Sheets are parts of their parent's unit and no units themselves.
- Retired are merged, defected and cancelled panes, and those that an approved claim
  has written off, so a remade pane never blocks its order.
- A claimed pane is open work: until its claim is decided, nobody knows its end.
- The station breakdown counts the pieces that stand at stations, sheets included,
  because that is what people find there; a dormant parent stands nowhere.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from glassflow.domain.pane_state import Status

RETIRED = frozenset({Status.MERGED_INTO, Status.DEFECTED, Status.CANCELLED})


@dataclass(frozen=True, slots=True)
class Unit:
    """One pane of an order; `written_off` by an approved claim, it counts no more."""

    status: str
    station: str | None
    role: str = "single"
    written_off: bool = False

    @property
    def retired(self) -> bool:
        """Whether the order no longer waits for this pane."""
        return self.written_off or self.status in RETIRED


@dataclass(frozen=True, slots=True)
class PaneTally:
    """The live units, the finished ones among them, and what stands where."""

    total: int
    completed: int
    breakdown: dict[str, int]


@dataclass(frozen=True, slots=True)
class Figures:
    """The server-owned figures of an order."""

    pane_count: int
    panes_completed: int
    progress_percent: int
    station_breakdown: dict[str, int]
    status: str


def tally(panes: Iterable[Unit]) -> PaneTally:
    """Count the panes of an order by the rules at the top of this module."""
    total = completed = 0
    breakdown: Counter[str] = Counter()
    for pane in panes:
        if pane.retired:
            continue
        if pane.station is not None:
            breakdown[pane.station] += 1
        if pane.role != "sheet":
            total += 1
            completed += pane.status == Status.COMPLETED
    return PaneTally(total, completed, dict(breakdown))


def order_figures(
    units: Iterable[Unit], quantity: int, status: str, started: bool = False
) -> Figures:
    """Derive an order's figures and status; `started` says a pane was scanned.

    An order without panes counts its quantity instead, all done once the order itself
    is completed.
    """
    panes = list(units)
    if not panes:
        done = quantity if status == "completed" else 0
        return _figures(PaneTally(quantity, done, {}), _begun(status, started))
    count = tally(panes)
    return _figures(count, _status(count, status, started))


def _status(count: PaneTally, status: str, started: bool) -> str:
    if status == "cancelled":
        return status
    if count.total and count.completed == count.total:
        return "completed"
    if status == "completed" and count.total:
        return "in_progress"
    return _begun(status, started)


def _begun(status: str, started: bool) -> str:
    return "in_progress" if started and status == "pending" else status


def _figures(count: PaneTally, status: str) -> Figures:
    # Rounded down: 100 is for a finished order only.
    percent = count.completed * 100 // count.total if count.total else 0
    return Figures(count.total, count.completed, percent, count.breakdown, status)
