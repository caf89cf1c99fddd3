"""Where a pane is on its route: new, corrected, or restored after a cancellation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glassflow.domain import texts
from glassflow.domain.panes.refusals import (
    CorrectionRefused,
    LaminateParent,
    StationNeeded,
    StationNotOnRoute,
)
from glassflow.domain.panes.status import OPEN, LaminateRole, PaneView, Status

# These statuses belong to a laminated unit or to a claim as much as to the pane.
NOT_CORRECTABLE = frozenset({Status.MERGED_INTO, Status.CLAIMED})
# A unit that nobody has begun is cancelled with its sheets, and taken back with them.
UNIT_CORRECTIONS: Mapping[str, str] = {
    Status.PENDING: Status.CANCELLED,
    Status.CANCELLED: Status.PENDING,
}


@dataclass(frozen=True, slots=True)
class Placement:
    """The status and the place of a new or corrected pane."""

    status: str
    station: str | None
    route_index: int


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrected values; None leaves the status or the route as it is.

    A station can be removed, so `station_given` distinguishes None from not given.
    """

    status: str | None = None
    station: str | None = None
    station_given: bool = False
    route: tuple[str, ...] | None = None


def find_step(route: Sequence[str], station: str, route_index: int) -> int:
    """Return the index of a station: at or after `route_index`, else the last before.

    Raises `StationNotOnRoute`.
    """
    start = max(route_index, 0)
    if station in route[start:]:
        return start + list(route[start:]).index(station)
    for index in reversed(range(min(start, len(route)))):
        if route[index] == station:
            return index
    raise StationNotOnRoute(station)


def initial(
    route: Sequence[str] | None,
    current_station: str | None = None,
    explicit_empty: bool = False,
) -> Placement:
    """Place a new pane: at the given station, else at its first step, else nowhere.

    `explicit_empty` is an empty route in a request: there is no work, so the pane is
    completed. Raises `StationNotOnRoute`.
    """
    if explicit_empty and not route:
        return Placement(Status.COMPLETED, None, 0)
    if not route:
        return Placement(Status.PENDING, current_station, 0)
    station = current_station or route[0]
    return Placement(Status.PENDING, station, find_step(route, station, 0))


def restore(view: PaneView, status: str, station: str | None) -> Placement:
    """Place a cancelled pane where it was, at its earlier status and station.

    If its route was corrected meanwhile: at the step of that station, and where there is
    none at the start of the route.
    """
    placement = Placement(status, station, view.route_index)
    on_no_step = not view.route or view.route_index < 0
    if on_no_step or view.laminate_role == LaminateRole.PARENT:
        return placement
    if view.route[view.route_index : view.route_index + 1] == (station,):
        return placement
    if station in view.route:
        return Placement(
            status, station, find_step(view.route, station, view.route_index)
        )
    return initial(view.route)


def correct(view: PaneView, change: Correction) -> Placement:
    """Place a corrected pane.

    Raises `CorrectionRefused`, `LaminateParent`, `StationNeeded` and
    `StationNotOnRoute` for a correction that contradicts itself or the pane's unit.
    """
    status = change.status or view.status
    route = view.route if change.route is None else change.route
    station = change.station if change.station_given else view.station
    if (status, station, route) == (view.status, view.station, view.route):
        return Placement(view.status, view.station, view.route_index)
    _refuse_not_correctable(view, status, station)
    if view.laminate_role == LaminateRole.PARENT:
        return Placement(status, station, view.route_index)
    if view.laminate_role == LaminateRole.SHEET:
        _refuse_leaving_unit(view, status, route)
    if status not in OPEN:
        return _place_closed(view, change, status, route)
    return _place_open(view, status, station, route)


def begins(view: PaneView, placement: Placement, route: Sequence[Any]) -> bool:
    """Return whether a correction says that work on the pane has begun.

    It is in work now, or at a later step of the route that it had. `route` are the steps
    of the corrected pane.
    """
    in_work = placement.status in (Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT)
    is_same = tuple(map(str, route)) == tuple(view.route)
    later = placement.route_index > max(view.route_index, 0)
    return in_work or (is_same and later and placement.status in OPEN)


def _refuse_not_correctable(view: PaneView, status: str, station: str | None) -> None:
    if view.status in NOT_CORRECTABLE or status in NOT_CORRECTABLE:
        raise CorrectionRefused(
            texts.MERGED_OR_CLAIMED, details={"status": str(view.status)}
        )
    moved = (status, station) != (view.status, view.station)
    if view.laminate_role == LaminateRole.PARENT and moved:
        raise LaminateParent


def _refuse_leaving_unit(view: PaneView, status: str, route: Sequence[str]) -> None:
    # The unit needs every sheet: only qc_fail or a claim removes one, with a remake.
    if status not in OPEN or view.status not in OPEN:
        raise CorrectionRefused(
            texts.SHEET_LEAVES_BY_QC_OR_CLAIM, details={"status": status}
        )
    if not route or route[-1] != view.laminate_station:
        raise CorrectionRefused(
            texts.SHEET_ROUTE_END, details={"laminateStation": view.laminate_station}
        )


def _place_closed(
    view: PaneView, change: Correction, status: str, route: tuple[str, ...]
) -> Placement:
    # If the client sent a status, ignore the station: it is an echoed field.
    if change.station is not None and change.status is None:
        raise CorrectionRefused(
            texts.CLOSED_PANE_HAS_NO_STATION.format(status=texts.STATUSES[status]),
            details={"status": status},
        )
    completed = status == Status.COMPLETED
    route_index = len(route) if completed else min(view.route_index, len(route))
    return Placement(status, None, route_index)


def _place_open(
    view: PaneView, status: str, station: str | None, route: tuple[str, ...]
) -> Placement:
    if station is None:
        # A pane without a route needs no station; its first route leads to its start.
        free = not route or not view.route
        if free and status == Status.PENDING and view.status in OPEN:
            return initial(route)
        raise StationNeeded(status)
    if view.route_index < 0 and station == view.station:
        return Placement(status, station, view.route_index)
    if not route:
        return Placement(status, station, 0)
    return Placement(status, station, find_step(route, station, view.route_index))
