"""Scans at other stations: of panes without a route, or by the lenient policy."""

from dataclasses import replace

import pytest
from pane_views import CUT, EDGE, ROUTE, WASH, at, pane, refusal, unrouted

from glassflow.domain.panes.flow import Outcome, decide
from glassflow.domain.panes.status import Action, PaneView, Status
from glassflow.domain.panes.table import effects_of

# Panes without a route


@pytest.mark.parametrize("action", ["scan_in", "start", "complete"])
@pytest.mark.parametrize("standing", [None, EDGE])
def test_unrouted_pane_can_be_scanned_in_anywhere(standing, action):
    outcome = decide(unrouted(station=standing), action, at(WASH))
    assert (outcome.station, outcome.left) == (WASH, standing)
    assert outcome.started


def test_unrouted_pane_moves_by_scan_in_while_in_progress():
    outcome = decide(unrouted("in_progress", CUT), "scan_in", at(WASH))
    assert (outcome.station, outcome.left) == (WASH, CUT)


@pytest.mark.parametrize("action", ["start", "complete", "scan_out"])
def test_unrouted_pane_in_progress_stays_at_its_station(action):
    caught = refusal(unrouted("in_progress", CUT), action, at(WASH))
    assert caught.code == "WRONG_STATION"


def test_unrouted_pane_completes_at_its_first_scan_out():
    outcome = decide(unrouted("awaiting_scan_out", CUT), "scan_out", at(CUT))
    assert outcome.completed
    assert outcome.status == "completed"


def test_pane_without_a_station_needs_one_in_the_scan():
    assert refusal(unrouted(), "scan_in", at()).code == "STATION_UNKNOWN"
    assert refusal(unrouted(), "scan_out", at()).code == "NOT_COMPLETED_YET"


def test_routed_pane_without_a_current_step_is_refused():
    lost = PaneView("pending", None, ROUTE, len(ROUTE))
    assert refusal(lost, "scan_in", at(WASH)).code == "STATION_UNKNOWN"


# The lenient policy


@pytest.mark.parametrize("action", ["scan_in", "start"])
@pytest.mark.parametrize(
    ("route_index", "given", "expected"),
    [(0, WASH, 3), (1, CUT, 2), (3, CUT, 2), (3, EDGE, 1)],
)
def test_lenient_policy_moves_the_route_index(action, route_index, given, expected):
    facts = at(given, policy="lenient")
    outcome = decide(pane("in_progress", route_index), action, facts)
    assert (outcome.station, outcome.route_index) == (given, expected)
    assert (outcome.jumped_from, outcome.left) == (route_index, ROUTE[route_index])


def test_lenient_policy_does_not_jump_within_the_current_step():
    outcome = decide(pane(), "scan_in", at(CUT, policy="lenient"))
    in_place = Outcome(Status.IN_PROGRESS, CUT, 0, started=True)
    assert outcome == replace(in_place, effects=effects_of(Action.SCAN_IN))


def test_lenient_policy_jumps_only_on_the_route_and_by_scan_in():
    lenient = at("elsewhere", policy="lenient")
    assert refusal(pane(), "scan_in", lenient).code == "WRONG_STATION"
    lenient = at(WASH, policy="lenient")
    assert refusal(pane(), "complete", lenient).code == "WRONG_STATION"
