"""Where a pane may go where it likes: without a route, or by the lenient policy."""

import pytest
from pane_views import CUT, EDGE, ROUTE, WASH, at, pane, refusal, unrouted

from glassflow.domain.pane_flow import Outcome, PaneView, Status, decide

# Panes without a route


@pytest.mark.parametrize("action", ["scan_in", "start", "complete"])
@pytest.mark.parametrize("standing", [None, EDGE])
def test_an_unrouted_pane_is_taken_in_anywhere(standing, action):
    outcome = decide(unrouted(station=standing), action, at(WASH))
    assert (outcome.station, outcome.left) == (WASH, standing)
    assert outcome.started


def test_an_unrouted_pane_moves_by_scan_in_while_in_progress():
    outcome = decide(unrouted("in_progress", CUT), "scan_in", at(WASH))
    assert (outcome.station, outcome.left) == (WASH, CUT)


@pytest.mark.parametrize("action", ["start", "complete", "scan_out"])
def test_an_unrouted_pane_in_work_stays_with_its_station(action):
    caught = refusal(unrouted("in_progress", CUT), action, at(WASH))
    assert caught.code == "WRONG_STATION"


def test_an_unrouted_pane_completes_at_its_first_scan_out():
    outcome = decide(unrouted("awaiting_scan_out", CUT), "scan_out", at(CUT))
    assert outcome.completed
    assert outcome.status == "completed"


def test_a_pane_that_stands_nowhere_needs_a_station():
    assert refusal(unrouted(), "scan_in", at()).code == "STATION_UNKNOWN"
    assert refusal(unrouted(), "scan_out", at()).code == "NOT_COMPLETED_YET"


def test_a_routed_pane_that_lost_its_step_is_not_guessed_back():
    lost = PaneView("pending", None, ROUTE, len(ROUTE))
    assert refusal(lost, "scan_in", at(WASH)).code == "STATION_UNKNOWN"


# The lenient policy


@pytest.mark.parametrize("action", ["scan_in", "start"])
@pytest.mark.parametrize(
    ("position", "given", "expected"),
    [(0, WASH, 3), (1, CUT, 2), (3, CUT, 2), (3, EDGE, 1)],
)
def test_the_lenient_policy_moves_the_position(action, position, given, expected):
    facts = at(given, policy="lenient")
    outcome = decide(pane("in_progress", position), action, facts)
    assert (outcome.station, outcome.position) == (given, expected)
    assert (outcome.jumped_from, outcome.left) == (position, ROUTE[position])


def test_the_lenient_policy_does_not_jump_within_the_present_step():
    outcome = decide(pane(), "scan_in", at(CUT, policy="lenient"))
    assert outcome == Outcome(Status.IN_PROGRESS, CUT, 0, started=True)


def test_the_lenient_policy_keeps_to_the_route_and_to_taking_in():
    lenient = at("elsewhere", policy="lenient")
    assert refusal(pane(), "scan_in", lenient).code == "WRONG_STATION"
    lenient = at(WASH, policy="lenient")
    assert refusal(pane(), "complete", lenient).code == "WRONG_STATION"
