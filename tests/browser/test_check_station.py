"""A check station in a real browser: panes are passed, failed and measured."""

import pytest

from browser.pages import ENGLISH, LIVE, see, unexpected
from browser.station_steps import (
    FAILED,
    KEPT,
    NEXT,
    YES,
    command,
    offers,
    open_station,
    pause,
    says,
    scan,
    status,
)
from lookups import pane_actions, pane_of, remakes_of
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

FAIL, MEASURE, FOUND = ".buttons .fail", ".buttons .measure", ".found"
HOLD, DECIDE = ".hold button", ".decide .main-button"
ASKS = ".buttons[data-checks]"


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    """An order of four panes of 800 × 2000 mm ±1 that are checked and then packed."""
    size = {"width": 800, "height": 2000, "thickness": 8}
    pane = {"dimensions": size, "dimensionTolerance": "±1"}
    made = order_with_panes(admin, workshop, steps=2, panes=4, pane=pane)
    check = {"name": "ตรวจสอบคุณภาพ (QC)", "isCheckStation": True}
    assert admin.patch(f"/api/stations/{made.stations[0]}", check).status == 200
    made.address = f"/floor/s/{made.stations[0]}"
    return made


def logs_of(admin, number):
    pane = pane_of(admin, number)["_id"]
    return admin.get("/api/pane-logs", paneId=pane, sort="_id", limit=100).data


def type_values(tab, *values):
    """Type as a gauge does that is connected as a keyboard: each value ends with Enter."""
    for value in values:
        for character in value:
            tab.press(character)
        tab.press("Enter")


def test_panes_are_passed_measured_and_failed_at_a_check_station(
    chromium, server, admin, account, job
):
    first, second, third, fourth = job.numbers
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{first}")
    offers(tab, "Take in")
    scan(tab, f"STDPLUS:{first}", paused=True)
    tab.wait(ASKS)
    assert [tab.text(one).strip() for one in (NEXT, FAIL)] == ["Passed", "Failed"]
    scan(tab, f"STDPLUS:{first}", paused=True)  # decides nothing
    says(tab, ".notice", "Passed or failed?")
    assert status(admin, first) == "in_progress"
    tab.click(NEXT)
    says(tab, YES, "Passed", "Next:")
    assert pane_actions(admin, first)[-3:] == ["scan_in", "complete", "qc_pass"]
    tab.click(".undo")
    says(tab, YES, "Undone")
    assert status(admin, first) == "in_progress"

    tab.wait(ASKS)
    tab.click(MEASURE)
    tab.wait(".measure input")
    type_values(tab, "801", "1999.5", "2154", "2155")
    see(tab, FOUND, "Width 1 mm too large")
    see(tab, FOUND, "Height 0.5 mm too small")
    see(tab, FOUND, "Diagonals differ by 1 mm")
    tab.press("Enter")  # on "Passed"
    says(tab, YES, "Passed")
    kept = logs_of(admin, first)[-1]
    assert kept["measured"] == {
        "width": 801,
        "height": 1999.5,
        "diagonals": [2154, 2155],
        "ordered": {"width": 800, "height": 2000},
        "tolerance": "±1",
    }

    scan(tab, f"STDPLUS:{second}")
    offers(tab, "Take in")
    command(tab, "NEXT")
    tab.wait(ASKS)
    tab.click(MEASURE)
    tab.wait(".measure input")
    for key in ("8", "0", "4", "delete", "3"):
        tab.click(f'.keys [data-key="{key}"]')
    see(tab, FOUND, "Width 3 mm too large")
    assert tab.text(DECIDE).strip() == "Failed: wrong size"
    assert tab.count(DECIDE) == 1
    tab.click(DECIDE)
    see(tab, ".summary", "Wrong size")
    see(tab, ".measured", "803")
    tab.wait(HOLD)
    tab.hold(HOLD, 900)
    says(tab, FAILED, "Recorded as failed")
    failed = logs_of(admin, second)[-1]
    assert (failed["reason"], failed["measured"]["width"]) == ("dimension_wrong", 803)
    assert len(remakes_of(admin, second)) == 1

    tab.click(".signs .icon-button:last-child")
    tab.click('.option:has-text("Only passed or failed")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{third}")
    tab.wait(ASKS)
    chromium.call("offline", True)
    pause(tab)
    command(tab, "NEXT")  # the card says "passed"
    says(tab, KEPT, "Passed")
    chromium.call("offline", False)
    wait_until(lambda: pane_of(admin, third)["currentStation"] == job.stations[1])
    assert pane_actions(admin, third)[-3:] == ["scan_in", "complete", "qc_pass"]
    tab.wait(LIVE)
    scan(tab, f"STDPLUS:{fourth}")
    tab.wait(ASKS)
    admin.patch(f"/api/stations/{job.stations[0]}", {"isCheckStation": False})
    wait_until(lambda: tab.count(ASKS) == 0)
    scan(tab, f"STDPLUS:{fourth}", paused=True)
    says(tab, YES, "Done and handed on")
    assert unexpected(chromium) == []
