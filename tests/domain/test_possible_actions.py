"""What a screen is told to do next equals what a scan would do."""

import pytest
from pane_views import CUT, EDGE, ROUTE, WASH, at, pane, unrouted

from glassflow.domain.errors import Refusal
from glassflow.domain.panes.flow import decide
from glassflow.domain.panes.lamination import SheetPresence
from glassflow.domain.panes.next_step import expected_action, refusals, step_states
from glassflow.domain.panes.status import Action, Status

SHEET = {"laminate_role": "sheet", "laminate_station": WASH, "parent": "p"}


def allowed(view, facts, sheets=None):
    found = refusals(view, facts, sheets)
    return [action for action, refusal in found.items() if refusal is None]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("pending", "scan_in"),
        ("in_progress", "complete"),
        ("awaiting_scan_out", "scan_out"),
    ],
)
def test_open_pane_goes_on_by_its_status(status, expected):
    view = pane(status, 1)
    assert expected_action(view, EDGE) == expected_action(view, None) == expected
    assert expected in allowed(view, at(EDGE))


def test_pane_leaves_a_check_station_by_a_passed_check():
    def expected(status, station=EDGE, **view):
        return expected_action(pane(status, 1, **view), station, is_checked=True)

    assert expected("awaiting_scan_out") == "qc_pass"
    assert expected("awaiting_scan_out", None) == "qc_pass"
    assert expected("awaiting_scan_out", WASH) == "scan_in"
    assert (expected("pending"), expected("in_progress")) == ("scan_in", "complete")
    sheet = {**SHEET, "laminate_station": EDGE}
    assert expected("awaiting_scan_out", **sheet) == "laminate"
    assert {"scan_out", "qc_pass"} <= set(allowed(pane("awaiting_scan_out", 1), at()))


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("station", [None, CUT, EDGE])
def test_what_is_allowed_is_what_a_scan_accepts(status, station):
    view, facts = pane(status, 1), at(station, reason="broken")
    for action, refusal in refusals(view, facts, None).items():
        if action is Action.LAMINATE:
            continue
        if refusal is None:
            decide(view, action, facts)
        else:
            with pytest.raises(Refusal) as scanned:
                decide(view, action, facts)
            assert scanned.value.code == refusal.code
            assert scanned.value.details == refusal.details


def test_failed_check_is_allowed_without_a_reason_yet():
    assert "qc_fail" in allowed(pane("awaiting_scan_out"), at(CUT))


def test_pane_is_taken_in_elsewhere_where_that_is_allowed():
    view = pane("in_progress", 1)
    assert expected_action(view, WASH) == "scan_in"
    assert allowed(view, at(WASH)) == []
    assert allowed(view, at(WASH, policy="lenient")) == ["scan_in", "start"]
    assert expected_action(unrouted("in_progress", CUT), EDGE) == "scan_in"


@pytest.mark.parametrize("status", ["in_progress", "awaiting_scan_out"])
def test_sheet_at_its_lamination_waits_for_the_others(status):
    view = pane(status, 3, **SHEET)
    assert expected_action(view, WASH) == "laminate"
    missing, complete = SheetPresence(("a",), 2), SheetPresence(("a", "b"), 2)
    refusal = refusals(view, at(WASH), missing)["laminate"]
    assert refusal.code == "SHEETS_MISSING"
    assert "laminate" in allowed(view, at(WASH), complete)


def test_parent_is_laminated_and_nothing_else():
    view = pane("pending", 0, **{**SHEET, "laminate_role": "parent"})
    assert expected_action(view, WASH) == "laminate"
    assert allowed(view, at(WASH), SheetPresence(("a", "b"), 2)) == ["laminate"]


def test_steps_are_done_here_or_ahead():
    assert step_states(pane("pending", 1)) == ["done", "here", "ahead", "ahead"]
    assert step_states(pane("defected", 1)) == ["done", "ahead", "ahead", "ahead"]
    assert step_states(pane("awaiting_scan_out", -1, station=WASH)) == ["ahead"] * 4
    done = pane("completed", 0, station=None)
    assert step_states(done) == ["done"] * len(ROUTE)


def test_next_station_is_that_of_the_next_step_of_an_open_pane():
    assert pane("pending", 1).next_station == CUT
    assert pane("pending", 3).next_station is None
    assert pane("defected", 1).next_station is None
    assert pane("awaiting_scan_out", -1, station=WASH).next_station == CUT
