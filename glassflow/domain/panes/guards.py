"""The conditions of a scan. A guard raises its refusal if its condition does not hold.

The docstring of a guard states the condition, and is printed in docs/pane-flow.md.
"""

from glassflow.domain.panes.refusals import (
    AlreadyTerminal,
    LaminateParent,
    NotLaminated,
    ReasonRequired,
    StationInMaintenance,
    StationUnknown,
    UnmergedSheet,
    WorkCancelled,
    WrongStation,
)
from glassflow.domain.panes.status import (
    TERMINAL,
    Action,
    LaminateRole,
    PaneView,
    ScanFacts,
    ScanPolicy,
    Status,
)

# Under the lenient policy these may name any station of the route, and with `moveHere`.
JUMPING = frozenset({Action.SCAN_IN, Action.START})


def _may_jump(action: Action, facts: ScanFacts) -> bool:
    is_free = facts.policy == ScanPolicy.LENIENT or facts.move_here
    return is_free and action in JUMPING


def implies_scan_out(view: PaneView, action: Action, facts: ScanFacts) -> bool:
    """Return whether a scan at a later station shows that a scan_out was forgotten."""
    return (
        _may_jump(action, facts)
        and view.status == Status.AWAITING_SCAN_OUT
        and facts.station != view.present_station
        and facts.station in view.route[view.route_index + 1 :]
    )


def pane_is_open(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The pane is not completed, claimed, defected, merged or cancelled."""
    if view.status in TERMINAL:
        raise AlreadyTerminal(view.status)


def pane_is_no_dormant_parent(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The pane is not the dormant parent of a laminated unit."""
    if view.laminate_role == LaminateRole.PARENT:
        raise LaminateParent


def work_is_not_cancelled(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """Neither the order nor the request of the pane is cancelled."""
    if facts.work_cancelled:
        raise WorkCancelled


def station_is_the_present_one(
    view: PaneView, action: Action, facts: ScanFacts
) -> None:
    """The given station is the pane's present route step.

    A pane without a route can be scanned in at any station: by scan_in at any time, by
    an action that implies scan_in while the pane is pending. The lenient policy lets
    scan_in and start name any station of the route, `moveHere` lets a scan_in do so; of a
    pane that awaits its scan_out they name a later one, which implies the scan_out.
    """
    present = view.present_station
    if facts.station is None or present is None or facts.station == present:
        return
    if not view.route and (action is Action.SCAN_IN or view.status == Status.PENDING):
        return
    if _may_jump(action, facts) and facts.station in view.route:
        return
    raise WrongStation(present, facts.station, facts.station_names)


def station_is_known(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The scan names a station, or the pane is at one."""
    # A pane with a route but without a station has lost its step; it needs a correction.
    if view.present_station is None and (facts.station is None or view.route):
        raise StationUnknown


def station_accepts_panes(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """No pane is scanned in at a station in maintenance, not by implication either."""
    scans_in = action is Action.SCAN_IN or view.status == Status.PENDING
    if facts.maintenance and scans_in:
        station = facts.station or view.present_station or ""
        raise StationInMaintenance(station, facts.station_names)


def sheet_is_merged(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The pane is not an unmerged sheet at its lamination station."""
    sheet = view.laminate_role == LaminateRole.SHEET
    if sheet and view.present_station == view.laminate_station:
        raise UnmergedSheet


def reason_is_given(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The scan has a reason."""
    if not facts.reason:
        raise ReasonRequired


def unit_is_not_laminated(view: PaneView, action: Action, facts: ScanFacts) -> None:
    """The pane is a sheet or the dormant parent of a unit, and not merged yet."""
    if view.laminate_role == LaminateRole.SINGLE or view.laminate_station is None:
        raise NotLaminated(survivor=view.number if view.merged else None)


def station_laminates_the_unit(
    view: PaneView, action: Action, facts: ScanFacts
) -> None:
    """The given station is the lamination station of the unit."""
    station = view.laminate_station
    if station and facts.station not in (None, station):
        raise WrongStation(station, str(facts.station), facts.station_names)
