"""The flow of a pane through the workshop: what a scan makes of it.

`decide` reads the table in `pane_table` and answers with an outcome, or raises the
refusal that applies. It changes nothing itself. Lamination is decided on a whole
group of sheets, not here.
"""

from dataclasses import dataclass

from glassflow.domain.pane_state import OPEN, TERMINAL, Action, Facts, PaneView, Status
from glassflow.domain.pane_table import ALWAYS, TABLE, Rule, describe
from glassflow.domain.routing import Correction, Placement, correct, initial, nearest

__all__ = [
    "OPEN",
    "TABLE",
    "TERMINAL",
    "Action",
    "Correction",
    "Facts",
    "Outcome",
    "PaneView",
    "Placement",
    "Status",
    "correct",
    "decide",
    "describe",
    "initial",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scan makes of a pane.

    `started` and `completed` say that the times are to be set (the start once only),
    `left` and `arrived_at` which stations lost and gained the pane, `jumped_from` the
    old position where the lenient policy moved it, `effects` what else has to follow.
    """

    status: Status
    station: str | None
    position: int
    started: bool = False
    completed: bool = False
    arrived_at: str | None = None
    left: str | None = None
    implied_scan_in: bool = False
    jumped_from: int | None = None
    effects: tuple[str, ...] = ()


def decide(view: PaneView, action: str, facts: Facts) -> Outcome:
    """Return what the scan makes of the pane, or raise why it is refused."""
    scan = Action(action)
    rule = TABLE.get(scan)
    if rule is None:
        raise ValueError(f"{scan} concerns a group of sheets and is not decided here")
    for ask in ALWAYS:
        ask(view, scan, facts)
    if view.status not in rule.allowed:
        raise rule.otherwise(view.status)
    for ask in rule.guards:
        ask(view, scan, facts)
    if rule.to is None:
        return _onward(view, rule, facts)
    if rule.to in TERMINAL:
        return _taken_out(view, rule, rule.to, facts)
    return _at_the_station(view, rule, rule.to, facts)


def _at_the_station(view: PaneView, rule: Rule, to: Status, facts: Facts) -> Outcome:
    station = facts.station or view.present_station
    position = view.position
    # Only the lenient policy and unrouted panes get here with another station.
    if view.route and station is not None and station != view.present_station:
        position = nearest(view.route, station, view.position)
    implied = rule.implies_scan_in and view.status == Status.PENDING
    return Outcome(
        status=to,
        station=station,
        position=position,
        started=implied or to == Status.IN_PROGRESS,
        left=view.station if view.station != station else None,
        implied_scan_in=implied,
        jumped_from=view.position if position != view.position else None,
        effects=rule.effects,
    )


def _onward(view: PaneView, rule: Rule, facts: Facts) -> Outcome:
    left = view.present_station or facts.station
    position = view.position + 1
    if position >= len(view.route):
        return Outcome(
            status=Status.COMPLETED,
            station=None,
            position=len(view.route),
            completed=True,
            left=left,
            effects=rule.effects,
        )
    station = view.route[position]
    return Outcome(
        status=Status.PENDING,
        station=station,
        position=position,
        arrived_at=station,
        left=left,
        effects=rule.effects,
    )


def _taken_out(view: PaneView, rule: Rule, to: Status, facts: Facts) -> Outcome:
    return Outcome(
        status=to,
        station=None,
        position=view.position,
        left=view.present_station or facts.station,
        effects=rule.effects,
    )
