"""The questions a scan must pass. Each guard raises its refusal or says nothing.

The first line of a guard's docstring is printed in the documentation of the flow.
"""

from glassflow.domain.pane_state import (
    LENIENT,
    TERMINAL,
    Action,
    Facts,
    PaneView,
    Status,
)
from glassflow.domain.scan_refusals import (
    AlreadyTerminal,
    LaminateParent,
    ReasonRequired,
    StationInMaintenance,
    StationUnknown,
    UnmergedSheet,
    WorkCancelled,
    WrongStation,
)

JUMPING = frozenset({Action.SCAN_IN, Action.START})


def pane_is_in_the_flow(view: PaneView, action: Action, facts: Facts) -> None:
    """The pane is not completed, claimed, defected, merged or cancelled."""
    if view.status in TERMINAL:
        raise AlreadyTerminal(view.status)


def pane_is_no_dormant_parent(view: PaneView, action: Action, facts: Facts) -> None:
    """The pane is not the dormant parent of a laminate group."""
    if view.laminate_role == "parent":
        raise LaminateParent


def work_goes_on(view: PaneView, action: Action, facts: Facts) -> None:
    """Neither the order nor the request of the pane is cancelled."""
    if facts.work_cancelled:
        raise WorkCancelled


def station_is_the_present_one(view: PaneView, action: Action, facts: Facts) -> None:
    """The given station is the pane's present route step.

    A pane without a route may be taken in anywhere: by scan_in always, by an action
    that implies it while the pane is pending. The lenient policy lets scan_in and
    start name any station of the route.
    """
    present = view.present_station
    if facts.station is None or present is None or facts.station == present:
        return
    if not view.route and (action is Action.SCAN_IN or view.status == Status.PENDING):
        return
    jumps = facts.policy == LENIENT and action in JUMPING
    if jumps and facts.station in view.route:
        return
    raise WrongStation(present, facts.station, facts.station_names)


def station_is_known(view: PaneView, action: Action, facts: Facts) -> None:
    """A station is given, or the pane stands at one."""
    # A routed pane that stands nowhere has lost its step: only a correction helps.
    if view.present_station is None and (facts.station is None or view.route):
        raise StationUnknown


def station_takes_panes_in(view: PaneView, action: Action, facts: Facts) -> None:
    """A station in maintenance takes no pane in, not by implication either."""
    takes_in = action is Action.SCAN_IN or view.status == Status.PENDING
    if facts.maintenance and takes_in:
        station = facts.station or view.present_station or ""
        raise StationInMaintenance(station, facts.station_names)


def sheet_is_merged(view: PaneView, action: Action, facts: Facts) -> None:
    """The pane is not an unmerged sheet at its lamination station."""
    if view.laminate_role == "sheet" and view.present_station == view.laminate_station:
        raise UnmergedSheet


def reason_is_given(view: PaneView, action: Action, facts: Facts) -> None:
    """The scan carries a reason."""
    if not facts.reason:
        raise ReasonRequired
