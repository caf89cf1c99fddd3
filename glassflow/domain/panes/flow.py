"""The flow of a pane through the workshop: what a scan makes of it.

`decide` reads the table in `domain.panes.table` and returns an outcome, or raises the
refusal that applies; `decide_merge` does so for `laminate`. They change nothing. The
sheets of a unit that is laminated are checked by `domain.panes.lamination`.
"""

from dataclasses import dataclass

from glassflow.domain.panes.guards import implies_scan_out
from glassflow.domain.panes.route import find_step
from glassflow.domain.panes.status import (
    TERMINAL,
    Action,
    Effect,
    PaneView,
    ScanFacts,
    Status,
)
from glassflow.domain.panes.table import TABLE, Rule, effects_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scan makes of a pane.

    `started` and `completed` mean that the times are set (the start only once),
    `implied_scan_in`, `implied_complete` and `implied_scan_out` that these are logged
    before the scan, `left` and `arrived_at` are the stations that lost and gained the pane,
    `jumped_from` is the old route index where a scan at another station moved the pane,
    `skipped` are the stations that had no scan with which the pane left them, `effects` are
    all effects of the scan, in their order. `retired_to` is the status of the other panes
    of a unit, if this is the survivor of its lamination.
    """

    status: Status
    station: str | None
    route_index: int
    started: bool = False
    completed: bool = False
    arrived_at: str | None = None
    left: str | None = None
    implied_scan_in: bool = False
    implied_complete: bool = False
    implied_scan_out: bool = False
    jumped_from: int | None = None
    skipped: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    retired_to: Status | None = None


def _check(view: PaneView, action: Action, facts: ScanFacts) -> Rule:
    """Return the rule of an action, or raise why this pane cannot be scanned with it."""
    rule = TABLE[action]
    for guard in rule.first_guards:
        guard(view, action, facts)
    allowed = (*rule.allowed, *(rule.early if facts.before_complete else ()))
    if view.status not in allowed and not implies_scan_out(view, action, facts):
        raise rule.wrong_status(view.status)
    for guard in rule.guards:
        guard(view, action, facts)
    return rule


def decide(view: PaneView, action: str, facts: ScanFacts) -> Outcome:
    """Return what the scan makes of the pane, or raise why it is refused.

    Raises `ValueError` for an unknown action, and for `laminate`.
    """
    scan = Action(action)
    if TABLE[scan].retired_to is not None:
        raise ValueError(f"{scan} is an action on a whole unit, not on one pane")
    rule = _check(view, scan, facts)
    effects = effects_of(scan)
    if rule.to is None:
        return _to_next_step(view, rule, facts, effects)
    if rule.to in TERMINAL:
        return _defect(view, rule.to, facts, effects)
    return _at_the_station(view, rule, rule.to, facts, effects)


def decide_merge(view: PaneView, facts: ScanFacts) -> Outcome:
    """Return what a lamination makes of the survivor, or raise why it is refused.

    `view` is the scanned pane, a sheet or the dormant parent of the unit.
    """
    rule = _check(view, Action.LAMINATE, facts)
    return Outcome(
        status=rule.to or Status.AWAITING_SCAN_OUT,
        station=view.laminate_station,
        route_index=-1,
        effects=effects_of(Action.LAMINATE),
        retired_to=rule.retired_to,
    )


def _at_the_station(
    view: PaneView,
    rule: Rule,
    to: Status,
    facts: ScanFacts,
    effects: tuple[Effect, ...],
) -> Outcome:
    station = facts.station or view.present_station
    route_index = view.route_index
    # Only under the lenient policy, with `moveHere` or without a route is the station
    # another one here.
    if view.route and station is not None and station != view.present_station:
        route_index = find_step(view.route, station, view.route_index)
    implied = rule.implies_scan_in and view.status == Status.PENDING
    left_before = view.status == Status.AWAITING_SCAN_OUT and rule.to != view.status
    expected = view.route_index + 1 if left_before else view.route_index
    return Outcome(
        status=to,
        station=station,
        route_index=route_index,
        started=implied or to == Status.IN_PROGRESS,
        left=view.station if view.station != station else None,
        implied_scan_in=implied,
        implied_scan_out=left_before,
        jumped_from=view.route_index if route_index != expected else None,
        skipped=view.route[max(expected, 0) : route_index],
        effects=effects,
    )


def _to_next_step(
    view: PaneView, rule: Rule, facts: ScanFacts, effects: tuple[Effect, ...]
) -> Outcome:
    left = view.present_station or facts.station
    route_index = view.route_index + 1
    scans_in = view.status == Status.PENDING
    completes = rule.implies_complete and view.status in rule.early
    if route_index >= len(view.route):
        return Outcome(
            status=Status.COMPLETED,
            station=None,
            route_index=len(view.route),
            started=scans_in,
            completed=True,
            left=left,
            implied_scan_in=scans_in,
            implied_complete=completes,
            effects=effects,
        )
    station = view.route[route_index]
    return Outcome(
        status=Status.PENDING,
        station=station,
        route_index=route_index,
        started=scans_in,
        arrived_at=station,
        left=left,
        implied_scan_in=scans_in,
        implied_complete=completes,
        effects=effects,
    )


def _defect(
    view: PaneView, to: Status, facts: ScanFacts, effects: tuple[Effect, ...]
) -> Outcome:
    return Outcome(
        status=to,
        station=None,
        route_index=view.route_index,
        left=view.present_station or facts.station,
        effects=effects,
    )
