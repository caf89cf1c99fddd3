"""Check-ins: the events for the stations that an order enters or leaves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.domain.orders import CheckInAction
from glassflow.models.order import Order
from glassflow.services.notices import announcements

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RoutePosition:
    """An order's route position and history, to compare before and after a change."""

    index: int
    current: ObjectId | None
    history: Sequence[Entry]

    @classmethod
    def of(cls, order: Order) -> "RoutePosition":
        """Read the position of an order as it is now."""
        index, stations = order.current_station_index, order.stations
        return cls(
            index=index,
            current=stations[index] if index < len(stations) else None,
            history=[dict(entry) for entry in order.station_history],
        )


def announce_moves(before: RoutePosition, order: Order) -> None:
    """Announce one check-in per affected station, and the arrival at a new one."""
    after = RoutePosition.of(order)
    moved = (before.index, before.current) != (after.index, after.current)
    entered = dict.fromkeys(_opened(before.history, after.history))
    exited = dict.fromkeys(_closed(before.history, after.history))
    if moved and before.current is not None:
        exited[str(before.current)] = None
    if moved and after.current is not None:
        entered[str(after.current)] = None
    for station in exited:
        announcements.order_checked_in(order, station, CheckInAction.EXITED)
    for station in entered:
        announcements.order_checked_in(order, station, CheckInAction.ENTERED)
    if moved and after.current is not None:
        announcements.order_arrived(order, after.current, new=False)


def _opened(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Yield the stations whose history entry was opened by the change."""
    for previous, entry in _paired(old, new):
        if not entry.get("exitedAt") and (previous is None or previous.get("exitedAt")):
            yield str(entry["station"])


def _closed(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Yield the stations whose history entry was closed by the change."""
    for previous, entry in _paired(old, new):
        if entry.get("exitedAt") and (previous is None or not previous.get("exitedAt")):
            yield str(entry["station"])


def _paired(
    old: Sequence[Entry], new: Sequence[Entry]
) -> Iterator[tuple[Entry | None, Entry]]:
    """Pair each entry with the previous entry at its index, if of the same station."""
    for index, entry in enumerate(new):
        previous = old[index] if index < len(old) else None
        same = previous is not None and previous["station"] == entry["station"]
        yield (previous if same else None), entry
