"""Calls for help and stops of machines in the office: their figures, list and pages; live."""

from datetime import timedelta

import pytest

from browser.pages import (
    ENGLISH,
    KEEP_FILES,
    KEPT_FILES,
    change_unheard,
    follow,
    see,
    texts,
    unexpected,
    value,
)
from glassflow.core.process import clock
from tables_api import rows_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROW = ".table-row"
SAID = ".pareto .sentence"
STATUS, ACTION = ".head .status", '.head button:has-text("{}")'
SAVE = ".card .form-buttons .main-button"
STOP = {"kind": "machine", "machineStands": True}


@pytest.fixture
def station(workshop):
    """Makes a station of a name, as its id."""
    return lambda name: str(workshop.station(name=name).pk)


@pytest.fixture
def call(admin):
    def make(station, **values):
        made = admin.post("/api/calls", {"station": station, "kind": "other", **values})
        assert made.status == 201, made
        return made.data

    return make


@pytest.fixture
def past_call(admin, call):
    """Makes a call that was made some days ago, and ended after some minutes."""

    def make(station, *, days, minutes, **values):
        made = call(station, **values)
        ended = admin.post(f"/api/calls/{made['_id']}/end", {}).data
        at = clock.now() - timedelta(days=days)
        over = at + timedelta(minutes=minutes)
        change_unheard("Call", ended, calledAt=at, endedAt=over)
        return ended

    return make


def test_stops_of_a_time_are_added_up_and_a_call_is_answered_corrected_and_deleted(
    open_office, chromium, admin, workshop, station, call, past_call
):
    tab = open_office(admin.worker, "calls")
    see(tab, SAID, "Nobody has called for help in the last 30 days")
    see(tab, ".empty", "Workers call for help at their station")
    washing, cutting = station("Washing"), station("Cutting")
    past_call(washing, days=20, minutes=200, **STOP)
    past_call(cutting, days=3, minutes=30, **STOP)
    shift = past_call(cutting, days=3, minutes=300, reason="Saw", **STOP)
    change_unheard("Call", shift, ending="shift")

    tab.goto(tab.address())
    see(tab, SAID, "Washing stood for 3 h 20 min in the last 30 days: more than half")
    rows = ["Washing Machine 3 h 20 min 1 1 –", "Cutting Machine 30 min 2 2 –"]
    wait_until(lambda: texts(tab, ".pareto tbody tr") == rows)
    see(tab, ".pareto footer", "1 stop ended with the shift")
    see(tab, f'{ROW}:has-text("Saw")', "Not known")
    tab.click('.pareto .tabs a:has-text("7 days")')
    see(tab, SAID, "Cutting stood for 30 min in the last 7 days; no other station")
    tab.run(KEEP_FILES, None)
    tab.click(".pareto .export")
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    [row] = rows_of(bytes(tab.run(KEPT_FILES, None)[0]))
    assert (row["Station"], row["Stood, minutes"]) == ("Cutting", "30")
    tab.click(".pareto tbody a")  # the calls of that row
    wait_until(lambda: tab.count(ROW) == 2)
    assert value(tab, "#filter-station") == cutting

    follow(tab, "office/calls?status=open,taken")
    see(tab, ".empty", "Nothing")
    made = call(washing, kind="question")  # while the page is open
    see(tab, ROW, "Nobody comes yet")
    tab.click(ROW)
    see(tab, "h1", made["callNumber"])
    assert tab.count(".delete") == 0
    tab.click(ACTION.format("I go"))
    see(tab, STATUS, "Somebody goes")
    see(tab, ".facts-card", f"Who went {admin.worker.name}")
    tab.click(ACTION.format("I cannot go"))
    see(tab, STATUS, "Nobody comes yet")
    tab.click(ACTION.format("I go"))
    see(tab, STATUS, "Somebody goes")
    tab.click(ACTION.format("It is done"))
    see(tab, STATUS, "Ended")
    see(tab, ".facts-card", f"Ended by {admin.worker.name}")
    tab.select("#field-kind", "glass")
    tab.click("#field-machineStands")
    tab.fill("#field-reason", "No float glass")
    tab.click(SAVE)
    see(tab, ".form-buttons [role=status]", "Saved")
    tab.click('summary:has-text("History of changes")')
    see(tab, ".changes", "About from Question to Glass, material")
    tab.click(".delete")
    tab.click("dialog .danger")
    see(tab, "h1", "Calls and stops")
    wait_until(lambda: tab.count(ROW) == 3)

    # whom another one has overtaken is told, and who only looks has no buttons
    made = call(cutting, kind="question")
    follow(tab, f"office/calls/{made['_id']}")
    tab.wait(ACTION.format("I go"))
    change_unheard("Call", made, status="taken", takenByName="Aek", takenAt=clock.now())
    tab.click(ACTION.format("I go"))
    see(tab, ".head [role=alert]", "Aek")
    see(tab, STATUS, "Somebody goes")
    role = workshop.role(permissions=["panes:view", "stations:view"])
    tab = open_office(workshop.worker(role=role), f"calls/{made['_id']}")
    see(tab, STATUS, "Somebody goes")
    assert tab.count(".head div > button") == 0
    assert all("409" in one for one in unexpected(chromium))


def test_call_for_help_is_made_in_the_office(open_office, chromium, admin, station):
    washing = station("Washing")
    tab = open_office(admin.worker, "calls")
    tab.click(".head .new")
    tab.wait("#field-station")
    tab.select("#field-station", washing)
    assert tab.count("#field-refusesScanIn") == 0
    tab.click("#field-machineStands")
    tab.wait("#field-refusesScanIn")
    tab.fill("#field-reason", "Belt")
    tab.click(SAVE)
    see(tab, "h1", "CALL-")
    see(tab, ".facts-card", "Washing")
    [made] = admin.get("/api/calls").data
    assert (made["machineStands"], made["refusesScanIn"]) == (True, False)
    assert made["reason"] == "Belt"
    follow(tab, "office")
    see(tab, ".calls-line a", "1 open call")
    assert unexpected(chromium) == []


def test_maintenance_of_a_station_asks_why_and_says_since_when(
    open_office, chromium, admin, workshop, station
):
    washing = station("Washing")
    tab = open_office(admin.worker, f"stations/{washing}")
    tab.wait("#field-status")
    assert tab.count("#field-status option") == 2  # maintenance by the button
    tab.click(ACTION.format("Maintenance"))
    tab.fill("#ask-reason", "New pump")
    tab.click("dialog .main-button")
    see(tab, ".maintenance", "New pump")
    see(tab, ".maintenance", f"· {admin.worker.name}")
    assert value(tab, "#field-status") == "maintenance"
    other = open_office(
        workshop.worker_with("manager"),
        "stations",
        profile=chromium.second_profile,
        **ENGLISH,
    )
    see(other, f"{ROW} .status", "New pump")
    tab.click('.maintenance button:has-text("It is done")')
    wait_until(lambda: tab.count(".maintenance") == 0)
    wait_until(lambda: value(tab, "#field-status") == "offline")
    wait_until(lambda: "New pump" not in other.text(ROW))
    # by its status, as before: the page of the call adds why
    assert (
        admin.patch(f"/api/stations/{washing}", {"status": "maintenance"}).status == 200
    )
    see(tab, ".maintenance", "No reason was given")
    tab.click(".maintenance a")
    see(tab, "h1", "CALL-")
    tab.fill("#field-reason", "New belt")
    tab.click(SAVE)
    see(tab, ".form-buttons [role=status]", "Saved")
    tab.click(".facts-card a")
    see(tab, ".maintenance", "New belt")
    assert unexpected(chromium) == []
