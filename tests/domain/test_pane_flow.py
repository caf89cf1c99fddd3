"""Accepted scans on a route, and the table of the pane flow."""

from pathlib import Path

import pytest
from pane_views import CUT, EDGE, ROUTE, WASH, at, pane

from glassflow.domain.panes.flow import Outcome, decide
from glassflow.domain.panes.status import TERMINAL, Action, PaneView, Status
from glassflow.domain.panes.table import describe, effects_of

# Retyped from the rules: the effects of actions that keep the pane at its station.
AT_THE_STATION = ("fill_material", "store_and_log", "recount_order", "announce_sheets")
PAGE = Path(__file__).parents[2] / "docs" / "pane-flow.md"


def test_scan_in_starts_the_work_at_the_current_step():
    assert decide(pane(), "scan_in", at(CUT)) == Outcome(
        Status.IN_PROGRESS, CUT, 0, started=True, effects=AT_THE_STATION
    )


def test_scan_in_may_be_repeated():
    outcome = decide(pane("in_progress"), "scan_in", at(CUT))
    assert (outcome.status, outcome.route_index) == ("in_progress", 0)


def test_scan_without_a_station_is_at_the_station_of_the_pane():
    assert decide(pane(route_index=1), "start", at()).station == EDGE


def test_complete_leads_to_awaiting_scan_out():
    outcome = decide(pane("in_progress"), "complete", at(CUT))
    assert outcome == Outcome(Status.AWAITING_SCAN_OUT, CUT, 0, effects=AT_THE_STATION)


def test_complete_from_pending_implies_a_scan_in():
    outcome = decide(pane(), "complete", at(CUT))
    assert outcome.implied_scan_in
    assert outcome.started
    assert outcome.status == "awaiting_scan_out"


def test_complete_can_be_repeated_and_implies_nothing():
    outcome = decide(pane("awaiting_scan_out"), "complete", at(CUT))
    assert outcome == Outcome(Status.AWAITING_SCAN_OUT, CUT, 0, effects=AT_THE_STATION)


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_leaving_a_station_leads_to_the_next_step(action):
    outcome = decide(pane("awaiting_scan_out"), action, at(CUT))
    assert (outcome.status, outcome.station, outcome.route_index) == (
        "pending",
        EDGE,
        1,
    )
    assert (outcome.left, outcome.arrived_at) == (CUT, EDGE)
    assert not outcome.completed


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_leaving_the_last_station_completes_the_pane(action):
    outcome = decide(pane("awaiting_scan_out", 3), action, at(WASH))
    assert (outcome.status, outcome.station) == ("completed", None)
    assert outcome.route_index == len(ROUTE)
    assert outcome.completed
    assert outcome.arrived_at is None
    assert outcome.left == WASH


def test_repeated_station_is_distinguished_by_the_route_index():
    outcome = decide(pane("awaiting_scan_out", 2), "scan_out", at(CUT))
    assert (outcome.station, outcome.route_index) == (WASH, 3)


def test_same_station_twice_in_a_row_is_two_steps():
    view = PaneView("awaiting_scan_out", CUT, (CUT, CUT), 0)
    outcome = decide(view, "scan_out", at())
    assert (outcome.station, outcome.route_index) == (CUT, 1)


def test_qc_fail_removes_the_pane_and_requests_a_remake():
    outcome = decide(pane("awaiting_scan_out", 1), "qc_fail", at(EDGE, reason="broken"))
    assert (outcome.status, outcome.station, outcome.left) == ("defected", None, EDGE)
    assert "remake" in outcome.effects


def test_survivor_moves_from_before_its_route_to_the_first_step():
    view = PaneView("awaiting_scan_out", "laminate", (EDGE, WASH), -1)
    outcome = decide(view, "scan_out", at("laminate"))
    assert (outcome.station, outcome.route_index, outcome.left) == (EDGE, 0, "laminate")


def test_survivor_without_further_steps_is_completed():
    view = PaneView("awaiting_scan_out", "laminate", (), -1)
    outcome = decide(view, "scan_out", at())
    assert (outcome.status, outcome.route_index) == ("completed", 0)


def test_three_statuses_can_be_scanned_and_five_are_terminal():
    assert {
        "completed",
        "claimed",
        "defected",
        "merged_into",
        "cancelled",
    } == TERMINAL
    assert set(Status) - TERMINAL == {"pending", "in_progress", "awaiting_scan_out"}


LEAVING = (
    "fill_material",
    "store_and_log",
    "recount_order",
    "announce_arrival",
    "announce_completion",
)
EFFECTS = {
    "scan_in": AT_THE_STATION,
    "start": AT_THE_STATION,
    "complete": AT_THE_STATION,
    "scan_out": LEAVING,
    "qc_pass": LEAVING,
    "qc_fail": ("fill_material", "store_and_log", "remake", "recount_order"),
    "laminate": (
        "fill_material",
        "store_and_log",
        "announce_lamination",
        "recount_order",
    ),
}


@pytest.mark.parametrize("action", list(Action))
def test_table_names_the_effects_of_every_action_in_their_order(action):
    assert effects_of(action) == EFFECTS[action]


def test_documentation_is_printed_from_the_table():
    assert PAGE.read_text(encoding="utf-8") == describe()
