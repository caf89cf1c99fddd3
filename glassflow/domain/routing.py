"""Where a pane stands: on its route, when it is new, and after a correction."""

from collections.abc import Sequence
from dataclasses import dataclass

from glassflow.domain.pane_state import OPEN, PaneView, Status
from glassflow.domain.scan_refusals import (
    CorrectionRefused,
    LaminateParent,
    StationNeeded,
    StationNotOnRoute,
)

# These states belong to a laminate group or to a claim as much as to the pane.
SHARED = frozenset({Status.MERGED_INTO, Status.CLAIMED})


@dataclass(frozen=True, slots=True)
class Placement:
    """A status and a place: what a new or corrected pane is given."""

    status: str
    station: str | None
    position: int


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person wants to put right; None leaves the status or route as it is.

    A station can be taken away, so `station_given` tells None from not mentioned.
    """

    status: str | None = None
    station: str | None = None
    station_given: bool = False
    route: tuple[str, ...] | None = None


def nearest(route: Sequence[str], station: str, position: int) -> int:
    """Find a station on a route: at or after `position`, else the last one before."""
    ahead = max(position, 0)
    if station in route[ahead:]:
        return ahead + list(route[ahead:]).index(station)
    for index in reversed(range(min(ahead, len(route)))):
        if route[index] == station:
            return index
    raise StationNotOnRoute(station)


def initial(
    route: Sequence[str] | None,
    current_station: str | None = None,
    explicit_empty: bool = False,
) -> Placement:
    """Place a new pane: at the given station, else at its first step, else nowhere.

    `explicit_empty` is an empty route inside a request: nothing to do, so completed.
    """
    if explicit_empty and not route:
        return Placement(Status.COMPLETED, None, 0)
    if not route:
        return Placement(Status.PENDING, current_station, 0)
    station = current_station or route[0]
    return Placement(Status.PENDING, station, nearest(route, station, 0))


def correct(view: PaneView, change: Correction) -> Placement:
    """Place a pane as a person corrected it, or refuse what would contradict itself."""
    status = change.status or view.status
    route = view.route if change.route is None else change.route
    station = change.station if change.station_given else view.station
    if (status, station, route) == (view.status, view.station, view.route):
        return Placement(view.status, view.station, view.position)
    _refuse_shared(view, status, station)
    if view.laminate_role == "parent":
        return Placement(status, station, view.position)
    if view.laminate_role == "sheet":
        _keep_the_sheet(view, status, route)
    if status not in OPEN:
        return _off_the_floor(view, change, status, route)
    return _on_the_floor(view, status, station, route)


def _refuse_shared(view: PaneView, status: str, station: str | None) -> None:
    if view.status in SHARED or status in SHARED:
        raise CorrectionRefused(
            "A merged or claimed pane is corrected by its lamination or claim",
            facts={"status": str(view.status)},
        )
    moved = (status, station) != (view.status, view.station)
    if view.laminate_role == "parent" and moved:
        raise LaminateParent


def _keep_the_sheet(view: PaneView, status: str, route: Sequence[str]) -> None:
    # Its unit waits for it: only a failed check or a claim takes it out, with a remake.
    if status not in OPEN or view.status not in OPEN:
        raise CorrectionRefused(
            "A sheet leaves its unit by qc_fail or a claim only",
            facts={"status": status},
        )
    if not route or route[-1] != view.laminate_station:
        raise CorrectionRefused(
            "The route of a sheet ends at its lamination station",
            facts={"laminateStation": view.laminate_station},
        )


def _off_the_floor(
    view: PaneView, change: Correction, status: str, route: tuple[str, ...]
) -> Placement:
    # With its status sent along, a station is an echo of the record and gives way.
    if change.station is not None and change.status is None:
        raise CorrectionRefused(
            f"A pane that is {status} stands at no station: correct its status too",
            facts={"status": status},
        )
    done = status == Status.COMPLETED
    position = len(route) if done else min(view.position, len(route))
    return Placement(status, None, position)


def _on_the_floor(
    view: PaneView, status: str, station: str | None, route: tuple[str, ...]
) -> Placement:
    if station is None:
        # Nowhere is a place for an unrouted pane; a first route leads to its start.
        free = not route or not view.route
        if free and status == Status.PENDING and view.status in OPEN:
            return initial(route)
        raise StationNeeded(status)
    if view.position < 0 and station == view.station:
        return Placement(status, station, view.position)
    if not route:
        return Placement(status, station, 0)
    return Placement(status, station, nearest(route, station, view.position))
