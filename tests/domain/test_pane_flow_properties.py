"""Properties of every pane and every scan, in any order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassflow.domain.errors import Refusal
from glassflow.domain.panes.flow import Outcome, decide
from glassflow.domain.panes.route import initial
from glassflow.domain.panes.status import (
    OPEN,
    TERMINAL,
    Action,
    PaneView,
    ScanFacts,
    Status,
)

QUICK = settings(max_examples=150)

# Retyped from the rules, to detect a mistake in the table of the code.
MOVES = {
    ("scan_in", "pending"): {"in_progress"},
    ("scan_in", "in_progress"): {"in_progress"},
    ("start", "pending"): {"in_progress"},
    ("start", "in_progress"): {"in_progress"},
    ("complete", "pending"): {"awaiting_scan_out"},
    ("complete", "in_progress"): {"awaiting_scan_out"},
    ("complete", "awaiting_scan_out"): {"awaiting_scan_out"},
    ("scan_out", "awaiting_scan_out"): {"pending", "completed"},
    ("qc_pass", "awaiting_scan_out"): {"pending", "completed"},
    ("qc_fail", "awaiting_scan_out"): {"defected"},
}
# With `beforeComplete`, also these.
EARLY = {
    (action, status): MOVES[(action, "awaiting_scan_out")]
    for action in ("scan_out", "qc_pass", "qc_fail")
    for status in ("pending", "in_progress")
}
DECIDED = [action for action in Action if action != "laminate"]

stations = st.sampled_from(["cut", "edge", "laminate", "wash"])
given_stations = st.none() | stations
routes = st.lists(stations, max_size=5).map(tuple)
actions = st.sampled_from(DECIDED)
facts_of_any_kind = st.builds(
    ScanFacts,
    station=given_stations,
    policy=st.sampled_from(["guided", "lenient"]),
    work_cancelled=st.booleans(),
    maintenance=st.booleans(),
    reason=st.none() | st.just("broken"),
    before_complete=st.booleans(),
)


@st.composite
def panes(draw: st.DrawFn) -> PaneView:
    """Draw panes as the store may contain them, consistent ones and others."""
    route = draw(routes)
    route_index = draw(st.integers(-1, len(route)))
    on_the_route = 0 <= route_index < len(route)
    return PaneView(
        status=draw(st.sampled_from(list(Status))),
        station=route[route_index] if on_the_route else draw(given_stations),
        route=route,
        route_index=route_index,
        laminate_role=draw(st.sampled_from(["single", "sheet", "parent"])),
        laminate_station=draw(st.none() | st.just("laminate")),
    )


def outcome_of(view: PaneView, action: str, facts: ScanFacts) -> Outcome | None:
    try:
        return decide(view, action, facts)
    except Refusal:
        return None


def after(view: PaneView, outcome: Outcome) -> PaneView:
    return replace(
        view,
        status=outcome.status,
        station=outcome.station,
        route_index=outcome.route_index,
    )


@pytest.mark.slow
@QUICK
@given(panes(), actions, facts_of_any_kind)
def test_only_the_moves_of_the_table_happen(view, action, facts):
    outcome = outcome_of(view, action, facts)
    if outcome is not None:
        moves = MOVES | EARLY if facts.before_complete else MOVES
        assert outcome.status in moves[(action, view.status)]


@QUICK
@given(panes(), actions, facts_of_any_kind)
def test_outcome_is_consistent(view, action, facts):
    outcome = outcome_of(view, action, facts)
    if outcome is None:
        return
    assert outcome.completed == (outcome.status == Status.COMPLETED)
    assert (outcome.station is None) == (outcome.status in TERMINAL)
    assert outcome.implied_scan_in <= outcome.started
    assert outcome.implied_complete <= (action in ("scan_out", "qc_pass"))
    assert outcome.implied_complete <= (view.status != Status.AWAITING_SCAN_OUT)
    if outcome.status in OPEN and 0 <= outcome.route_index < len(view.route):
        assert view.route[outcome.route_index] == outcome.station


@QUICK
@given(panes(), actions, facts_of_any_kind)
def test_terminal_statuses_refuse_every_action(view, action, facts):
    if view.status in TERMINAL:
        with pytest.raises(Refusal) as caught:
            decide(view, action, facts)
        assert caught.value.code


@pytest.mark.slow
@QUICK
@given(routes, st.lists(st.tuples(actions, facts_of_any_kind), max_size=25))
def test_refused_scans_do_not_change_the_state(route, scans):
    start = initial(route)
    view = bare = PaneView(start.status, start.station, route, start.route_index)
    accepted = []
    for action, facts in scans:
        before = view
        outcome = outcome_of(view, action, facts)
        if outcome is None:
            assert view == before
        else:
            accepted.append((action, facts))
            view = after(view, outcome)
    for action, facts in accepted:
        bare = after(bare, decide(bare, action, facts))
    assert bare == view


@QUICK
@given(panes(), actions, facts_of_any_kind)
def test_guided_route_index_moves_forward_by_one_step_only(view, action, facts):
    outcome = outcome_of(view, action, replace(facts, policy="guided"))
    if outcome is not None:
        steps = outcome.route_index - view.route_index
        forward = action in ("scan_out", "qc_pass")
        # A route_index past the end belongs to no open pane; it is capped at the end.
        assert steps == 1 or not forward or view.route_index >= len(view.route)
        assert steps in ((0, 1) if forward else (0,))
        assert outcome.jumped_from is None


@QUICK
@given(panes(), actions, facts_of_any_kind)
def test_lenient_jump_stays_on_the_route_and_is_reported(view, action, facts):
    outcome = outcome_of(view, action, replace(facts, policy="lenient"))
    if outcome is not None and outcome.jumped_from is not None:
        assert action in ("scan_in", "start")
        assert outcome.jumped_from == view.route_index != outcome.route_index
        assert view.route[outcome.route_index] == facts.station


@QUICK
@given(st.lists(stations, min_size=1, max_size=8).map(tuple))
def test_routed_pane_is_completed_after_as_many_rounds_as_steps(route):
    start = initial(route)
    view = PaneView(start.status, start.station, route, start.route_index)
    for station in route:
        assert view.status == Status.PENDING
        for action in ("scan_in", "complete", "scan_out"):
            view = after(view, decide(view, action, ScanFacts(station=station)))
    assert (view.status, view.station) == (Status.COMPLETED, None)
    assert view.route_index == len(route)


@QUICK
@given(stations)
def test_unrouted_pane_is_completed_after_one_round(station):
    view = PaneView("pending", None)
    for action in ("scan_in", "complete", "scan_out"):
        view = after(view, decide(view, action, ScanFacts(station=station)))
    assert view.status == Status.COMPLETED
