"""Refused scans: which rule refuses, and with which message."""

from dataclasses import replace

import pytest
from pane_views import CUT, EDGE, WASH, at, pane, refusal

from glassflow.domain.panes import refusals as refused
from glassflow.domain.panes.flow import decide
from glassflow.domain.panes.status import Action, PaneView


@pytest.mark.parametrize("action", [a for a in Action if a != "laminate"])
def test_wrong_station_is_refused_with_both_stations(action):
    caught = refusal(pane(route_index=1), action, at(WASH))
    assert isinstance(caught, refused.WrongStation)
    assert caught.message == "กระจกอยู่ที่สถานี edge ไม่ใช่ wash"
    assert caught.errors == {
        "code": "WRONG_STATION",
        "currentStation": {"_id": EDGE, "name": "เจียร"},
        "givenStation": {"_id": WASH, "name": "ล้าง"},
    }


def test_later_occurrence_of_a_station_does_not_allow_a_scan_there():
    caught = refusal(pane("awaiting_scan_out", 2), "scan_out", at(EDGE))
    assert isinstance(caught, refused.WrongStation)


@pytest.mark.parametrize("action", ["scan_out", "qc_pass", "qc_fail"])
@pytest.mark.parametrize("status", ["pending", "in_progress"])
def test_leaving_before_complete_is_refused(status, action):
    caught = refusal(pane(status), action, at(CUT, reason="broken"))
    assert caught.code == "NOT_COMPLETED_YET"
    assert "เสร็จสิ้น" in caught.message


@pytest.mark.parametrize("action", ["scan_in", "start"])
def test_completed_work_cannot_be_scanned_in_again(action):
    caught = refusal(pane("awaiting_scan_out"), action, at(CUT))
    assert caught.code == "AWAITING_SCAN_OUT"
    assert "เสร็จสิ้น" not in caught.message


@pytest.mark.parametrize("status", ["completed", "defected", "claimed", "cancelled"])
def test_terminal_pane_is_refused_with_its_status(status):
    caught = refusal(pane(status, station=None), "scan_in", at(WASH))
    assert isinstance(caught, refused.AlreadyTerminal)
    assert f"already {status}" in caught.message
    assert caught.details == {"status": status}


def test_merged_pane_is_refused_by_its_code():
    view = pane("merged_into", merged_into="survivor", laminate_role="parent")
    assert refusal(view, "scan_in", at(CUT)).code == "MERGED_INTO"


def test_unmerged_parent_refuses_scans():
    view = PaneView("pending", None, (WASH,), 0, laminate_role="parent")
    assert refusal(view, "scan_in", at()).code == "LAMINATE_PARENT"


def test_cancelled_work_is_refused():
    caught = refusal(pane(), "scan_in", at(CUT, work_cancelled=True))
    assert caught.code == "WORK_CANCELLED"


@pytest.mark.parametrize("action", ["scan_in", "start", "complete"])
def test_station_in_maintenance_refuses_scan_in(action):
    caught = refusal(pane(), action, at(CUT, maintenance=True))
    assert caught.code == "STATION_IN_MAINTENANCE"
    assert caught.details == {"station": {"_id": CUT, "name": "ตัด"}}


def test_started_work_can_be_completed_during_maintenance():
    facts = at(CUT, maintenance=True)
    assert decide(pane("in_progress"), "complete", facts).status == "awaiting_scan_out"
    assert decide(pane("awaiting_scan_out"), "scan_out", facts).status == "pending"


def test_sheet_does_not_leave_its_lamination_station_unmerged():
    sheet = pane("awaiting_scan_out", 3, laminate_role="sheet", laminate_station=WASH)
    assert refusal(sheet, "scan_out", at()).code == "UNMERGED_SHEET"
    earlier = replace(sheet, route_index=0, station=CUT)
    assert decide(earlier, "scan_out", at()).station == EDGE


def test_qc_fail_needs_a_reason():
    caught = refusal(pane("awaiting_scan_out"), "qc_fail", at(CUT))
    assert caught.code == "REASON_REQUIRED"


@pytest.mark.parametrize("action", ["laminate", "paint"])
def test_unsupported_actions_raise_value_error(action):
    with pytest.raises(ValueError, match=action):
        decide(pane(), action, at())
