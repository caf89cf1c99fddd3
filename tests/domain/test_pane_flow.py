"""The plain line: what accepted scans make of a pane, and the table behind it."""

from pathlib import Path

import pytest
from pane_views import CUT, EDGE, ROUTE, WASH, at, pane

from glassflow.domain.pane_flow import (
    TERMINAL,
    Outcome,
    PaneView,
    Status,
    decide,
    describe,
)

PAGE = Path(__file__).parents[2] / "docs" / "pane-flow.md"


def test_scan_in_starts_the_work_at_the_present_step():
    assert decide(pane(), "scan_in", at(CUT)) == Outcome(
        Status.IN_PROGRESS, CUT, 0, started=True
    )


def test_scan_in_may_be_repeated():
    outcome = decide(pane("in_progress"), "scan_in", at(CUT))
    assert (outcome.status, outcome.position) == ("in_progress", 0)


def test_a_scan_without_a_station_is_one_where_the_pane_is():
    assert decide(pane(position=1), "start", at()).station == EDGE


def test_complete_leads_to_awaiting_scan_out():
    outcome = decide(pane("in_progress"), "complete", at(CUT))
    assert outcome == Outcome(Status.AWAITING_SCAN_OUT, CUT, 0)


def test_complete_from_pending_implies_a_scan_in():
    outcome = decide(pane(), "complete", at(CUT))
    assert outcome.implied_scan_in
    assert outcome.started
    assert outcome.status == "awaiting_scan_out"


def test_complete_twice_is_fine_and_implies_nothing():
    outcome = decide(pane("awaiting_scan_out"), "complete", at(CUT))
    assert outcome == Outcome(Status.AWAITING_SCAN_OUT, CUT, 0)


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_leaving_a_station_leads_to_the_next_step(action):
    outcome = decide(pane("awaiting_scan_out"), action, at(CUT))
    assert (outcome.status, outcome.station, outcome.position) == ("pending", EDGE, 1)
    assert (outcome.left, outcome.arrived_at) == (CUT, EDGE)
    assert not outcome.completed


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_leaving_the_last_station_completes_the_pane(action):
    outcome = decide(pane("awaiting_scan_out", 3), action, at(WASH))
    assert (outcome.status, outcome.station) == ("completed", None)
    assert outcome.position == len(ROUTE)
    assert outcome.completed
    assert outcome.arrived_at is None
    assert outcome.left == WASH


def test_a_repeated_station_is_told_apart_by_the_position():
    outcome = decide(pane("awaiting_scan_out", 2), "scan_out", at(CUT))
    assert (outcome.station, outcome.position) == (WASH, 3)


def test_the_same_station_twice_in_a_row_is_two_steps():
    view = PaneView("awaiting_scan_out", CUT, (CUT, CUT), 0)
    outcome = decide(view, "scan_out", at())
    assert (outcome.station, outcome.position) == (CUT, 1)


def test_qc_fail_takes_the_pane_out_and_asks_for_a_remake():
    outcome = decide(pane("awaiting_scan_out", 1), "qc_fail", at(EDGE, reason="broken"))
    assert (outcome.status, outcome.station, outcome.left) == ("defected", None, EDGE)
    assert "remake" in outcome.effects


def test_a_survivor_goes_from_before_its_route_to_the_first_step():
    view = PaneView("awaiting_scan_out", "laminate", (EDGE, WASH), -1)
    outcome = decide(view, "scan_out", at("laminate"))
    assert (outcome.station, outcome.position, outcome.left) == (EDGE, 0, "laminate")


def test_a_survivor_without_further_steps_is_completed():
    view = PaneView("awaiting_scan_out", "laminate", (), -1)
    outcome = decide(view, "scan_out", at())
    assert (outcome.status, outcome.position) == ("completed", 0)


def test_three_statuses_can_be_scanned_and_five_are_terminal():
    assert {
        "completed",
        "claimed",
        "defected",
        "merged_into",
        "cancelled",
    } == TERMINAL
    assert set(Status) - TERMINAL == {"pending", "in_progress", "awaiting_scan_out"}


def test_the_documentation_is_printed_from_the_table():
    assert PAGE.read_text(encoding="utf-8") == describe()
