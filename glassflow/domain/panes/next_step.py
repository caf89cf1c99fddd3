"""What can be done with a pane at a station, decided by the functions of the scan."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from glassflow.domain.defects import DefectCode
from glassflow.domain.errors import Refusal
from glassflow.domain.panes import flow, lamination
from glassflow.domain.panes.status import (
    OPEN,
    Action,
    LaminateRole,
    PaneView,
    ScanFacts,
    Status,
)
from glassflow.domain.panes.table import TABLE

# The action that takes an open pane on at its station.
NEXT_ACTION: Mapping[str, Action] = {
    Status.PENDING: Action.SCAN_IN,
    Status.IN_PROGRESS: Action.COMPLETE,
    Status.AWAITING_SCAN_OUT: Action.SCAN_OUT,
}


class StepState(StrEnum):
    """Where a pane is relative to a step of its route."""

    DONE = "done"
    HERE = "here"
    AHEAD = "ahead"


def step_states(view: PaneView) -> list[StepState]:
    """Return the state of each step of the route; only an open pane is at one."""
    return [_state(view, index) for index in range(len(view.route))]


def _state(view: PaneView, index: int) -> StepState:
    if index < view.route_index or view.status == Status.COMPLETED:
        return StepState.DONE
    here = index == view.route_index and view.status in OPEN
    return StepState.HERE if here else StepState.AHEAD


def expected_action(
    view: PaneView, station: str | None, *, is_checked: bool = False
) -> Action:
    """Return the action that takes a pane on at a station, None for where it is.

    At another station that is to take the pane in. `is_checked`: the pane is at a check
    station, which it leaves by a passed check. The action may be refused.
    """
    if view.laminate_role == LaminateRole.PARENT or _waits_for_lamination(view):
        return Action.LAMINATE
    if station not in (None, view.present_station):
        return Action.SCAN_IN
    action = NEXT_ACTION.get(view.status, Action.SCAN_IN)
    return Action.QC_PASS if is_checked and action is Action.SCAN_OUT else action


def _waits_for_lamination(view: PaneView) -> bool:
    at_lamination = view.present_station == view.laminate_station
    is_sheet = view.laminate_role == LaminateRole.SHEET
    return is_sheet and at_lamination and view.status in lamination.PRESENT


def refusals(
    view: PaneView, facts: ScanFacts, sheets: lamination.SheetPresence | None
) -> dict[Action, Refusal | None]:
    """Return why each action is refused, None for one that would be accepted.

    `sheets` are those of the pane's unit, None for a pane of no unit. A `qc_fail` gets a
    reason, and a `laminate` of a parent one of its sheets.
    """
    facts = replace(facts, reason=facts.reason or DefectCode.OTHER)
    return {action: _refusal(view, action, facts, sheets) for action in Action}


def allowed_early(view: PaneView, facts: ScanFacts) -> list[Action]:
    """Return the actions that a scan with `before_complete` is accepted with.

    Of those that it concerns, whether the pane needs it or not.
    """
    early = refusals(view, replace(facts, before_complete=True), None)
    return [one for one, why in early.items() if TABLE[one].early and why is None]


def skipped_by_move(view: PaneView, facts: ScanFacts) -> tuple[str, ...] | None:
    """Return the stations that a scan_in with `move_here` would skip.

    None where it would be refused, or where the pane is at the station already.
    """
    if facts.station in (None, view.present_station):
        return None
    try:
        moved = flow.decide(view, Action.SCAN_IN, replace(facts, move_here=True))
    except Refusal:
        return None
    return moved.skipped


def _refusal(
    view: PaneView,
    action: Action,
    facts: ScanFacts,
    sheets: lamination.SheetPresence | None,
) -> Refusal | None:
    try:
        if action is Action.LAMINATE:
            flow.decide_merge(view, facts)
            if sheets is not None:
                lamination.require_complete(sheets)
        else:
            flow.decide(view, action, facts)
    except Refusal as refusal:
        return refusal
    return None
